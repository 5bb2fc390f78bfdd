"""Names: which namespace has one, and what giving or taking it away does."""

# mypy: disable-error-code="misc"
# The methods are those of Machine, which is made of this class and others: mypy cannot be told so.
from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Namespace
from mindport.semantics.flow.scopes import rebound_names
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Dotted, Ref, is_plain

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


class Names:
    """Looks names up, and sets them."""

    def name(self: Machine, frame: Frame, name: str) -> Any:
        """What a name stands for. Raises Unreachable where it surely has no value."""
        where: Ref | None = frame.module if name in frame.globals else frame.names
        if frame.is_class:
            own: Namespace = self.heap.read(frame.names)
            if name not in own.names and name in own.bound:
                where = (
                    frame.module
                )  # a class body that sets a name itself does not see that of a function around
        while where is not None:
            thing: Namespace = self.heap.read(where)
            if name in thing.names:
                return thing.names[name]
            if thing.outer is not None and name in thing.bound:
                self.unbound += 1
                is_own = where == frame.names
                return (
                    UNKNOWN
                    if thing.is_open
                    else self.raise_builtin("UnboundLocalError" if is_own else "NameError")
                )
            if thing.outer is None and where != frame.module:
                where = frame.module if thing.path == "" else None
                continue
            where = thing.outer
        found = self.domain.name(frame, name)
        return self._beyond(frame, name) if found is NotImplemented else found

    def _beyond(self: Machine, frame: Frame, name: str) -> Any:
        """A name that no namespace of the project has."""
        for star in self.stars.get(frame.path, ()):
            if self.domain.knows(f"{star}.{name}"):
                return self.domain.named(f"{star}.{name}")
        is_pythons = not name.startswith("__") or name in ("__debug__", "__import__")
        if is_pythons and hasattr(builtins, name):
            found = getattr(builtins, name)
            return found if is_plain(found) else Dotted(f"builtins.{name}")
        if self.heap.read(frame.module).is_open:
            return OUTSIDE if self.stars.get(frame.path) else UNKNOWN
        return OUTSIDE if name.startswith("__") else self.raise_builtin("NameError")

    def missing_name(self: Machine, thing: Namespace, name: str, error: str = "AttributeError") -> Any:
        """A name that a module does not have, as far as is known."""
        for star in self.stars.get(thing.path, ()):
            if self.domain.knows(f"{star}.{name}"):
                return self.domain.named(f"{star}.{name}")
        if thing.is_open:
            return OUTSIDE if self.stars.get(thing.path) else UNKNOWN
        return self.raise_builtin(error)

    def bind(self: Machine, frame: Frame, name: str, value: Any) -> None:
        """Give a name a value."""
        self.heap.write(self._place(frame, name)).names[name] = value

    def unbind(self: Machine, frame: Frame, name: str, is_sure: bool = True) -> None:
        """Take a name away."""
        names = self.heap.write(self._place(frame, name))
        if name in names.names:
            del names.names[name]
        elif is_sure:
            self.raise_builtin("NameError")

    def _place(self: Machine, frame: Frame, name: str) -> Ref:
        if name in frame.globals:
            return frame.module
        if name not in frame.rebound:
            return frame.names
        where: Ref | None = self.heap.read(frame.names).outer
        while where is not None:
            thing: Namespace = self.heap.read(where)
            if name in thing.bound or name in thing.names:
                return where
            where = thing.outer
        return frame.names

    def frame_outside_comprehensions(self: Machine, frame: Frame) -> Frame:
        """The function, class or file that a comprehension stands in."""
        while frame.names in self.comprehensions:
            frame = self.comprehensions[frame.names]
        return frame

    def rebound_in(self: Machine, path: str) -> frozenset[tuple[str, str]]:
        """The variables of a file that some function of it sets though they are not its own."""
        return frozenset((path, name) for name in rebound_names(self.sources.trees[path]))


def mangled(m: Machine, frame: Frame, name: str) -> str:
    """A name as it is kept: names with two underscores in a class belong to that class alone."""
    if not name.startswith("__") or name.endswith("__") or frame.owner is None:
        return name
    owner = m.heap.read(frame.owner).name.lstrip("_")
    return f"_{owner}{name}" if owner else name
