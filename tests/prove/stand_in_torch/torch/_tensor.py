"""Tensors of nothing but a shape."""

from torch.overrides import dispatch


class dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class device:
    type = "cpu"


strided = object()
float32, int64 = dtype("torch.float32"), dtype("torch.int64")


class Tensor:
    layout = strided
    device = device()
    requires_grad = False

    def __init__(self, *shape, dtype=float32):
        self.shape = shape
        self.dtype = dtype

    def is_contiguous(self):
        return True

    def view(self, *shape):
        return dispatch(view, self, *shape)

    def __add__(self, other):
        return dispatch(add, self, other)

    __radd__ = __add__


class Function:
    def __init__(self, run):
        self.run = run


Tensor.__module__ = "torch"


@Function
def view(self, *shape):
    return Tensor(*shape)


@Function
def add(self, other):
    return self
