import mindspore


def torch_bernoulli_(input, p=0.5):
    """PyTorch's bernoulli_: fills the tensor with ones, each with probability p, and zeros, and gives it back."""
    input[()] = (mindspore.ops.rand(input.shape) < p).astype(input.dtype)
    return input
