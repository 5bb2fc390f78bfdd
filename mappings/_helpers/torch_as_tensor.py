import collections

import mindspore


def torch_as_tensor(data, dtype=None, device=None):
    """PyTorch's as_tensor: a tensor stays what it is, with its gradient, unless another dtype is asked for."""
    if not isinstance(data, mindspore.Tensor):
        values = torch_data(list(data) if isinstance(data, (range, collections.deque)) else data)
        return mindspore.tensor(values) if dtype is None else mindspore.tensor(values, dtype=dtype)
    return data if dtype is None or data.dtype == dtype else data.astype(dtype)
