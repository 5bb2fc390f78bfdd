import collections

import mindspore


def torch_data(data):
    """Data as PyTorch reads it: lists of ranges and queues, and numbers in place of the tensors in them, each of one
    element."""
    if isinstance(data, mindspore.Tensor):
        return data.item()
    is_list = isinstance(data, (list, tuple, range, collections.deque))
    return [torch_data(value) for value in data] if is_list else data
