import functools

import mindspore


def torch_one_dtype(tensors):
    """The tensors, all of the dtype that torch would give what is joined of them."""
    tensors = tuple(tensors)
    dtypes = sorted({tensor.dtype for tensor in tensors}, key=str)
    if len(dtypes) < 2:
        return tensors
    zeros = [mindspore.ops.zeros((1,), dtype) for dtype in dtypes]
    dtype = functools.reduce(lambda x, y: x + y, zeros).dtype
    return tuple(tensor.astype(dtype) for tensor in tensors)
