import mindspore


def torch_index_add(input, dim, index, source, *, alpha=1):
    """PyTorch's index_add: adds slices to a copy; mindspore.ops.index_add changes the tensor itself on the CPU."""
    source = source if alpha == 1 else source * alpha
    if input.ndim == 0:
        return input + source.reshape(-1).sum()
    return mindspore.ops.index_add(input.copy(), index.int().reshape(-1), source, dim)
