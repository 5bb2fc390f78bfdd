import mindspore


def torch_bernoulli(input, p=None, *, generator=None):
    """PyTorch's bernoulli with a generator: ones, with the probabilities in the tensor or all with p, and zeros."""
    drawn = mindspore.Tensor(torch_draws(generator).random(input.shape), mindspore.float32)
    return (drawn < (input if p is None else p)).astype(input.dtype)
