import mindspore.common._grad_function


class TorchFunction(mindspore.common._grad_function._Function):
    """PyTorch's autograd.Function, an operation with a gradient of its own: MindSpore's takes the same `forward`,
    `backward` and context, in PyNative mode."""

    @staticmethod
    def jvp(ctx, *grad_inputs):
        raise NotImplementedError("MindSpore's operations have no forward mode")

    @staticmethod
    def vmap(info, in_dims, *args):
        raise NotImplementedError("MindSpore's operations have no rule for vmap")
