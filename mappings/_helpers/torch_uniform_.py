import mindspore


def torch_uniform_(input, from_=0, to=1):
    """PyTorch's uniform_: fills the tensor with uniformly distributed numbers and gives it back."""
    input[()] = (mindspore.ops.rand(input.shape) * (to - from_) + from_).astype(input.dtype)
    return input
