import mindspore


def torch_from_numpy(ndarray):
    """PyTorch's from_numpy, where its argument is handed on."""
    return mindspore.from_numpy(ndarray)
