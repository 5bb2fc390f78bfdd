import mindspore


def torch_uniform_(input, from_=0, to=1):
    """PyTorch's uniform_: fills the tensor with uniformly distributed numbers and gives it back."""
    input[()] = (from_ + (to - from_) * mindspore.ops.rand(input.shape)).astype(input.dtype)
    return input
