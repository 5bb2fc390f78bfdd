import gc
import threading
import weakref

import mindspore
import mindspore.common.api


class TorchRecording:
    """Gradients at `backward(loss)`, wherever the program calls it.

    MindSpore differentiates what a function runs. Here that function is the program itself, from one `backward` to
    the next: `value_and_grad` runs in a greenlet of its own and waits there while the program goes on. In PyNative
    mode, in one thread. What runs under `no_grad` is not recorded.
    """

    def __init__(self):
        self.parameters = []
        self._others = []  # parameters that no optimizer has but losses depend on, by weak references
        self._leaves = []  # other tensors that gradients are wanted for, by weak references
        self._anchor = mindspore.Parameter(mindspore.Tensor(0.0), name="torch_recording")
        self._reached = set()  # the parameters that a loss depends on
        self._differentiation = None  # the greenlet that waits for a loss
        self._program = None  # the greenlet of the program
        self._thread = None
        self._loss = None
        self._recorded = []  # the parameters that this is done for
        self._error = None  # what kept MindSpore from differentiating a loss
        self.backwards = 0  # how often gradients of a loss were added up; each may take several passes

    @staticmethod
    def current():
        """The one of the program, also where several of its modules define this class."""
        return vars(mindspore).setdefault("_torch_recording", TorchRecording())

    def add(self, parameters):
        """Record for these parameters from now on; `grad` of each is None until a loss reaches it."""
        known = {id(parameter) for parameter in self.parameters}
        named = {id(parameter): parameter for parameter in parameters}  # one may stand twice
        new = [parameter for parameter in named.values() if id(parameter) not in known]
        for parameter in new:
            parameter.grad = None
        self.parameters += new
        if new:
            self._switch(None)

    def start(self):
        """Record from now on, whatever gradients are wanted for."""
        if self._differentiation is None:
            self._switch(None)

    def mark(self, tensor, requires_grad):
        """Give gradients for a tensor that is no parameter, for what is computed from it from now on, or stop that."""
        mark = getattr(tensor, "requires_grad_", None)
        if mark is None:
            raise RuntimeError(
                "gradients for tensors that are no parameters need a newer MindSpore than this one"
            )
        self.start()
        if requires_grad != tensor._requires_grad:
            mark(requires_grad)
            if requires_grad:
                tensor.grad = None
                self._leaves.append(weakref.ref(tensor))

    def gradients(self, total, inputs):
        """The gradients of a recorded value for parameters, leaves and what was computed from them, None for each
        that the value does not depend on. Nothing is forgotten."""
        self._check_recorded(total)
        self._take_longer_softmax_first(self._nodes_of(total) or {})
        return self._gradients(total, inputs)

    def _gradients(self, total, inputs):
        for one in inputs:
            if one._requires_grad is False:  # None where MindSpore does not tell
                raise RuntimeError("One of the differentiated Tensors does not require grad")
        found = {}
        # Given as inputs, tensors that others were computed from would lose what passes through those: hooks see all.
        hooks = [
            one.register_hook(lambda value, at=at: found.update({at: value})) for at, one in enumerate(inputs)
        ]
        known = {id(one): one for one in [*self._trained(), *self._living()]}
        known |= {id(one): one for one in inputs if getattr(one, "_is_leaf", False)}
        try:
            self._differentiate_by(total, list(known.values()))
            for at, one in enumerate(inputs):
                if at not in found and id(one) not in known:
                    self._differentiate_by(total, [one])
        finally:
            for hook in hooks:
                hook.remove()
        return [found.get(at) for at in range(len(inputs))]

    def differentiate(self, loss, retain_graph=False):
        """Add the gradients of `loss` to `grad` of the parameters that it depends on. What the loss was computed from
        is forgotten then, unless `retain_graph`."""
        if loss.size != 1:
            raise RuntimeError("backward() of several values needs a gradient for each of them")
        self._check_recorded(loss)
        self.backwards += 1
        nodes = self._nodes_of(loss)
        self._take_longer_softmax_first(nodes or {})
        self._add_others(nodes or {})
        reached = self._reached_by(loss, nodes)
        keeps = retain_graph or torch_is_in_backward()
        recorded = {id(one) for one in self._recorded}
        late = [one for one in self._trained() if id(one) in reached - recorded]
        leaves = [*self._living(), *(() if keeps else late)]
        weights = self._weights()
        if leaves:
            # All at once: what a compiled function gave can be differentiated a single time.
            known = {id(one) for one in leaves}
            weights = [one for one in weights if one.requires_grad and id(one) not in known]
            found = self._gradients(loss, [*leaves, *weights])
            for leaf, gradient in zip(leaves, found):
                if gradient is not None:
                    self._add(leaf, mindspore.ops.stop_gradient(gradient))
            given = [pair for pair in zip(weights, found[len(leaves) :]) if pair[1] is not None]
            self._take([weight for weight, _ in given], [gradient for _, gradient in given], reached)
        elif keeps:
            take = mindspore.grad(lambda: loss, None, weights)
            self._take(weights, self._without_forgetting(take), reached)
        if not keeps:
            self._reached = reached
            self._switch(None if leaves else loss)

    def _reached_by(self, loss, nodes):
        """The parameters that a loss depends on: by its graph, or, in versions without, by where its NaN come to."""
        if nodes is None:
            trained = [one for one in self.parameters if one.requires_grad]
            gradients = mindspore.grad(lambda: loss * float("nan"), None, trained)() if trained else ()
            pairs = zip(trained, gradients)
            return {id(one) for one, gradient in pairs if mindspore.ops.isnan(gradient).asnumpy().any()}
        return {id(one) for one in self._trained() if self._identity(one) in nodes}

    @staticmethod
    def _identity(tensor):
        """Of what stands for a tensor in the graph. None where nothing does, and in versions that do not tell."""
        node = getattr(tensor, "_grad_node", None)
        return node._unique_id() if hasattr(node, "_unique_id") else None

    def _nodes_of(self, loss):
        """What a loss was computed from, by its identity. None in versions that do not tell."""
        if self._identity(loss) is None:
            return None
        seen, nodes = {}, [loss._grad_node]
        while nodes:
            node = nodes.pop()
            if node is not None and node._unique_id() not in seen:
                seen[node._unique_id()] = node
                nodes += [one[0] for one in node.next_functions]
        return seen

    def _take_longer_softmax_first(self, nodes):
        """Take a gradient of softmax along two elements before the one along an axis of length one: on a CPU MindSpore
        2.10 keeps how it took the first one of a process, and what it does for one element is wrong for more."""
        taken = vars(mindspore).setdefault("_torch_softmax_taken", set())
        for node in nodes.values():
            if node.name() != "Softmax":
                continue
            shape, dtype = node._input_metadata[0].shape, node._input_metadata[0].dtype
            for axis in range(-len(shape), len(shape)):
                kind = (len(shape), axis, str(dtype))
                if shape[axis] == 1 and kind not in taken:
                    taken.add(kind)
                    take = mindspore.grad(lambda values, axis=axis: mindspore.ops.softmax(values, axis))
                    pair = mindspore.ops.ones((2,) * len(shape), dtype)
                    self._without_forgetting(lambda take=take, pair=pair: take(pair))

    def _add_others(self, nodes):
        """Note the parameters of networks without an optimizer that a loss depends on: they, too, have a gradient in
        torch, which the program may read."""
        wanted = {identity for identity, node in nodes.items() if not node.next_functions}
        wanted -= {self._identity(one) for one in [*self._trained(), *self._living()]}
        if not wanted:
            return
        for one in gc.get_objects():
            # Asking a proxy for its class may raise, so only the type is asked.
            is_parameter = issubclass(type(one), mindspore.Parameter) and one is not self._anchor
            if is_parameter and one.requires_grad and self._identity(one) in wanted:
                one.grad = None
                self._others.append(weakref.ref(one))

    def _trained(self):
        """The parameters that gradients are wanted for."""
        others = {id(one): one for reference in self._others if (one := reference()) is not None}
        for parameter in self.parameters:
            others.pop(id(parameter), None)
        self._others = [weakref.ref(one) for one in others.values()]
        return [*self.parameters, *others.values()]

    def _check_recorded(self, value):
        if self._differentiation is None or getattr(value, "_requires_grad", True) is False:
            raise RuntimeError(
                "backward() of a value that was not recorded: it depends on no parameter of an optimizer that was"
                " there when it was computed, or it was computed under no_grad"
            )

    def _living(self):
        living = [
            one for reference in self._leaves if (one := reference()) is not None and one._requires_grad
        ]
        self._leaves = [weakref.ref(one) for one in living]
        return living

    def _weights(self):
        return self._trained() or [self._anchor]

    def _without_forgetting(self, take):
        """What taking gradients gives, which can be taken again then: a gradient inside of another forgets nothing.
        Around it is the one that waits, or, in a `backward` of the program's own, one of nothing; a graph that
        `enable_grad` began there ends before, and begins anew."""
        if not torch_is_in_backward():
            return take()
        found = []

        def around():
            found.append(take())
            return mindspore.Tensor(0.0)

        executor = mindspore.common.api._pynative_executor
        has_begun = vars(mindspore).pop("_torch_graph_in_backward", False)
        if has_begun:
            executor.end_empty_graph()
            executor.set_grad_flag(False)
        try:
            mindspore.grad(around, None, [self._anchor])()
        finally:
            if has_begun:
                executor.set_grad_flag(True)
                executor.new_empty_graph()
                vars(mindspore)["_torch_graph_in_backward"] = True
        return found[0]

    def _differentiate_by(self, total, tensors):
        weights = [one for one in tensors if isinstance(one, mindspore.Parameter)]
        leaves = [one for one in tensors if not isinstance(one, mindspore.Parameter)]
        if tensors:
            positions = tuple(range(len(leaves))) or None
            take = mindspore.grad(lambda *_: total, positions, weights or None)
            self._without_forgetting(lambda: take(*leaves))

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
            self._loss, self._recorded = None, self._weights()
            try:
                _, gradients = mindspore.value_and_grad(self._until_backward, None, self._recorded)()
            except RuntimeError as error:
                self._error = error
            else:
                self._take(self._recorded, gradients if self._loss is not None else [], self._reached)

    def _until_backward(self):
        self._loss = self._program.switch()
        return mindspore.Tensor(0.0) if self._loss is None else self._loss

    def _take(self, parameters, gradients, reached):
        places = set()
        for parameter, gradient in zip(parameters, gradients):
            if not parameter.requires_grad:
                continue
            # torch leaves None where a loss does not depend on a parameter; MindSpore gives zeros.
            if id(parameter) not in reached and not gradient.asnumpy().any():
                continue
            if parameter.grad is None and hasattr(gradient, "data_ptr"):
                # Those of `a + b` share their memory, which programs write into.
                gradient = gradient.copy() if gradient.data_ptr() in places else gradient
                places.add(gradient.data_ptr())
            self._add(parameter, gradient)

    @staticmethod
    def _add(tensor, gradient):
        tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient
