import mindspore
import numpy


class TorchView:
    """A tensor in another shape, `view(input)`, to be written: while a gradient is recorded MindSpore copies what
    `view`, `transpose`, `narrow` and the like give, and what is written to the copy does not reach the tensor."""

    def __init__(self, input, view):
        self.input = input
        self.view = view

    value = property(lambda self: self.view(self.input))

    def __getattr__(self, name):
        return getattr(self.value, name)

    def __getitem__(self, index):
        return self.value[index]

    def __setitem__(self, index, value):
        numbers = numpy.arange(self.input.size).reshape(self.input.shape)
        parts = index if isinstance(index, tuple) else (index,)
        parts = tuple(part.asnumpy() if isinstance(part, mindspore.Tensor) else part for part in parts)
        places = self.view(mindspore.Tensor(numbers)).asnumpy()[parts]
        sources, is_written = numpy.zeros(numbers.size, numpy.int64), numpy.zeros(numbers.size, bool)
        sources[places.ravel()] = numpy.arange(places.size)
        is_written[places.ravel()] = True
        value = value if isinstance(value, mindspore.Tensor) else mindspore.tensor(value)
        values = mindspore.ops.broadcast_to(value.astype(self.input.dtype), places.shape)
        spread = values.reshape(-1)[mindspore.Tensor(sources)]
        written = mindspore.ops.where(mindspore.Tensor(is_written), spread, self.input.reshape(-1))
        self.input[()] = written.reshape(self.input.shape)
