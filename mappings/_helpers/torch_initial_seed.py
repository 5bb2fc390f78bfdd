import mindspore


def torch_initial_seed():
    """The seed of mindspore.set_seed, or the one that PyTorch begins with."""
    seed = mindspore.get_seed()
    return 67280421310721 if seed is None else seed
