import mindspore


class TorchSteps:
    """A tensor to be read in steps, `x[:, ::2, 1:]`: MindSpore has no gradient for those along inner axes on CPU."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        if not isinstance(self.input, mindspore.Tensor):
            return self.input[index]
        found, parts, axis = self.input, list(index), 0
        axes = [1 if getattr(part, "dtype", None) != mindspore.bool_ else part.ndim for part in parts]
        axes = [0 if part is None or part is Ellipsis else number for part, number in zip(parts, axes)]
        for place, part in enumerate(parts):
            if isinstance(part, slice) and part.step not in (None, 1):
                chosen = mindspore.tensor(list(range(found.shape[axis])[part]), dtype=mindspore.int32)
                found = found[(slice(None),) * axis + (chosen,)]  # index_select loses gradients of gradients
                parts[place] = slice(None)
            axis += axes[place] if part is not Ellipsis else found.ndim - sum(axes)
        return found[tuple(parts)]
