"""What the interpreted code handles besides plain Python values: modules, weights, and what can be called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.usage.recipe.code import Function, SourceFile


class Unknown:
    """What is not known here; also what a call gives that is not followed."""


UNKNOWN = Unknown()


class Weight:
    """One parameter; the same object where weights are shared. `size` is None where it is not known."""

    def __init__(self, size: int | None) -> None:
        self.size = size


class Module:
    """A module that was made: its class, the modules and weights that it holds by name, its other attributes, and
    whether everything that it does to itself was understood."""

    def __init__(self, name: str, is_understood: bool = True, path: str = "") -> None:
        self.name = name
        self.path = path  # of the file that defines the class; empty for those of torch
        self.parts: dict[str, object] = {}
        self.attributes: dict[str, object] = {}
        self.is_understood = is_understood

    def modules(self) -> Iterator[tuple[str, Module]]:
        """The modules in it, those of lists under the list's name."""
        for name, part in self.parts.items():
            if isinstance(part, Module):
                yield name, part

    def count(self) -> int | None:
        """How many numbers it holds, shared ones once; None where that is not known."""
        total, seen, waiting = 0, set(), [self]
        while waiting:
            module = waiting.pop()
            if id(module) in seen:
                continue
            seen.add(id(module))
            if not module.is_understood:
                return None
            for part in module.parts.values():
                if isinstance(part, Module):
                    waiting.append(part)
                elif isinstance(part, Weight) and id(part) not in seen:
                    seen.add(id(part))
                    if part.size is None:
                        return None
                    total += part.size
        return total


class ClassValue(msgspec.Struct, frozen=True):
    """A class of the project, seen from a file of this path, or what torch has by this name."""

    name: str
    is_torch: bool = False
    seen_from: str = ""


class FunctionValue(msgspec.Struct, frozen=True):
    """A function of the project, with the names around it that it sees."""

    file: SourceFile
    node: Function | ast.Lambda
    scope: dict[str, object]


class Super(msgspec.Struct, frozen=True):
    """`super()` in a method of a class that a file defines, for a module."""

    module: Module
    file: SourceFile
    node: ast.ClassDef


def spread(value: list[object] | tuple[object, ...] | Module) -> list[object]:
    """What a star spreads; of a module its parts, as of nn.Sequential."""
    return list(value.parts.values()) if isinstance(value, Module) else list(value)
