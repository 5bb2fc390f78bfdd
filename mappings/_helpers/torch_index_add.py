import mindspore


def torch_index_add(input, dim, index, source, *, alpha=1):
    """PyTorch's index_add: adds slices to a copy; mindspore.ops.index_add changes the tensor itself on the CPU, and
    takes no empty index."""
    source = source if alpha == 1 else source * alpha
    if input.ndim == 0:
        return input + source.reshape(-1).sum()
    if index.size == 0:
        return input.copy()
    return mindspore.ops.index_add(input.copy(), index.int().reshape(-1), source, dim)
