import contextlib

import mindspore
import mindspore.common.api


class TorchEnableGrad(contextlib.ContextDecorator):
    """PyTorch's enable_grad as a context or a decorator: what runs inside is recorded for a gradient around it."""

    def __new__(cls, function=None):
        guard = super().__new__(cls)
        return guard(function) if callable(function) else guard

    def __enter__(self):
        executor = mindspore.common.api._pynative_executor
        self.before = executor.enable_grad()
        executor.set_enable_grad(True)

    def __exit__(self, *error):
        mindspore.common.api._pynative_executor.set_enable_grad(self.before)
