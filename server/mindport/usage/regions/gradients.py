"""The calls that differentiate, and what they make a second-order link."""

from __future__ import annotations

import ast

from mindport.usage.regions.program import Holder, RegionFiles
from mindport.usage.regions.rank import rank_of
from mindport.usage.regions.slicing import OnTheWay, conditions_of, data_behind, data_between, inputs_of
from mindport.usage.regions.statements import Statements
from mindport.usage.regions.values import (
    DOUBT,
    BodyRun,
    Compiled,
    Conditions,
    Constant,
    Data,
    Differentiated,
    FunctionOf,
    Gradient,
    GradientMaker,
    Items,
    Layer,
    OwnInstance,
    PartialCall,
    PassedValues,
    TreePlace,
    Value,
    Waiting,
    Weights,
)

# Functions whose result is a function that differentiates once: name -> whether it gives the value as well.
_TRANSFORMS = {
    "torch.func.grad": False, "torch.func.grad_and_value": True, "torch.func.jacrev": False, "torch.func.jacfwd": False,
    "functorch.grad": False, "functorch.grad_and_value": True, "functorch.jacrev": False, "functorch.jacfwd": False,
    "mindspore.grad": False, "mindspore.ops.grad": False, "mindspore.value_and_grad": True,
    "mindspore.ops.value_and_grad": True, "mindspore.jacrev": False, "mindspore.jacfwd": False,
    "mindspore.ops.jacrev": False, "mindspore.ops.jacfwd": False,
}  # fmt: skip
# Functions that differentiate the function they are given twice: those that give a function, those that are called
# with the inputs, and those that differentiate once and are differentiated again with `create_graph`.
_TWICE = frozenset({"torch.func.hessian", "functorch.hessian"})
_TWICE_AT = frozenset(
    {"torch.autograd.functional.hessian", "torch.autograd.functional.hvp", "torch.autograd.functional.vhp",
     "torch.autograd.gradcheck.gradgradcheck", "torch.autograd.gradgradcheck"}
)  # fmt: skip
_TWICE_WITH_GRAPH = frozenset(
    {"torch.autograd.functional.jacobian", "torch.autograd.functional.vjp", "torch.autograd.functional.jvp"}
)
_ALONG = frozenset(
    {"torch.func.jvp", "torch.func.vjp", "functorch.jvp", "functorch.vjp", "mindspore.jvp", "mindspore.vjp"}
)
_MAKERS = frozenset({"mindspore.ops.GradOperation", "mindspore.ops.composite.GradOperation"})
_OUTER_LAYERS = frozenset(
    {"mindspore.nn.TrainOneStepCell", "mindspore.nn.ForwardValueAndGrad", "mindspore.Model", "mindspore.train.Model",
     "mindspore.nn.TrainOneStepWithLossScaleCell"}
)  # fmt: skip
_MOST_REGIONS = 40


class Region:
    """One gradient of a gradient: the data between inputs and output, and where it is taken. `is_followed` is false
    where no way from the inputs to the output was found."""

    __slots__ = (
        "conditions",
        "data",
        "frame",
        "gradient",
        "is_compiled",
        "is_followed",
        "name",
        "ranks",
        "site",
    )

    def __init__(
        self, name: str, site: TreePlace, frame: BodyRun, conditions: Conditions, data: list[OnTheWay],
        is_followed: bool, is_compiled: bool, gradient: Gradient | None,
    ) -> None:  # fmt: skip
        self.gradient = gradient  # the function that is differentiated again, where there is one
        self.name = name
        self.site = site
        self.frame = frame
        self.conditions = conditions
        self.ranks: dict[int, int | None] = {}  # of the first operand, by the identity of the data
        self.data = data
        self.is_followed = is_followed
        self.is_compiled = is_compiled

    def is_certain(self, data: Data) -> bool:
        """Whether the data are computed wherever the gradient is taken."""
        return (
            self.is_followed and DOUBT not in conditions_of(data) and conditions_of(data) <= self.conditions
        )


class Follower(Statements):
    """Runs what leads to calls that differentiate, and keeps the regions it finds."""

    def __init__(self, program: RegionFiles, watched: list[Holder]) -> None:
        super().__init__(program)
        self.regions: list[Region] = []
        self._watched = {id(holder.function) for holder in watched if holder.function is not None}
        self._watched_files = {holder.path for holder in watched}
        self._run: set[int] = set()
        self._makes_gradients = False  # whether any function that differentiates was made
        self._deep = 0  # how many gradients of functions are being followed, one inside the other
        self._outer: list[Gradient] = []  # gradients of functions that may hold a gradient themselves

    # -- what is run

    def is_watched(self, function: FunctionOf) -> bool:
        """Whether the function leads to a call that differentiates, so that it has to be run."""
        if id(function.node) in self._watched:
            return True
        # A function inside one that is watched.
        frame: BodyRun | None = function.frame
        while frame is not None:
            if frame.is_watched:
                return True
            frame = frame.outer
        return False

    def was_run(self, function: FunctionOf) -> bool:
        """Whether a watched function was run."""
        return self.has_run(function.node)

    def has_run(self, node: ast.AST) -> bool:
        """Whether the function with this tree was run."""
        return id(node) in self._run

    def force(self, waiting: Waiting) -> Value:
        """The result of a call that waits."""
        self._run.add(id(waiting.callee.node))
        return super().force(waiting)

    def finish(self) -> None:
        """Follow the outer gradients that nobody was seen to call."""
        for gradient in self._outer:
            if not gradient.is_called:
                self._follow_outer(gradient, PassedValues.unseen(), gradient.site, gradient.frame)

    # -- calls

    def differentiate(
        self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value | None:
        """The result of a call of a framework's function that differentiates; None for any other function."""
        if name == "torch.autograd.grad":
            return self._autograd_grad(arguments, site, frame)
        if name == "torch.autograd.backward":
            self.backward(arguments.at(0, "tensors") or Data(), arguments, site, frame)
            return Constant(None)
        keeps_value = _TRANSFORMS.get(name)
        function = arguments.at(0, "func", "fn", "network", "function")
        if keeps_value is not None:
            return self._transform(name, function or Data(), arguments, site, frame, keeps_value)
        if name in _TWICE:
            gradient = self._transform(name, function or Data(), arguments, site, frame, False)
            self._twice(
                name, gradient.function, PassedValues.unseen(), gradient.positions or (0,), site, frame
            )
            return gradient
        if name in _TWICE_AT or (name in _TWICE_WITH_GRAPH and self._keeps_graph(arguments) is not False):
            inputs = self.settled(arguments.at(1, "inputs") or Data())
            passed = PassedValues(list(inputs.values) if isinstance(inputs, Items) else [inputs])
            every = tuple(range(len(passed.positional)))
            self._twice(name, function or Data(), passed, every, site, frame)
            return Data(arguments.all())
        if name in _ALONG and function is not None:
            return self._along(name, function, arguments, site, frame)
        if name in _MAKERS:
            of_weights = arguments.at(1, "get_by_list")
            return GradientMaker(isinstance(of_weights, Constant) and of_weights.value is True)
        if name in _OUTER_LAYERS and arguments.positional:
            network = self.settled(arguments.positional[0])
            loss = arguments.at(1, "loss_fn") if name.endswith("Model") else None
            outer = Gradient(network if loss is None else _Composed(network, loss), name, None, site, frame)
            self._outer.append(outer)
            return None
        return None

    def kept_gradient(self, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """`torch_input_gradient(network, output, position)`, and the one that takes arguments by their names."""
        function = self.settled(arguments.at(0, "network") or Data())
        output, position = (
            value.value if isinstance(value, Constant) else None
            for value in (arguments.at(1, "output"), arguments.at(2, "position"))
        )
        part = function if output is None else _Composed(function, _Item(output))
        gradient = Gradient(
            part, "mindspore.grad", (position if isinstance(position, int) else 0,), site, frame
        )
        gradient.is_compiled = gradient.is_kept = True
        return gradient

    def _keeps_graph(self, arguments: PassedValues, position: int = -1) -> bool | None:
        """Whether `create_graph` is passed as true, by name or at the position; None where that is not known."""
        given = arguments.at(position, "create_graph")
        if given is None:
            return None if arguments.rest else False
        return self.truth(given)

    def _autograd_grad(self, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        outputs = arguments.at(0, "outputs") or Data()
        inputs = arguments.at(1, "inputs") or Data()
        keeps_graph = self._keeps_graph(arguments, 4)
        if keeps_graph is not False:
            self._region(
                "torch.autograd.grad", outputs, inputs_of(inputs, self.settled), site, frame, frame.conditions,
                is_sure=keeps_graph is True, along=arguments.at(2, "grad_outputs"),
            )  # fmt: skip
        else:
            self._inner_gradients(outputs)
            return Data()
        result = Data((outputs, inputs), "", None, frame)
        count = len(inputs.values) if isinstance(inputs, Items) else 1
        return Items([result] * count) if count else result

    def backward(self, receiver: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> None:
        """`loss.backward(...)`."""
        keeps_graph = self._keeps_graph(arguments, 2)
        if keeps_graph is not False:
            wanted = inputs_of(arguments.keywords.get("inputs"), self.settled)
            self._region(
                "torch.Tensor.backward",
                receiver,
                wanted,
                site,
                frame,
                frame.conditions,
                is_sure=keeps_graph is True,
            )
        elif self._makes_gradients:
            self._inner_gradients(receiver)

    def _transform(
        self,
        name: str,
        function: Value,
        arguments: PassedValues,
        site: TreePlace,
        frame: BodyRun,
        keeps_value: bool,
    ) -> Gradient:
        self._makes_gradients = True
        positions = self._positions(arguments)
        function = self.settled(function)
        is_compiled = False
        if isinstance(function, Compiled):
            inner = self.settled(function.callee)
            if isinstance(inner, Gradient):
                function, is_compiled = inner, True
        gradient = Gradient(function, name, positions, site, frame)
        gradient.keeps_value = keeps_value
        if isinstance(function, Gradient):
            # The gradient of a gradient, with nothing between.
            function.is_called = True
            inputs = function.positions or (0,)
            self._twice(
                name,
                function.function,
                PassedValues.unseen(),
                inputs,
                site,
                frame,
                is_compiled or function.is_compiled,
                function,
            )
        else:
            self._outer.append(gradient)
        return gradient

    def _positions(self, arguments: PassedValues) -> tuple[int, ...] | None:
        """For which arguments a gradient is taken; None where only for weights."""
        given = arguments.at(1, "argnums", "grad_position")
        value = self.settled(given) if given is not None else None
        if value is None:
            return (0,)
        if isinstance(value, Constant):
            if value.value is None:
                return None
            return (value.value,) if isinstance(value.value, int) else (0,)
        if isinstance(value, Items):
            found = [
                one.value for one in value.values if isinstance(one, Constant) and isinstance(one.value, int)
            ]
            return tuple(found) or (0,)
        return (0,)

    def _along(
        self, name: str, function: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        """`jvp` and `vjp`: of a gradient, they differentiate it once more."""
        self._makes_gradients = True
        settled = self.settled(function)
        passed = arguments.at(1, "primals", "inputs")
        held = self.settled(passed) if passed is not None else None
        inner = list(held.values) if isinstance(held, Items) else [passed] if passed is not None else []
        if isinstance(settled, Gradient):
            settled.is_called = True
            self._twice(name, settled.function, PassedValues(inner), settled.positions or (0,), site, frame)
            return Data(arguments.all())
        gradient = Gradient(settled, name, (0,), site, frame)
        gradient.is_called = True
        result = self.gradient_called(gradient, PassedValues(inner), site, frame)
        return Items([result, Data(arguments.all())])

    def gradient_called(
        self, gradient: Gradient, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        """The result of a call of a function that computes a gradient."""
        gradient.is_called = True
        result = Data(arguments.all(), "", None, frame)
        if gradient.is_kept:
            self._twice(
                gradient.name, gradient.function, arguments, gradient.positions, site, frame, gradient.is_compiled,
                gradient,
            )  # fmt: skip
            return result
        result.gradient = Differentiated(gradient, arguments, site, frame)
        self._follow_outer(gradient, arguments, site, frame)
        return Items([result, result]) if gradient.keeps_value else result

    def _follow_outer(
        self, gradient: Gradient, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> None:
        """Look for gradients inside the function that a gradient is taken of."""
        function = self.settled(gradient.function)
        if (
            isinstance(function, (FunctionOf, OwnInstance, PartialCall, Compiled, _Composed, Layer))
            and self._deep < 3
        ):
            self._deep += 1
            compiled, frame.is_compiled = frame.is_compiled, gradient.is_compiled or frame.is_compiled
            self._inner_gradients(self._called(function, arguments, site, frame))
            frame.is_compiled = compiled
            self._deep -= 1

    def _called(self, function: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """The function's result."""
        if isinstance(function, _Composed):
            result = self.call(function.inner, arguments, site, frame)
            if isinstance(function.outer, _Item):
                return self.item(self.settled(result), function.outer.key, site, frame)
            return self.call(function.outer, PassedValues([result]), site, frame)
        return self.call(function, arguments, site, frame)

    # -- regions

    def _inner_gradients(self, output: Value) -> None:
        """The output is differentiated: what hangs on a gradient in it is differentiated twice."""
        for data in data_behind(output, self.settled):
            inner = data.gradient
            if inner is None:
                continue
            gradient = inner.gradient
            self._twice(
                gradient.name, gradient.function, inner.arguments, gradient.positions, inner.site, inner.frame,
                inner.is_compiled, gradient,
            )  # fmt: skip

    def _twice(
        self, name: str, function: Value, arguments: PassedValues, positions: tuple[int, ...] | None, site: TreePlace,
        frame: BodyRun, is_compiled: bool = False, gradient: Gradient | None = None,
    ) -> None:  # fmt: skip
        """The function is differentiated twice for its arguments at the positions."""
        function = self.settled(function)
        if isinstance(function, Gradient):
            function = self.settled(function.function)
        passed: list[Value] = [
            Data() if isinstance(value, Constant) else value for value in arguments.positional
        ]
        while positions is not None and len(passed) <= max(positions, default=0) and not arguments.rest:
            passed.append(Data())
        inner = PassedValues(passed, arguments.keywords, arguments.rest)
        inner.is_seen = arguments.is_seen
        conditions = frame.conditions
        compiled, frame.is_compiled = frame.is_compiled, is_compiled or frame.is_compiled
        output = self._called(function, inner, site, frame)
        inputs: list[Value] | None = None
        if positions is not None:
            inputs = []
            for position in positions:
                if -len(passed) <= position < len(passed):
                    inputs += inputs_of(passed[position], self.settled) or []
        else:
            inputs = [Weights(function)]
        self._region(name, output, inputs, site, frame, conditions, gradient=gradient)
        frame.is_compiled = compiled

    def _region(
        self, name: str, output: Value, inputs: list[Value] | None, site: TreePlace, frame: BodyRun,
        conditions: Conditions, is_sure: bool = True, gradient: Gradient | None = None, along: Value | None = None,
    ) -> None:  # fmt: skip
        """Keep the region. `along`: what the gradient is multiplied by; it may itself hang on the inputs."""
        if len(self.regions) >= _MOST_REGIONS:
            # Nothing is known of what lies on the way, and a region without data says so.
            unknown = Region(name, site, frame, conditions, [], False, frame.is_compiled, gradient)
            self.regions.append(unknown)
            return
        data, is_reached = data_between(output, inputs, self.settled)
        if along is not None and data_between(along, inputs, self.settled).is_reached:
            data = [one._replace(is_last=False) for one in data]
        region = Region(
            name, site, frame, conditions, data, is_reached and is_sure, frame.is_compiled, gradient
        )
        region.ranks = {
            id(one.data): rank_of(one.data.operands[0], self.settled)
            for one in data
            if one.data.api and one.data.operands
        }
        self.regions.append(region)


class _Item(Value):
    """Takes one of several outputs."""

    __slots__ = ("key",)

    def __init__(self, key: object) -> None:
        super().__init__()
        self.key = key


class _Composed(Value):
    """A network with the loss behind it, or of several outputs one."""

    __slots__ = ("inner", "outer")

    def __init__(self, inner: Value, outer: Value) -> None:
        super().__init__()
        self.inner = inner
        self.outer = outer
