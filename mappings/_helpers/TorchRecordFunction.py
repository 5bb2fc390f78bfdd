import contextlib

import mindspore


class TorchRecordFunction(contextlib.ContextDecorator):
    """PyTorch's record_function, as a block or a decorator: a named range in the trace of Ascend's profiler."""

    def __init__(self, name, args=None):
        self.name = name
        self.numbers = []

    def __enter__(self):
        self.numbers.append(mindspore.profiler.mstx.range_start(self.name))
        return self

    def __exit__(self, *error):
        mindspore.profiler.mstx.range_end(self.numbers.pop())
