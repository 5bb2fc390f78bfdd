import collections

import mindspore


def torch_tensor(data, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """PyTorch's tensor: a new tensor of the values of a tensor, without its gradient, or of numbers."""
    if requires_grad:
        raise TypeError("tensors have no requires_grad: make a mindspore.Parameter")
    if isinstance(data, mindspore.Tensor):
        copied = mindspore.ops.stop_gradient(data).copy()
        return copied if dtype is None else copied.to(dtype)
    values = torch_data(list(data) if isinstance(data, (range, collections.deque)) else data)
    return mindspore.tensor(values) if dtype is None else mindspore.tensor(values, dtype=dtype)
