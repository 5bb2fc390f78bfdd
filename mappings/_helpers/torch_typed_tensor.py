import collections
import numbers

import mindspore


def torch_typed_tensor(dtype, data):
    """A tensor of a dtype with these sizes, or of this data, as PyTorch's FloatTensor(...) makes one."""
    if len(data) != 1 or isinstance(data[0], numbers.Integral):
        return mindspore.ops.zeros(tuple(int(size) for size in data) or (0,), dtype)
    (values,) = data
    if isinstance(values, mindspore.Tensor):
        return values.astype(dtype)
    if isinstance(values, tuple) and all(type(value) is int for value in values):
        raise TypeError("sizes or data? write ops.zeros or mindspore.tensor")
    if not isinstance(values, list):  # a graph, which knows no class of ranges, gets a list
        values = list(values) if isinstance(values, (range, collections.deque)) else values
    return mindspore.Tensor(torch_data(values), dtype)
