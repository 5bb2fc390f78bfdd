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
        # A `backward` of the program's own runs outside of what is recorded: it needs a graph of its own.
        self.begins = torch_is_in_backward() and not executor.grad_flag()
        if self.begins:
            executor.set_grad_flag(True)
            executor.new_empty_graph()
            vars(mindspore)["_torch_graph_in_backward"] = True

    def __exit__(self, *error):
        executor = mindspore.common.api._pynative_executor
        if self.begins:
            executor.end_empty_graph()
            executor.set_grad_flag(False)
            vars(mindspore)["_torch_graph_in_backward"] = False
        executor.set_enable_grad(self.before)
