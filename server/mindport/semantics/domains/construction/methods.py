"""Methods that modules, parameters and tensors have of torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.registry.torch import torch_facts
from mindport.semantics.domains.construction import containers, tensors
from mindport.semantics.domains.construction.counts import (
    PARAMETER,
    is_module,
    modules,
    parts,
    size_of,
)
from mindport.semantics.flow.objects import Sequence
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Arguments, Dotted, Given, Ref, is_unknown

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

_SAME_MODULE = frozenset(
    ("to", "cuda", "cpu", "train", "eval", "half", "float", "double", "requires_grad_", "bfloat16", "share_memory",
     "type", "to_empty")
)  # fmt: skip
_IDLE = frozenset(
    ("zero_grad", "load_state_dict", "state_dict", "register_forward_hook", "register_forward_pre_hook", "buffers",
     "named_buffers", "register_full_backward_hook", "extra_repr", "_get_name", "forward", "get_buffer", "compile",
     "register_load_state_dict_post_hook", "_register_load_state_dict_pre_hook", "save_hyperparameters")
)  # fmt: skip


def call(m: Machine, owner: Ref, name: str, passed: Arguments) -> Any:
    """What a method of torch's gives; NotImplemented for one that is not known."""
    if tensors.known(m, owner) is not None:
        return tensors.call_member(m, owner, name, passed)
    if not is_module(m, owner):
        return _of_torch(m, owner)
    if passed.is_open:
        containers.leave_open(m, owner, passed.values())
        return UNKNOWN
    if name in _SAME_MODULE:
        return owner
    if name in _IDLE:
        return OUTSIDE
    found = _METHODS.get(name)
    if found is None:
        return NotImplemented
    return found(m, owner, (*passed.positional, *passed.keywords.values()))


def _of_torch(m: Machine, owner: Ref) -> Any:
    kind = m.heap.read(owner).class_of
    is_torch = isinstance(kind, Dotted) and torch_facts().kind(kind.name) is not None
    return OUTSIDE if is_torch else NotImplemented


def _register(m: Machine, owner: Ref, given: Given) -> Any:
    if len(given) == 2:
        containers.hold(m, owner, *given)
    return OUTSIDE


def _register_buffer(m: Machine, owner: Ref, given: Given) -> Any:
    if given and isinstance(given[0], str):
        value = given[1] if len(given) > 1 else OUTSIDE
        m.heap.write(owner).attributes[given[0]] = OUTSIDE if is_unknown(value) else value
    return OUTSIDE


def _append(m: Machine, owner: Ref, given: Given) -> Any:
    containers.append(m, owner, given[0])
    return owner


def _extend(m: Machine, owner: Ref, given: Given) -> Any:
    containers.extend(m, owner, given[0])
    return owner


def _insert(m: Machine, owner: Ref, given: Given) -> Any:
    containers.insert(m, owner, given[0], given[1])
    return OUTSIDE


def _pop(m: Machine, owner: Ref, given: Given) -> Any:
    found = containers.item(m, owner, given[0])
    containers.delete_item(m, owner, given[0])
    return found


def _apply(m: Machine, owner: Ref, given: Given) -> Any:
    for _, one in list(modules(m, owner))[::-1]:
        m.call(given[0], Arguments((one,)))
    return owner


def _listed(list_of: Callable[[Machine, Ref], list[Any]]) -> Callable[[Machine, Ref, Given], Any]:
    return lambda m, owner, given: m.new(Sequence(list_of(m, owner)))


def _children(m: Machine, owner: Ref) -> list[Any]:
    return list(dict.fromkeys(part for _, part in parts(m, owner) if is_module(m, part)))


def _named_children(m: Machine, owner: Ref) -> list[Any]:
    return [pair for pair in parts(m, owner) if is_module(m, pair[1])]


def _parameters(m: Machine, owner: Ref) -> list[Any]:
    return [one for _, one in _named_parameters(m, owner)]


def _named_parameters(m: Machine, owner: Ref) -> list[Any]:
    found: dict[Ref, str] = {}
    for path, module in modules(m, owner):
        for name, part in parts(m, module):
            if size_of(m, part, PARAMETER) is not None:
                found.setdefault(part, f"{path}.{name}".lstrip("."))
    return [(name, part) for part, name in found.items()]


def _keys(m: Machine, owner: Ref, given: Given) -> Any:
    held = containers.parts_of(m, owner)
    return m.new(Sequence(None if held is None else list(held)))


def _values(m: Machine, owner: Ref, given: Given) -> Any:
    held = containers.parts_of(m, owner)
    return m.new(Sequence(None if held is None else list(held.values())))


def _items(m: Machine, owner: Ref, given: Given) -> Any:
    held = containers.parts_of(m, owner)
    return m.new(Sequence(None if held is None else list(held.items())))


def _submodule(m: Machine, owner: Ref, given: Given) -> Any:
    found: Any = owner
    for name in given[0].split(".") if given and isinstance(given[0], str) else ():
        found = m.attribute(found, name)
    return found


_METHODS: dict[str, Callable[[Machine, Ref, Given], Any]] = {
    "add_module": _register, "register_module": _register, "register_parameter": _register,
    "register_buffer": _register_buffer, "append": _append, "extend": _extend, "update": _extend, "insert": _insert,
    "pop": _pop, "apply": _apply, "children": _listed(_children), "named_children": _listed(_named_children),
    "modules": _listed(lambda m, owner: [one for _, one in modules(m, owner)]),
    "named_modules": _listed(lambda m, owner: list(modules(m, owner))),
    "parameters": _listed(_parameters), "named_parameters": _listed(_named_parameters),
    "keys": _keys, "values": _values, "items": _items, "get_submodule": _submodule, "get_parameter": _submodule,
}  # fmt: skip
