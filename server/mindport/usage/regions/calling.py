"""What calls give, for following a gradient: layers are applied, the project's functions wait, instances are made."""

from __future__ import annotations

import ast
from abc import abstractmethod

from mindport.usage import torch_model
from mindport.usage.regions.lookup import FRAMEWORKS, PLAIN_MEMBERS, Lookup
from mindport.usage.regions.values import (
    DOUBT,
    UNREAD,
    Arguments,
    Builtin,
    Choice,
    ClassOf,
    Compiled,
    Constant,
    Data,
    Dotted,
    Frame,
    FunctionOf,
    Gradient,
    GradientMaker,
    Instance,
    Items,
    Layer,
    Member,
    Parent,
    Partial,
    Site,
    Value,
    Waiting,
    Weights,
    chosen,
)

_DEEPEST_CALLS = 60
_MOST_ITEMS = 64
_CALLED = ("forward", "construct", "__call__")
# What gives back its first argument, as far as a gradient is concerned.
_SAME_AS_FIRST = frozenset(
    {"torch.compile", "torch.jit.script", "torch.jit.trace", "torch.nn.utils.spectral_norm",
     "torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.spectral_norm",
     "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrizations.orthogonal",
     "torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.DataParallel",
     "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.autograd.Variable", "copy.deepcopy", "copy.copy",
     "torch.vmap", "torch.func.vmap", "mindspore.vmap", "mindspore.ops.vmap", "typing.cast"}
)  # fmt: skip
_COMPILED = frozenset({"mindspore.jit", "mindspore.ms_function"})
_SEQUENCES = frozenset({"torch.nn.Sequential", "mindspore.nn.SequentialCell"})
_CONTAINERS = _SEQUENCES | {
    "torch.nn.ModuleList", "torch.nn.ModuleDict", "mindspore.nn.CellList", "mindspore.nn.CellDict",
    "torch.nn.ParameterList", "torch.nn.ParameterDict",
}  # fmt: skip
_IDENTITIES = frozenset({"torch.nn.Identity", "mindspore.nn.Identity"})
_SELF_OF_MODULE = frozenset(
    {"to", "cuda", "cpu", "half", "float", "double", "train", "eval", "apply", "requires_grad_", "set_train",
     "set_grad", "to_float", "bfloat16", "type", "xpu", "npu", "compile", "share_memory"}
)  # fmt: skip
_SELF_OF_TENSOR = frozenset({"requires_grad_", "retain_grad"})
_CUT_MEMBERS = frozenset({"detach", "data", "detach_"})
# Results that no gradient goes through.
_CUT_FUNCTIONS = frozenset(
    {"mindspore.ops.stop_gradient", "torch.argmax", "torch.argmin", "torch.argsort", "torch.bernoulli"}
)
_ADDS = frozenset(
    {"append", "add_module", "insert", "extend", "register_module", "insert_child_to_cell", "add"}
)


class Calls(Lookup):
    """Calls of everything but the functions that differentiate."""

    @abstractmethod
    def differentiate(self, name: str, arguments: Arguments, site: Site, frame: Frame) -> Value | None:
        """The result of a call of a framework's function that differentiates; None for any other function."""

    @abstractmethod
    def backward(self, receiver: Value, arguments: Arguments, site: Site, frame: Frame) -> None:
        """`loss.backward(...)`."""

    @abstractmethod
    def gradient_called(self, gradient: Gradient, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """The result of a call of a function that computes a gradient."""

    @abstractmethod
    def is_watched(self, function: FunctionOf) -> bool:
        """Whether the function leads to a call that differentiates, so that it has to be run."""

    @abstractmethod
    def builtin(self, name: str, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """The result of a call of one of Python's own functions."""

    def call(self, callee: Value, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """The result of a call."""
        if not self.step():
            return Data()
        callee = self.settled(callee)
        if isinstance(callee, FunctionOf):
            return self._call_function(callee, arguments, site, frame)
        if isinstance(callee, Instance):
            return self._call_instance(callee, arguments, site, frame)
        if isinstance(callee, Layer):
            return self._apply(callee, arguments, site, frame)
        if isinstance(callee, ClassOf):
            return self._make_instance(callee, arguments, site, frame)
        if isinstance(callee, Dotted):
            return self._call_dotted(callee.name, arguments, site, frame)
        if isinstance(callee, Member):
            return self._call_member(callee, arguments, site, frame)
        if isinstance(callee, Choice):
            results = []
            for value in callee.values:
                result = self.call(value, arguments, site, frame)
                result.conditions |= {DOUBT} | value.conditions
                results.append(result)
            return chosen(results)
        if isinstance(callee, Partial):
            given = callee.arguments
            joined = Arguments(
                [*given.positional, *arguments.positional], {**given.keywords, **arguments.keywords},
                [*given.rest, *arguments.rest],
            )  # fmt: skip
            return self.call(callee.callee, joined, site, frame)
        if isinstance(callee, Compiled):
            was_compiled, frame.is_compiled = frame.is_compiled, True
            result = self.call(callee.callee, arguments, site, frame)
            frame.is_compiled = was_compiled
            return result
        if isinstance(callee, Gradient):
            return self.gradient_called(callee, arguments, site, frame)
        if isinstance(callee, GradientMaker):
            function = arguments.at(0, "fn")
            positions = None if callee.of_weights else (0,)
            return Gradient(function or Data(), "mindspore.ops.GradOperation", positions, site, frame)
        if isinstance(callee, Builtin):
            return self.builtin(callee.name, arguments, site, frame)
        if isinstance(callee, Constant):
            return Constant(UNREAD)
        # Something that was not followed: it may do anything to its arguments.
        return Data((callee, *arguments.all()), "", site, frame)

    # -- the project's own

    def _call_function(self, function: FunctionOf, arguments: Arguments, site: Site, frame: Frame) -> Value:
        waiting = Waiting(function, arguments, site, frame)
        waiting.conditions |= function.conditions
        receiver = function.receiver
        is_setting_up = isinstance(receiver, Instance) and receiver.is_being_made
        if self.is_watched(function) or is_setting_up:
            self.force(waiting)
        return waiting

    def force(self, waiting: Waiting) -> Value:
        """The result of a call that waits."""
        if waiting.result is None:
            if waiting.is_active or not self.step() or _depth(waiting.frame) > _DEEPEST_CALLS:
                return Data((*waiting.arguments.all(),))
            waiting.is_active = True
            waiting.result = self._run_function(waiting)
            waiting.is_active = False
        return self.settled(waiting.result)

    def _run_function(self, waiting: Waiting) -> Value:
        function = waiting.callee
        name = function.name
        if function.owner is not None and name in _CALLED:
            name = function.owner.name
        frame = Frame(function.path, function.shift, name, function.frame, waiting.site, waiting.frame)
        frame.conditions = waiting.conditions
        frame.is_compiled = waiting.is_compiled or self.is_compiled(function)
        frame.is_watched = self.is_watched(function)
        frame.owner = function.owner
        frame.receiver = function.receiver
        self._bind(function, waiting.arguments, frame)
        node = function.node
        if isinstance(node, ast.Lambda):
            return self.evaluate(node.body, frame)
        self.run([(statement, function.shift) for statement in node.body], frame)
        if frame.is_watched:
            self.run_nested(frame)
        if frame.yielded:
            return Items([chosen(frame.yielded)])
        return chosen(frame.returned) if frame.returned else Constant(None)

    def run_nested(self, frame: Frame) -> None:
        """Run the functions defined in a frame that lead to a call that differentiates and were only handed on."""
        for function in frame.nested:
            if self.is_watched(function) and not self.was_run(function):
                site = Site(function.path, function.node, function.shift)
                self.force(Waiting(function, Arguments.unseen(), site, frame))

    @abstractmethod
    def was_run(self, function: FunctionOf) -> bool:
        """Whether a watched function was run."""

    def is_compiled(self, function: FunctionOf) -> bool:
        """Whether a decorator has the function run as a graph."""
        if isinstance(function.node, ast.Lambda):
            return False
        for decorator in function.node.decorator_list:
            node = decorator.func if isinstance(decorator, ast.Call) else decorator
            text = ast.unparse(node)
            if text.rpartition(".")[2] not in ("jit", "ms_function"):
                continue
            value = self.settled(self.evaluate(node, function.frame))
            if isinstance(value, Dotted) and value.name in _COMPILED:
                return True
        return False

    def _bind(self, function: FunctionOf, arguments: Arguments, frame: Frame) -> None:
        """Give the parameters what the call passes, else their defaults, else data from outside."""
        parameters = function.node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        passed = list(arguments.positional)
        if function.receiver is not None and positional:
            frame.names[positional.pop(0).arg] = function.receiver
        defaults = [None] * (len(positional) - len(parameters.defaults)) + list(parameters.defaults)
        defaults = defaults[len(defaults) - len(positional) :]
        keywords = dict(arguments.keywords)
        for parameter, default in zip(positional, defaults, strict=True):
            name = parameter.arg
            if passed:
                frame.names[name] = passed.pop(0)
            elif name in keywords:
                frame.names[name] = keywords.pop(name)
            else:
                frame.names[name] = self._unpassed(function, parameter, default, arguments)
        for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            name = parameter.arg
            if name in keywords:
                frame.names[name] = keywords.pop(name)
            else:
                frame.names[name] = self._unpassed(function, parameter, default, arguments)
        if parameters.vararg is not None:
            frame.names[parameters.vararg.arg] = (
                Items(passed) if passed or not arguments.rest else Data(tuple(arguments.rest))
            )
        if parameters.kwarg is not None:
            keys: list[Value] = [Constant(name) for name in keywords]
            frame.names[parameters.kwarg.arg] = Items(list(keywords.values()), keys)

    def _unpassed(
        self, function: FunctionOf, parameter: ast.arg, default: ast.expr | None, arguments: Arguments
    ) -> Value:
        """A parameter that the call is not seen to pass."""
        if arguments.rest:
            return Data(tuple(arguments.rest))
        declared = self._declared(function, parameter)
        if declared is not None:
            return declared
        if default is not None:
            value = self.settled(self.evaluate(default, function.frame))
            if arguments.is_seen or not (isinstance(value, Constant) and value.value is None):
                return value
        return Data()

    def _declared(self, function: FunctionOf, parameter: ast.arg) -> Value | None:
        """What the annotation says, where it names a class of the project."""
        annotation = parameter.annotation
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.Name(annotation.value, ast.Load()) if annotation.value.isidentifier() else None
        if not isinstance(annotation, (ast.Name, ast.Attribute)):
            return None
        value = self.settled(self.evaluate(annotation, function.frame))
        if not isinstance(value, ClassOf):
            return None
        made = Instance(value, None, None, None)
        made.conditions |= {DOUBT}
        return made

    def _make_instance(self, class_of: ClassOf, arguments: Arguments, site: Site, frame: Frame) -> Value:
        made = Instance(class_of, arguments, site, frame)
        self.made.setdefault(id(class_of.node), []).append(made)
        return made

    def make(self, instance: Instance) -> None:
        """Follow `__init__`, so that the attributes are there."""
        if instance.is_made or not self.step():
            return
        instance.is_made = instance.is_being_made = True
        class_of = instance.class_of
        arguments = instance.arguments if instance.arguments is not None else Arguments.unseen()
        site = instance.site or Site(class_of.path, class_of.node, class_of.shift)
        for one in self.lineage(class_of):
            initialiser = one.methods.get("__init__")
            if initialiser is not None:
                frame = instance.frame or Frame(class_of.path, class_of.shift, "", None, None, None)
                waiting = Waiting(initialiser.bound(instance), arguments, site, frame)
                waiting.conditions = instance.conditions  # of then, not of now
                self.force(waiting)
                break
        else:
            self._inherit(instance, arguments, site)
        instance.is_being_made = False

    def _inherit(self, instance: Instance, arguments: Arguments, site: Site) -> None:
        """Make what an instance is by the framework's class that it derives from."""
        base = self.framework_base(instance.class_of)
        if base and instance.inherited is None:
            class_of = instance.class_of
            frame = instance.frame or Frame(class_of.path, class_of.shift, "", None, None, None)
            layer = self._layer(base, arguments, site, frame)
            layer.conditions = instance.conditions
            instance.inherited = layer

    def _call_instance(self, instance: Instance, arguments: Arguments, site: Site, frame: Frame) -> Value:
        for name in _CALLED:
            method = self.class_attribute(instance.class_of, name)
            if isinstance(method, FunctionOf):
                return self._call_function(method.bound(instance), arguments, site, frame)
        self.make(instance)
        if instance.inherited is None:
            self._inherit(instance, Arguments(), site)
        if instance.inherited is not None and self.is_layer_class(instance.inherited.api):
            return self._apply(instance.inherited, arguments, site, frame)
        return Data((instance, *arguments.all()), "", site, frame)

    # -- the frameworks'

    def _layer(self, name: str, arguments: Arguments, site: Site, frame: Frame) -> Layer:
        made = Layer(name, arguments, site, frame)
        if name in _CONTAINERS:
            values: list[Value] = []
            for value in arguments.positional:
                held = self.settled(value)
                values += held.values if isinstance(held, Items) else [held]
            keys = None
            first = self.settled(arguments.positional[0]) if len(arguments.positional) == 1 else None
            if isinstance(first, Items):
                keys = first.keys
                if keys is None and values and all(_is_pair(value) for value in values):
                    keys = [value.values[0] for value in values if isinstance(value, Items)]
                    values = [value.values[1] for value in values if isinstance(value, Items)]
            if not arguments.rest:
                made.items = Items(values, list(keys) if keys is not None else None)
        return made

    def _apply(self, layer: Layer, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """A layer is called."""
        if layer.api in _SEQUENCES and layer.items is not None:
            result: Value = arguments.at(0, "input", "x") or Data()
            for item in layer.items.values[:_MOST_ITEMS]:
                result = self.call(item, Arguments([result]), site, frame)
            return result
        if layer.api in _IDENTITIES:
            return arguments.at(0, "input", "x") or Data()
        if layer.api.endswith(("WithLossCell", ".TrainOneStepCell")):
            network = arguments_of(layer, 0, "backbone", "network")
            return self.call(network, arguments, site, frame) if network is not None else Data()
        result = Data(arguments.all(), layer.api, site, frame)
        result.layer = layer
        result.conditions |= layer.conditions
        return result

    def _call_dotted(self, name: str, arguments: Arguments, site: Site, frame: Frame) -> Value:
        differentiated = self.differentiate(name, arguments, site, frame)
        if differentiated is not None:
            return differentiated
        first = arguments.at(0, "module", "model", "data", "fn", "func", "input")
        if name in _SAME_AS_FIRST:
            return first if first is not None else Partial(Dotted(name), arguments)
        if name in _COMPILED:
            return self._compiled(first, arguments)
        if name in _CUT_FUNCTIONS or name.endswith("_like"):
            return _cut()
        if name in ("functools.partial", "torch.utils.checkpoint.checkpoint") and first is not None:
            rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.rest)
            return (
                Partial(first, rest) if name == "functools.partial" else self.call(first, rest, site, frame)
            )
        if (
            name in ("torch.func.functional_call", "torch.nn.utils.stateless.functional_call")
            and first is not None
        ):
            return self._call_with_weights(first, arguments, site, frame)
        if name == "collections.OrderedDict" or name == "collections.defaultdict":
            return self.builtin("dict", arguments, site, frame)
        if self.is_layer_class(name):
            return self._layer(name, arguments, site, frame)
        if name.partition(".")[0] not in FRAMEWORKS and name.startswith(
            ("numpy.", "math.", "random.", "os.")
        ):
            return Constant(UNREAD)
        return Data(arguments.all(), name, site, frame)

    def _compiled(self, first: Value | None, arguments: Arguments) -> Value:
        """`ms.jit(f)`."""
        if first is None:
            return Partial(Dotted("mindspore.jit"), arguments)
        value = self.settled(first)
        if isinstance(value, Gradient):
            made = Gradient(value.function, value.name, value.positions, value.site, value.frame)
            made.keeps_value = value.keeps_value
            made.is_compiled = value.is_called = True
            return made
        return Compiled(value)

    def _call_with_weights(self, module: Value, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """`functional_call(module, weights, arguments)`: the result hangs on the weights that are passed as well."""
        weights = arguments.at(1, "parameter_and_buffer_dicts")
        passed = arguments.at(2, "args")
        settled = self.settled(passed) if passed is not None else None
        inner = Arguments(
            list(settled.values) if isinstance(settled, Items) else [passed] if passed is not None else []
        )
        result = self.call(module, inner, site, frame)
        return Data((result, weights), "", None, frame) if weights is not None else result

    # -- members

    def _call_member(self, member: Member, arguments: Arguments, site: Site, frame: Frame) -> Value:
        receiver, name = member.receiver, member.name
        if isinstance(receiver, Parent):
            return self._call_parent(receiver, name, arguments, site, frame)
        if isinstance(receiver, Items):
            return self._call_items(receiver, name, arguments, site, frame)
        if isinstance(receiver, (Layer, Instance)):
            found = self._call_module_member(receiver, name, arguments, site, frame)
            if found is not None:
                return found
        if name == "backward":
            self.backward(receiver, arguments, site, frame)
            return Constant(None)
        if name in _SELF_OF_TENSOR:
            return receiver
        if name in _CUT_MEMBERS:
            return _cut()
        if name in PLAIN_MEMBERS:
            return Constant(UNREAD)
        if (
            name in ("prepare", "setup", "prepare_model")
            and arguments.positional
            and isinstance(receiver, Data)
        ):
            # Of accelerators: what is given comes back.
            values = arguments.positional
            return values[0] if len(values) == 1 else Items(list(values))
        if isinstance(receiver, (Weights, Partial, Gradient, GradientMaker)):
            return Data((receiver, *arguments.all()))
        return Data((receiver, *arguments.all()), f".{name}", site, frame)

    def _call_module_member(
        self, receiver: Layer | Instance, name: str, arguments: Arguments, site: Site, frame: Frame
    ) -> Value | None:
        if name in _SELF_OF_MODULE:
            return receiver
        if name in _CALLED:
            return self.call(receiver, arguments, site, frame)
        listed = self.weights_of(receiver, name)
        if listed is not None:
            return listed
        if name in _ADDS:
            self._add(receiver, name, arguments)
            return receiver
        holder = receiver if isinstance(receiver, Layer) else receiver.inherited
        if holder is not None and holder.items is not None:
            if name in ("items", "values", "keys"):
                return self._call_items(holder.items, name, arguments, site, frame)
            if name == "register_parameter":
                return Constant(None)
        return Constant(UNREAD) if name in torch_model.members(torch_model.MODULE_CLASS) else None

    def _add(self, receiver: Layer | Instance, name: str, arguments: Arguments) -> None:
        """`layers.append(layer)`, `self.add_module("name", layer)`."""
        if isinstance(receiver, Instance):
            literal = arguments.at(0, "name")
            value = arguments.at(1, "module", "child_cell")
            if isinstance(literal, Constant) and isinstance(literal.value, str) and value is not None:
                receiver.attributes[literal.value] = value
            self.make(receiver)
            if receiver.inherited is None:
                return
            receiver = receiver.inherited
        if receiver.items is None:
            if receiver.arguments.rest or receiver.api not in _CONTAINERS:
                return
            receiver.items = Items([])
        _add_to(receiver.items, name, arguments, self)

    def _call_parent(
        self, parent: Parent, name: str, arguments: Arguments, site: Site, frame: Frame
    ) -> Value:
        """A method of the framework's class, called by `super()`."""
        instance = parent.instance
        if name == "__init__" and isinstance(instance, Instance):
            self._inherit(instance, arguments, site)
            return Constant(None)
        if isinstance(instance, Instance) and instance.inherited is not None:
            if name in _CALLED:
                return self._apply(instance.inherited, arguments, site, frame)
            found = self._call_module_member(instance.inherited, name, arguments, site, frame)
            if found is not None:
                return found
        return Data((instance, *arguments.all()), "", site, frame)

    def _call_items(self, items: Items, name: str, arguments: Arguments, site: Site, frame: Frame) -> Value:
        if name in _ADDS:
            _add_to(items, name, arguments, self)
            return Constant(None)
        if name == "items" and items.keys is not None:
            return Items([Items([key, value]) for key, value in zip(items.keys, items.values, strict=False)])
        if name == "values" or name == "copy":
            return Items(list(items.values), items.keys if name == "copy" else None)
        if name == "keys" and items.keys is not None:
            return Items(list(items.keys))
        if name in ("get", "pop", "setdefault"):
            key = arguments.at(0, "key")
            return self.item(items, key.value if isinstance(key, Constant) else UNREAD, site, frame)
        if name == "update" and arguments.positional:
            other = self.settled(arguments.positional[0])
            if isinstance(other, Items) and other.keys is not None:
                items.keys = [*(items.keys or []), *other.keys]
                items.values += other.values
            return Constant(None)
        return Constant(UNREAD)


def arguments_of(layer: Layer, position: int, *names: str) -> Value | None:
    """What a layer was made with."""
    return layer.arguments.at(position, *names)


def _add_to(items: Items, name: str, arguments: Arguments, lookup: Lookup) -> None:
    if len(items.values) > _MOST_ITEMS:
        return
    value = arguments.positional[-1] if arguments.positional else None
    if value is None:
        return
    if name == "extend":
        held = lookup.settled(value)
        items.values += held.values if isinstance(held, Items) else [held]
        return
    if items.keys is not None:
        items.keys.append(arguments.positional[0] if len(arguments.positional) > 1 else Constant(UNREAD))
    place = (
        lookup.settled(arguments.positional[0])
        if name == "insert" and len(arguments.positional) > 1
        else None
    )
    if isinstance(place, Constant) and isinstance(place.value, int):
        items.values.insert(place.value, value)
    else:
        items.values.append(value)


def _cut() -> Data:
    cut = Data()
    cut.is_cut = True
    return cut


def _depth(frame: Frame | None) -> int:
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.caller
    return depth


def _is_pair(value: Value) -> bool:
    return isinstance(value, Items) and len(value.values) == 2 and isinstance(value.values[0], Constant)
