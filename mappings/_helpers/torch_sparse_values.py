import mindspore


def torch_sparse_values(input):
    """What PyTorch's values() gives of a sparse tensor, which is a dense one here: its numbers but the zeros."""
    return mindspore.ops.masked_select(input, mindspore.ops.ne(input, 0))
