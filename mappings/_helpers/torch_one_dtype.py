import mindspore


def torch_one_dtype(tensors):
    """The tensors, all of the dtype that torch would give what is joined of them."""
    tensors = tuple(tensors)
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        if tensor.dtype != dtype:
            dtype = (mindspore.ops.zeros((1,), dtype) + mindspore.ops.zeros((1,), tensor.dtype)).dtype
    return tuple([tensor.astype(dtype) for tensor in tensors])
