import threading

import mindspore


class TorchRecording:
    """Gradients at `backward(loss)`, wherever the program calls it.

    MindSpore differentiates what a function runs. Here that function is the program itself, from one `backward` to
    the next: `value_and_grad` runs in a greenlet of its own and waits there while the program goes on. In PyNative
    mode, in one thread. What runs under `no_grad` is not recorded.
    """

    def __init__(self):
        self.parameters = []
        self._reached = set()  # the parameters that some loss depended on
        self._differentiation = None  # the greenlet that waits for a loss
        self._program = None  # the greenlet of the program
        self._thread = None
        self._loss = None
        self._error = None  # what kept MindSpore from differentiating a loss

    @staticmethod
    def current():
        """The one of the program, also where several of its modules define this class."""
        return vars(mindspore).setdefault("_torch_recording", TorchRecording())

    def add(self, parameters):
        """Record for these parameters from now on; `grad` of each is None until a loss reaches it."""
        known = {id(parameter) for parameter in self.parameters}
        new = [parameter for parameter in parameters if id(parameter) not in known]
        for parameter in new:
            parameter.grad = None
        self.parameters += new
        if new:
            self._switch(None)

    def differentiate(self, loss, retain_graph=False):
        """Add the gradients of `loss` to `grad` of the parameters that it depends on. What the loss was computed from
        is forgotten then, unless `retain_graph`."""
        if loss.size != 1:
            raise RuntimeError("backward() of several values needs a gradient for each of them")
        if self._differentiation is None or getattr(loss, "_requires_grad", True) is False:
            raise RuntimeError(
                "backward() of a value that was not recorded: it depends on no parameter of an optimizer that was"
                " there when it was computed, or it was computed under no_grad"
            )
        if retain_graph:
            # A gradient inside of the one that waits forgets nothing.
            self._take(mindspore.grad(lambda: loss, None, list(self.parameters))())
        else:
            self._switch(loss)

    def _switch(self, loss):
        if mindspore.get_context("mode") != mindspore.PYNATIVE_MODE:
            raise RuntimeError("backward() can be called anywhere in PyNative mode only")
        if self._thread not in (None, threading.get_ident()):
            raise RuntimeError("backward() has to be called in the thread that made the optimizers")
        try:
            from greenlet import getcurrent, greenlet
        except ImportError as error:
            raise ImportError(
                "backward() anywhere in a program needs greenlet: pip install greenlet"
            ) from error
        self._thread, self._program = threading.get_ident(), getcurrent()
        if self._differentiation is None or self._differentiation.dead:
            self._differentiation = greenlet(self._differentiate)
        self._differentiation.switch(loss)
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _differentiate(self, _):
        while True:
            self._loss = None
            try:
                _, gradients = mindspore.value_and_grad(self._until_backward, None, list(self.parameters))()
            except RuntimeError as error:
                self._error = error
            else:
                self._take(gradients if self._loss is not None else [])

    def _until_backward(self):
        self._loss = self._program.switch()
        return mindspore.Tensor(0.0) if self._loss is None else self._loss

    def _take(self, gradients):
        for parameter, gradient in zip(self.parameters, gradients):
            if not parameter.requires_grad:
                continue
            # torch leaves None where a loss does not depend on a parameter; MindSpore gives zeros.
            if id(parameter) not in self._reached and not gradient.asnumpy().any():
                continue
            self._reached.add(id(parameter))
            parameter.grad = gradient if parameter.grad is None else parameter.grad + gradient
