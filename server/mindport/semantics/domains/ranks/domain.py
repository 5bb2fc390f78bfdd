"""How many axes tensors have on the way through a network, as far as its own code shows it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.objects import Sequence
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Member, Ref, Unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine
    from mindport.semantics.flow.operators import Operator


class Tensor(Unknown, frozen=True, eq=True, kw_only=True):
    """A tensor with so many axes."""

    axes: int


Layers: TypeAlias = tuple[tuple[ast.Call, str], ...]
"""Layers that a tensor goes through, one after the other: the call that makes each, and the name of its class."""

OF_TENSOR = "torch.Tensor."
# How what an object holds is called here: `self.fc1` is a name outside the project.
_HELD = "held "
_KEEPS = frozenset(
    {
        *("AlphaDropout", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "CELU", "Conv1d", "Conv2d", "Conv3d"),
        *("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "Dropout", "Dropout1d", "Dropout2d"),
        *("Dropout3d", "ELU", "GELU", "GroupNorm", "Hardtanh", "Hardswish", "Identity", "InstanceNorm1d"),
        *("InstanceNorm2d", "LayerNorm", "LeakyReLU", "Linear", "LogSoftmax", "MaxPool1d", "MaxPool2d"),
        *("AvgPool1d", "AvgPool2d", "AdaptiveAvgPool2d", "Mish", "PReLU", "ReLU", "ReLU6", "SELU", "SiLU"),
        *("Sigmoid", "Softmax", "Softplus", "Tanh", "Upsample"),
        *("abs", "celu", "clamp", "clone", "contiguous", "cos", "cuda", "detach", "dropout", "elu", "exp"),
        *("float", "gelu", "layer_norm", "leaky_relu", "log", "log_softmax", "max_pool1d", "max_pool2d"),
        *("mish", "normalize", "relu", "relu6", "relu_", "selu", "sigmoid", "silu", "sin", "softmax"),
        *("softplus", "sqrt", "square", "tanh", "to", "type_as", "transpose"),
    }
)
_BY_SIZES = frozenset({"view", "reshape"})
_REDUCES = frozenset({"mean", "sum", "amax", "amin", "prod"})
_RECURRENT = frozenset({"LSTM", "GRU", "RNN"})


class Ranks(Domain):
    """Tensors by their axes. `held` are the names under which the object has layers; `api_of` tells the name behind a
    node; `note` is told each time a layer gets a tensor, with how many axes that has, None where it is not known."""

    longest = 2

    def __init__(
        self,
        held: Mapping[str, Layers],
        api_of: Callable[[ast.expr], str],
        note: Callable[[ast.Call, int | None], None],
    ) -> None:
        super().__init__()
        self._held = held
        self._api_of = api_of
        self._note = note

    def settled(self, m: Machine, frame: Frame, node: ast.expr, value: Any) -> Any:
        api = self._api_of(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        if not api or isinstance(value, Tensor | Member):
            return value
        if not api.startswith(OF_TENSOR):
            return Dotted(api)
        return Member(UNKNOWN, api.removeprefix(OF_TENSOR)) if isinstance(node, ast.Attribute) else value

    def either(self, one: Any, two: Any, here: Heap, there: Heap) -> Any:
        return one if one == two and isinstance(one, Tensor) else super().either(one, two, here, there)

    def part(self, owner: Any, name: str) -> Any:
        return Member(owner, name) if isinstance(owner, Tensor) else owner

    def member(self, m: Machine, owner: Ref, name: str) -> Any:
        return Dotted(_HELD + name) if name in self._held else UNKNOWN

    def call(self, m: Machine, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        given = passed.positional
        if name.startswith(_HELD):
            return self._through(self._held[name.removeprefix(_HELD)], given[0] if given else UNKNOWN)
        if not name.startswith("torch.") or not given:
            return NotImplemented
        return self._of_operator(m, name.rpartition(".")[2], given[0], given[1:], passed)

    def call_part(self, m: Machine, owner: Any, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        return self._of_operator(m, name, owner, passed.positional, passed)

    def _through(self, layers: Layers, value: Any) -> Any:
        """What layers give, one after the other."""
        for made, kind in layers:
            axes = _axes(value)
            self._note(made, axes)
            value = _of_layer(kind, axes)
        return value

    def _of_operator(
        self, m: Machine, name: str, owner: Any, rest: tuple[Any, ...], passed: Arguments
    ) -> Any:
        axes = _axes(owner)
        if name in _BY_SIZES and not passed.is_open:
            return _tensor(_count(m, rest))
        if name in ("flatten", "view_as", "reshape_as"):
            start = (*rest, *passed.keywords.values())
            is_of_rows = name == "flatten" and start == (1,) and "end_dim" not in passed.keywords
            return _tensor(_axes(rest[0]) if rest and name != "flatten" else 2 if is_of_rows else None)
        if axes is None:
            return UNKNOWN
        if name in _KEEPS:
            return _tensor(axes)
        if name == "permute" and not passed.is_open:
            return _tensor(_count(m, rest))
        if name == "unsqueeze":
            return _tensor(axes + 1)
        if name in ("squeeze", "select") and rest:
            return UNKNOWN if name == "squeeze" else _tensor(axes - 1)
        if name in _REDUCES and len(rest) == 1 and isinstance(rest[0], int) and not passed.keywords:
            return _tensor(axes - 1)
        return UNKNOWN

    def binary(self, m: Machine, sign: Operator, left: Any, right: Any) -> Any:
        """Of two tensors the one with more axes says; of a number, the tensor does."""
        found = [_axes(one) for one in (left, right) if not isinstance(one, int | float)]
        if None in found or not found:
            return NotImplemented
        return _tensor(max(one for one in found if one is not None))

    def subscript(self, m: Machine, owner: Any, key: Any, node: ast.Subscript | None) -> Any:
        axes = _axes(owner)
        if axes is None:
            return super().subscript(m, owner, key, node)
        for one in key if isinstance(key, tuple) else (key,):
            if one is None:
                axes += 1
            elif isinstance(one, int) and not isinstance(one, bool):
                axes -= 1
            elif not isinstance(one, slice):
                return UNKNOWN
        return _tensor(axes)


def _axes(value: Any) -> int | None:
    return value.axes if isinstance(value, Tensor) else None


def _tensor(axes: int | None) -> Any:
    return UNKNOWN if axes is None else Tensor(axes=axes, is_outside=True)


def _of_layer(layer: str, axes: int | None) -> Any:
    if layer in _RECURRENT:
        return UNKNOWN if axes is None else (_tensor(axes), UNKNOWN)
    if layer == "Flatten":
        return _tensor(2)
    return _tensor(axes) if layer in _KEEPS else UNKNOWN


def _count(m: Machine, sizes: tuple[Any, ...]) -> int | None:
    """How many sizes are given, one by one or as a sequence; None where that is not told."""
    if len(sizes) != 1:
        return len(sizes) or None
    found = list(_items(m, sizes[0]))
    return found[0] if found else None


def _items(m: Machine, value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield 1
    elif isinstance(value, tuple):
        yield len(value)
    elif isinstance(value, Ref):
        thing = m.heap.read(value)
        if isinstance(thing, Sequence) and thing.items is not None:
            yield len(thing.items)
