"""What a domain says of its own values. Whatever it leaves as it is here is not known."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import libraries
from mindport.semantics.flow.budget import LONGEST
from mindport.semantics.flow.frame import AttributeWrite, Frame, Path
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.iteration import any_item
from mindport.semantics.flow.objects import Function
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Arguments, Dotted, Ref, either, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine
    from mindport.semantics.flow.operators import Operator


class Domain:
    """Python alone. NotImplemented hands a question back to the machine."""

    longest = LONGEST  # items that loops go through one by one

    def named(self, dotted: str) -> Any:
        """The value of a name outside the project."""
        found = libraries.value(dotted)
        return Dotted(dotted) if found is NotImplemented else found

    def name(self, frame: Frame, name: str) -> Any:
        """The value of a name that no namespace of the project has, before Python's own are asked."""
        return NotImplemented

    def knows(self, dotted: str) -> bool:
        """Whether there is a name outside; `from a import *` offers it."""
        return False

    def is_missing(self, dotted: str) -> bool:
        """Whether there surely is no such name outside."""
        return False

    def settled(self, m: Machine, frame: Frame, node: ast.expr, value: Any) -> Any:
        """What an expression is worth of which running tells no more than this."""
        return value

    def either(self, one: Any, two: Any, here: Heap, there: Heap) -> Any:
        """What is known of a value that is one of two different ones, each with the heap that it comes from."""
        return either(one, two)

    def bound(self, value: Any) -> Any:
        """What a name holds that gets a value that is not known as a whole."""
        return value

    def part(self, owner: Any, name: str) -> Any:
        """An attribute of a value that is not known as a whole."""
        return owner

    def call_part(self, m: Machine, owner: Any, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        """What a method gives that `part` gave."""
        m.lose(passed.values())
        return UNKNOWN

    def group(self, item: Any) -> Any:
        """A tuple of unknown length, with what is known of any item."""
        return UNKNOWN

    def parts(self, m: Machine, value: Any, count: int) -> list[Any]:
        """What so many targets get of a value whose items are not told."""
        return [self.item(m, value) if is_unknown(value) else any_item(m, value)] * count

    def chosen(self, test: Any, value: Any) -> Any:
        """What is known of a value that a test chose."""
        return value

    def decided(self, operands: Sequence[Any], value: Any) -> Any:
        """What is known of `and` or `or` where nobody knows whether the first operand holds."""
        return value

    def negated(self, value: Any) -> Any:
        """`not value` where nobody knows whether it holds."""
        return UNKNOWN

    def follows(self, m: Machine, function: Function) -> bool:
        """Whether a call of a function of the project is gone into."""
        return True

    def defined(self, m: Machine, made: Ref) -> None:
        """A function or generator was made, which may never run."""

    def returned(self, m: Machine, frame: Frame, node: ast.Return, value: Any) -> None:
        """A function returns a value."""

    def branched(
        self, frame: Frame, node: ast.If, test: Any, before: Heap, ends: Sequence[Sequence[Path]]
    ) -> None:
        """Nobody knew which branch is taken: where both ended, if they did."""

    def call(self, m: Machine, name: str, passed: Arguments, node: ast.Call | None) -> Any:
        """What a call of a name outside gives."""
        return NotImplemented

    def initialise(self, m: Machine, instance: Ref, name: str, passed: Arguments) -> bool:
        """Run the constructor of a class outside on an object of the project's that derives from it; whether that is
        understood."""
        return False

    def may_define(self, one: Dotted, name: str) -> bool:
        """Whether a class outside may have an attribute."""
        return one.name != "builtins.object" or hasattr(object, name)

    def is_idle(self, metaclass: str) -> bool:
        """Whether a metaclass outside changes nothing in its classes."""
        return False

    def is_subclass(self, name: str, base: str) -> bool | None:
        """Whether a class outside derives from another one."""
        return True if name == base else None

    def member(self, m: Machine, owner: Ref, name: str) -> Any:
        """An attribute that an object has of a class outside; None for what is not known."""
        return None

    def call_member(self, m: Machine, owner: Ref, name: str, passed: Arguments) -> Any:
        """What a method that an object has of a class outside gives."""
        return NotImplemented

    def call_instance(self, m: Machine, owner: Ref, passed: Arguments) -> Any:
        """What a call of an object gives."""
        return NotImplemented

    def assigned(self, m: Machine, write: AttributeWrite, value: Any) -> Any:
        """What an attribute is set to that gets the value of an expression."""
        return value

    def binary(self, m: Machine, sign: Operator, left: Any, right: Any) -> Any:
        """An operator or comparison."""
        return NotImplemented

    def unary(self, m: Machine, method: str, value: Any) -> Any:
        """An operator of one value, by the method behind it."""
        return NotImplemented

    def truth(self, m: Machine, value: Any) -> bool | None:
        """Whether a value holds in a test, for objects of classes outside."""
        return None

    def items(self, m: Machine, owner: Ref) -> list[Any] | None:
        """What a loop over an object goes over."""
        return None

    def item(self, m: Machine, value: Any) -> Any:
        """Any item of a value that is not known."""
        return OUTSIDE if is_unknown(value) and value.is_outside else UNKNOWN

    def subscript(self, m: Machine, owner: Any, key: Any, node: ast.Subscript | None) -> Any:
        """`owner[key]`, of an object, a name outside, or a value that is not known as a whole. `node` is where it is
        read."""
        if is_unknown(owner):
            return m.unknown_of((owner, key))
        return NotImplemented if isinstance(owner, Ref) else OUTSIDE

    def set_item(self, m: Machine, owner: Ref, key: Any, value: Any) -> bool:
        """`owner[key] = value`; whether that is understood."""
        return False

    def delete_item(self, m: Machine, owner: Ref, key: Any) -> bool:
        """`del owner[key]`; whether that is understood."""
        return False

    def dictionary(self, m: Machine, owner: Ref) -> Any:
        """`vars(owner)`."""
        m.heap.escape((owner,))
        return UNKNOWN

    def entered(self, m: Machine, manager: Any) -> Any:
        """What `with manager as x` gives x."""
        return self.item(m, manager)

    def swallows(self, m: Machine, manager: Any) -> bool | None:
        """Whether a context manager swallows what its body raises."""
        return None
