import sys

import mindspore


class TorchFlopCounterMode(mindspore.MsDispatchMode):
    """PyTorch's FlopCounterMode: counts what products and convolutions in a block compute, the rest as nothing.

    Gradients count as far as MindSpore computes them by operators that it shows."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.display = display
        self.counts = {}

    def __ms_dispatch__(self, func, args, kwargs=None):
        result = func(*args)
        # A primitive comes with its name in front of the inputs.
        inputs = args[2] if len(args) == 3 and isinstance(args[1], str) else args
        if func.name in ("MatMul", "BatchMatMul", "MatMulExt", "BatchMatMulExt", "Dense"):
            is_transposed = len(inputs) > 2 and inputs[2] is True
            self._count(func.name, result.size * inputs[0].shape[-2 if is_transposed else -1])
        elif func.name in ("Conv2D", "Conv3D"):
            self._count(func.name, result.size * inputs[1].size // inputs[1].shape[0])
        elif func.name in ("Conv2DTranspose", "Conv2DBackpropInput", "Conv3DTranspose"):
            self._count(func.name, inputs[0].size * inputs[1].size // inputs[1].shape[0])
        return result

    def _count(self, name, products):
        self.counts[name] = self.counts.get(name, 0) + 2 * products

    def __exit__(self, *raised):
        if self.display:
            sys.stdout.write(self.get_table() + "\n")
        return super().__exit__(*raised)

    def get_total_flops(self):
        return sum(self.counts.values())

    def get_flop_counts(self):
        return {"Global": dict(self.counts)}

    def get_table(self, depth=None):
        return "\n".join(f"{name:20}{count:>20}" for name, count in self.counts.items())
