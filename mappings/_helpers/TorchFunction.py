import mindspore.common._grad_function


class TorchFunction(mindspore.common._grad_function._Function):
    """PyTorch's autograd.Function, an operation with a gradient of its own: MindSpore's takes the same `forward`,
    `backward` and context, in PyNative mode."""
