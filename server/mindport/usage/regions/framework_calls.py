"""What calls of the frameworks give, for following a gradient: layers are made and applied, members are called."""

from __future__ import annotations

from abc import abstractmethod

from mindport.usage import torch_model
from mindport.usage.regions.classes import FRAMEWORKS
from mindport.usage.regions.lookup import PLAIN_MEMBERS, Lookup
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    Compiled,
    Constant,
    Data,
    Gradient,
    GradientMaker,
    Items,
    Layer,
    OutsideName,
    OwnInstance,
    Parent,
    PartialCall,
    PassedValues,
    TreePlace,
    UncalledMember,
    Value,
    Weights,
)

_MOST_ITEMS = 64
CALLED = ("forward", "construct", "__call__")
# What gives back its first argument, as far as a gradient is concerned.
_SAME_AS_FIRST = frozenset(
    {"torch.compile", "torch.jit.script", "torch.jit.trace", "torch.nn.utils.spectral_norm",
     "torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.spectral_norm",
     "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.parametrizations.orthogonal",
     "torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.DataParallel",
     "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.autograd.Variable", "copy.deepcopy", "copy.copy",
     "torch.vmap", "torch.func.vmap", "mindspore.vmap", "mindspore.ops.vmap", "typing.cast"}
)  # fmt: skip
COMPILED = frozenset({"mindspore.jit", "mindspore.ms_function"})
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


class FrameworkCalls(Lookup):
    """Calls of everything that is not the project's own, but for the functions that differentiate."""

    @abstractmethod
    def differentiate(
        self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value | None:
        """The result of a call of a framework's function that differentiates; None for any other function."""

    @abstractmethod
    def backward(self, receiver: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> None:
        """`loss.backward(...)`."""

    @abstractmethod
    def builtin(self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """The result of a call of one of Python's own functions."""

    @abstractmethod
    def inherit(self, instance: OwnInstance, arguments: PassedValues, site: TreePlace) -> None:
        """Make what an instance is by the framework's class that it derives from."""

    def _layer(self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Layer:
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

    def _apply(self, layer: Layer, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """A layer is called."""
        if layer.api in _SEQUENCES and layer.items is not None:
            result: Value = arguments.at(0, "input", "x") or Data()
            for item in layer.items.values[:_MOST_ITEMS]:
                result = self.call(item, PassedValues([result]), site, frame)
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

    def _call_dotted(self, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        differentiated = self.differentiate(name, arguments, site, frame)
        if differentiated is not None:
            return differentiated
        first = arguments.at(0, "module", "model", "data", "fn", "func", "input")
        if name in _SAME_AS_FIRST:
            return first if first is not None else PartialCall(OutsideName(name), arguments)
        if name in COMPILED:
            return self._compiled(first, arguments)
        if name in _CUT_FUNCTIONS or name.endswith("_like"):
            return _cut()
        if name in ("functools.partial", "torch.utils.checkpoint.checkpoint") and first is not None:
            rest = PassedValues(arguments.positional[1:], arguments.keywords, arguments.rest)
            return (
                PartialCall(first, rest)
                if name == "functools.partial"
                else self.call(first, rest, site, frame)
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

    def _compiled(self, first: Value | None, arguments: PassedValues) -> Value:
        """`ms.jit(f)`."""
        if first is None:
            return PartialCall(OutsideName("mindspore.jit"), arguments)
        value = self.settled(first)
        if isinstance(value, Gradient):
            made = Gradient(value.function, value.name, value.positions, value.site, value.frame)
            made.keeps_value = value.keeps_value
            made.is_compiled = value.is_called = True
            return made
        return Compiled(value)

    def _call_with_weights(
        self, module: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        """`functional_call(module, weights, arguments)`: the result hangs on the weights that are passed as well."""
        weights = arguments.at(1, "parameter_and_buffer_dicts")
        passed = arguments.at(2, "args")
        settled = self.settled(passed) if passed is not None else None
        inner = PassedValues(
            list(settled.values) if isinstance(settled, Items) else [passed] if passed is not None else []
        )
        result = self.call(module, inner, site, frame)
        return Data((result, weights), "", None, frame) if weights is not None else result

    def _call_member(
        self, member: UncalledMember, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        receiver, name = member.receiver, member.name
        if isinstance(receiver, Parent):
            return self._call_parent(receiver, name, arguments, site, frame)
        if isinstance(receiver, Items):
            return self._call_items(receiver, name, arguments, site, frame)
        if isinstance(receiver, (Layer, OwnInstance)):
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
        if isinstance(receiver, (Weights, PartialCall, Gradient, GradientMaker)):
            return Data((receiver, *arguments.all()))
        return Data((receiver, *arguments.all()), f".{name}", site, frame)

    def _call_module_member(
        self,
        receiver: Layer | OwnInstance,
        name: str,
        arguments: PassedValues,
        site: TreePlace,
        frame: BodyRun,
    ) -> Value | None:
        if name in _SELF_OF_MODULE:
            return receiver
        if name in CALLED:
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

    def _add(self, receiver: Layer | OwnInstance, name: str, arguments: PassedValues) -> None:
        """`layers.append(layer)`, `self.add_module("name", layer)`."""
        if isinstance(receiver, OwnInstance):
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
        self, parent: Parent, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        """A method of the framework's class, called by `super()`."""
        instance = parent.instance
        if name == "__init__" and isinstance(instance, OwnInstance):
            self.inherit(instance, arguments, site)
            return Constant(None)
        if isinstance(instance, OwnInstance) and instance.inherited is not None:
            if name in CALLED:
                return self._apply(instance.inherited, arguments, site, frame)
            found = self._call_module_member(instance.inherited, name, arguments, site, frame)
            if found is not None:
                return found
        return Data((instance, *arguments.all()), "", site, frame)

    def _call_items(
        self, items: Items, name: str, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
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


def _add_to(items: Items, name: str, arguments: PassedValues, lookup: Lookup) -> None:
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


def _is_pair(value: Value) -> bool:
    return isinstance(value, Items) and len(value.values) == 2 and isinstance(value.values[0], Constant)
