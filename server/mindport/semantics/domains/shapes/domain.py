"""What the machine asks about tensors, and about numbers that come from them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from mindport.semantics.domains.shapes.arguments import Passed, TorchNames
from mindport.semantics.domains.shapes.functions import Functions
from mindport.semantics.domains.shapes.operators import KNOWN_BY_NAME
from mindport.semantics.domains.shapes.python_calls import PythonCalls
from mindport.semantics.domains.shapes.subscripts import Subscripts
from mindport.semantics.domains.shapes.torch_calls import elementwise
from mindport.semantics.domains.shapes.values import (
    OF_A_TENSOR,
    OTHER,
    TENSOR,
    Known,
    ValueKind,
    element,
    group_of,
    joined,
    known,
    listed,
    nothing_of,
    number_from,
    varying,
)
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.iteration import any_item
from mindport.semantics.flow.objects import Sequence as Items
from mindport.semantics.flow.operators import COMPARISONS
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Member, Ref, is_plain, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine
    from mindport.semantics.flow.operators import Operator

_SHAPE_KEEPING = frozenset(("data", "grad", "real", "imag", "values", "indices"))
_TURNED = frozenset(("T", "mT", "H"))
_COMPARISONS = frozenset(one.sign for one in COMPARISONS.values())
_TORCH = ("torch.", "mindspore.")
_METHOD = "torch.Tensor."
_BUILTINS = frozenset(dir(builtins))
# Modules under the names that everybody gives them.
_MODULES = {"math": "math", "random": "random", "np": "numpy", "numpy": "numpy"}


class Shapes(PythonCalls, Subscripts, Functions):
    """Tensors, their shapes and what comes from them."""

    longest = 2

    def __init__(self, names: TorchNames) -> None:
        super().__init__()
        self.names = names
        self._origins = 0

    # -- names and attributes

    def name(self, frame: Frame, name: str) -> Any:
        found = self.names.modules.get(name) or _MODULES.get(name)
        if found is None and name in _BUILTINS:
            found = self.names.imported().get(name)
        return NotImplemented if found is None else Dotted(found)

    def settled(self, m: Machine, frame: Frame, node: ast.expr, value: Any) -> Any:
        """What the uses of torch tell, which types were followed for."""
        api = self.names.api_of(node)
        if not api:
            return (
                value if value is not UNKNOWN or not isinstance(node, ast.Call) else _by_its_name(node, value)
            )
        is_tensors = api.startswith(_METHOD)
        if known(value).what is not ValueKind.OTHER and not isinstance(node, ast.Compare):
            return value
        if isinstance(node, ast.Name):
            return value if is_tensors else Dotted(api)
        if isinstance(node, ast.Attribute):
            return self.part(TENSOR, api.removeprefix(_METHOD)) if is_tensors else Dotted(api)
        if not is_tensors or known(value).is_tensor:
            return value
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare):
            what = ValueKind.MASK if isinstance(node, ast.Compare) else ValueKind.TENSOR
            return Known(what, origin=known(value).origin)
        return value

    def part(self, owner: Any, name: str) -> Any:
        if not isinstance(owner, Known):
            return owner
        if owner.is_tensor:
            if name == "shape":
                return Known(ValueKind.SHAPE, owner.cause, owner.axes)
            if name in _SHAPE_KEEPING:
                return owner
            return Known(owner.what, owner.cause) if name in _TURNED else Member(owner, name)
        if owner.items and name in ("values", "indices"):
            return owner.items[name == "indices"]
        return Member(owner, name) if owner.what in (ValueKind.SHAPE, ValueKind.GROUP) else nothing_of(owner)

    def member(self, m: Machine, owner: Ref, name: str) -> Any:
        return UNKNOWN

    def bound(self, value: Any) -> Any:
        """The value with an origin, if it may be a tensor and has none."""
        found = (
            value
            if isinstance(value, Known)
            else Known(is_outside=value.is_outside, is_object=value.is_object)
        )
        if found.origin or not (found.is_tensor or found.what is ValueKind.OTHER):
            return value
        return msgspec.structs.replace(found, origin=self.new_origin())

    def new_origin(self) -> int:
        """A number that nothing else has."""
        self._origins += 1
        return self._origins

    def either(self, one: Any, two: Any, here: Heap, there: Heap) -> Any:
        return joined(listed(here, one), listed(there, two))

    # -- calls

    def call(self, m: Machine, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        given = Passed(m, passed, node, is_method=False)
        answer = self.of_torch(name, given)
        if answer is NotImplemented:
            answer = self.of_python(m, name, given)
        # What else torch does with a list it may put other tensors in.
        return OTHER if answer is NotImplemented and name.startswith(_TORCH) else answer

    def call_part(self, m: Machine, owner: Any, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        given = Passed(m, passed.before(owner), node, is_method=True)
        if known(owner).is_tensor:
            return self.of_torch(_METHOD + name, given)
        if known(owner).what is ValueKind.SHAPE and name == "numel":
            return Known(ValueKind.NUMBER, known(owner).cause)
        return super().call_part(m, owner, name, passed, node)

    # -- operators

    def binary(self, m: Machine, sign: Operator, left: Any, right: Any) -> Any:
        if not isinstance(left, Known) and not isinstance(right, Known):
            return NotImplemented
        values = [known(left), known(right)]
        compares = sign.sign in _COMPARISONS
        if any(value.is_tensor for value in values):
            is_mask = compares or (
                sign.sign in "&|^" and any(value.what is ValueKind.MASK for value in values)
            )
            return elementwise(ValueKind.MASK if is_mask else ValueKind.TENSOR, values)
        for group, times in ((left, values[1]), (right, values[0])):
            if isinstance(group, Ref | tuple) and times.what is ValueKind.NUMBER and sign.sign == "*":
                return m.new(Items(None, each=any_item(m, group)))
        cause = next((value.cause for value in values if value.is_data), "")
        is_told = all(is_unknown(value) or is_plain(value) for value in (left, right))
        if compares or (is_told and {value.what for value in values} <= {ValueKind.NUMBER, ValueKind.OTHER}):
            origin = elementwise(ValueKind.TENSOR, values).origin
            is_number = compares or any(value.what is ValueKind.NUMBER for value in values)
            return Known(ValueKind.NUMBER if is_number else ValueKind.OTHER, cause, origin=origin)
        return NotImplemented

    def unary(self, m: Machine, method: str, value: Any) -> Any:
        return value if isinstance(value, Known) else NotImplemented

    def decided(self, operands: Sequence[Any], value: Any) -> Any:
        for operand in map(known, operands):
            if operand.is_data:
                return number_from(operand.cause or OF_A_TENSOR)
        return value

    def negated(self, value: Any) -> Any:
        found = known(value)
        return number_from(found.cause or OF_A_TENSOR) if found.is_data else UNKNOWN

    def chosen(self, test: Any, value: Any) -> Any:
        """A number that a tensor's value chose comes from it."""
        asked, found = known(test), known(value)
        return number_from(asked.cause or OF_A_TENSOR) if _is_bare(found) and asked.is_data else value

    # -- groups

    def group(self, item: Any) -> Any:
        return group_of(item)

    def item(self, m: Machine, value: Any) -> Any:
        if isinstance(value, Known):
            return element(value)
        return self.yielded.get(value, UNKNOWN) if isinstance(value, Ref) else super().item(m, value)

    def parts(self, m: Machine, value: Any, count: int) -> list[Any]:
        found = known(value)
        if len(found.items) == count:
            return list(found.items)
        if found.what is not ValueKind.SHAPE:
            return super().parts(m, value, count)
        varies = [found.axes is None or place in found.axes for place in range(count)]
        return [Known(ValueKind.NUMBER, found.cause if one else "") for one in varies]

    def swallows(self, m: Machine, manager: Any) -> bool | None:
        """Hardly any manager does, and what is raised inside goes by itself."""
        return False


def _is_bare(value: Known) -> bool:
    return value.what is ValueKind.NUMBER and not value.cause


def _by_its_name(node: ast.Call, value: Any) -> Any:
    """Functions of a project under such names find indices in the way of torchvision's."""
    name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
    return varying(f"how much `{name}` gives") if name in KNOWN_BY_NAME else value
