import mindspore


def torch_drawn_(input, generator, kind, *numbers):
    """The tensor, filled with random numbers that follow a generator: of which kind, NumPy's name for them says."""
    drawn = getattr(torch_draws(generator), kind)(*numbers, size=input.shape)
    input[()] = mindspore.Tensor(drawn).astype(input.dtype)
    return input
