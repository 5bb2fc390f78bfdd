import contextlib
import numbers

import mindspore


@contextlib.contextmanager
def torch_indexed_by_numbers():
    """While it lasts, a gradient of a gradient may go through `x[i]` and `for row in x`: MindSpore refuses them there,
    and takes `x[i, ...]`."""
    taken = mindspore.Tensor._getitem_origin

    def item(tensor, index):
        is_number = isinstance(index, numbers.Integral) and not isinstance(index, bool)
        return taken(tensor, (index, ...) if is_number else index)

    mindspore.Tensor._getitem_origin = item
    try:
        yield
    finally:
        mindspore.Tensor._getitem_origin = taken
