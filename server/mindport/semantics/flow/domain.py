"""What a domain says of its own values. Whatever it leaves as it is here is not known."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import libraries
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Arguments, Dotted, Ref, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine
    from mindport.semantics.flow.operators import Operator


class Domain:
    """Python alone. NotImplemented hands a question back to the machine."""

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

    def settled(self, m: Machine, frame: Frame, node: ast.expr) -> Any:
        """What an expression is worth that running does not tell."""
        return UNKNOWN

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

    def assigned(self, m: Machine, frame: Frame, owner: Any, name: str, value: Any, source: ast.expr) -> Any:
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

    def subscript(self, m: Machine, owner: Any, key: Any) -> Any:
        """`owner[key]`."""
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
