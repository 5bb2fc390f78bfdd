"""Networks that lie in the heap: the modules and parameters in them, and how many numbers those hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow.objects import Instance
from mindport.semantics.flow.values import Dotted, Ref, may_be_object

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

MODULE = Dotted("torch.nn.Module")
PARAMETER = Dotted("torch.nn.Parameter")
TENSOR = Dotted("torch.Tensor")
# An attribute that no program has: what the module consists of is not all known.
OPEN = "<open>"


def is_module(m: Machine, value: Any) -> bool:
    """Whether a value is a module of torch's or derives from one."""
    if not isinstance(value, Ref):
        return False
    thing = m.heap.read(value)
    return isinstance(thing, Instance) and m.derives(thing.class_of, MODULE) is True


def size_of(m: Machine, value: Any, kind: Dotted) -> Any:
    """The number of elements of a parameter or tensor and its shape, each None where that is not known; None for
    anything else."""
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    return thing.payload if isinstance(thing, Instance) and thing.class_of == kind else None


def parts(m: Machine, module: Ref) -> Iterator[tuple[str, Ref]]:
    """The modules and parameters that a module holds, by name."""
    for name, value in m.heap.read(module).attributes.items():
        if is_module(m, value) or size_of(m, value, PARAMETER) is not None:
            yield name, value


def modules(m: Machine, module: Ref) -> Iterator[tuple[str, Ref]]:
    """A module and all modules in it, each once, with their dotted names."""
    seen: set[Ref] = set()
    waiting: list[tuple[str, Ref]] = [("", module)]
    while waiting:
        path, one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        yield path, one
        inner = [(f"{path}.{name}".lstrip("."), part) for name, part in parts(m, one) if is_module(m, part)]
        waiting += reversed(inner)


def is_open(m: Machine, module: Ref) -> bool:
    """Whether a module may hold more than is known, or something else. What only is no object of the project, such as a
    size, is no part."""
    thing = m.heap.read(module)
    return thing.is_lost or OPEN in thing.attributes or any(map(may_be_object, thing.attributes.values()))


def count(m: Machine, module: Ref) -> int | None:
    """How many numbers the parameters of a module hold, shared ones once; None where that is not known."""
    total, seen = 0, set()
    for _, one in modules(m, module):
        if is_open(m, one):
            return None
        for _, part in parts(m, one):
            size = size_of(m, part, PARAMETER)
            if size is None or part in seen:
                continue
            seen.add(part)
            if size[0] is None:
                return None
            total += size[0]
    return total
