import contextlib

import mindspore
import mindspore.common.api


class TorchSetGradEnabled(contextlib.ContextDecorator):
    """PyTorch's set_grad_enabled: whether what runs is recorded for a gradient around it, from now on or in a block."""

    def __init__(self, mode):
        executor = mindspore.common.api._pynative_executor
        self.before, self.mode = executor.enable_grad(), bool(mode)
        executor.set_enable_grad(self.mode)

    def __call__(self, function):
        mindspore.common.api._pynative_executor.set_enable_grad(
            self.before
        )  # a decorator switches in calls only
        return super().__call__(function)

    def __enter__(self):
        self.recording = TorchEnableGrad() if self.mode else contextlib.nullcontext()
        mindspore.common.api._pynative_executor.set_enable_grad(self.mode)
        self.recording.__enter__()

    def __exit__(self, *error):
        self.recording.__exit__(*error)
        mindspore.common.api._pynative_executor.set_enable_grad(self.before)
