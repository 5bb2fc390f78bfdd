"""Which primitives the functions, methods and layers of an installed MindSpore run as, read from their source. Nothing
is computed: what a branch or a loop does is not asked, so the primitives of all branches count."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import textwrap
import types
from collections.abc import Iterable
from typing import Any

import mindspore
from mindspore.common._register_for_tensor import tensor_operator_registry
from mindspore.ops import tensor_method

from second_order.registries import primitive_name

_INSTANCE = re.compile(r"_(?P<name>\w+)_instance")
_PREFIXED = re.compile(r"_Pyboost(?P<name>\w+)Prim")
_DIRECT = re.compile(r"pyboost_(?P<name>\w+)")
_MOST_DEPTH = 12

Ways = frozenset[frozenset[str]]  # alternatives, each all primitives of one


def ways_of(value: Any) -> Ways:
    """The alternatives that MindSpore chooses from for a device, or a single one; empty where nothing was found."""
    name = _overloaded(value) or _method_of_tensors(value)
    if name is not None:
        ways = frozenset(filter(None, (primitives_of(one) for one in _methods(name))))
        if ways:
            return ways
        value = getattr(mindspore.ops, name, None)  # most methods are functions of the same name
    found = primitives_of(value)
    return frozenset([found]) if found else frozenset()


def primitives_of(value: Any) -> frozenset[str]:
    """All primitives that a value's source names, through MindSpore's own functions and layers."""
    found: set[str] = set()
    _collect(value, found, set(), 0)
    return frozenset(found)


def _overloaded(value: Any) -> str | None:
    """The name of a function with several signatures, which C++ chooses from: `_add_instance(*args, **kwargs)`."""
    code = getattr(inspect.unwrap(value) if callable(value) else value, "__code__", None)
    names = [match["name"] for name in getattr(code, "co_names", ()) if (match := _INSTANCE.fullmatch(name))]
    return names[0] if len(names) == 1 else None


def _method_of_tensors(value: Any) -> str | None:
    """The name of a method of tensors that C++ has, not Python."""
    name = getattr(value, "__name__", "")
    is_compiled = not isinstance(value, (types.FunctionType, type))
    return name if is_compiled and getattr(mindspore.Tensor, name, None) is value else None


@functools.cache
def _method_names() -> dict[str, list[str]]:
    """The functions that stand for the methods of tensors, by the name of the method."""
    found: dict[str, list[str]] = {}
    for name in vars(tensor_method):
        if match := re.fullmatch(r"(?:deprecated_)?tensor_(?P<name>\w+)", name):
            found.setdefault(match["name"], []).append(name)
    return found


def _methods(name: str) -> Iterable[Any]:
    wanted = name[2:-2] if name.startswith("__") and name.endswith("__") else name
    forms = (wanted, *(f"{wanted}_{end}" for end in ("ext", "view", "tensor", "scalar", "op")))
    for form in forms:
        for one in _method_names().get(form, ()):
            yield getattr(tensor_method, one)


def _collect(value: Any, found: set[str], seen: set[int], depth: int) -> None:
    name = _name_of(value)
    if name is not None:
        found.add(name)
        return
    if depth > _MOST_DEPTH or id(value) in seen:
        return
    seen.add(id(value))
    if inspect.isclass(value):
        bases = [base for base in value.__mro__ if _is_mindspores(base) and base is not mindspore.nn.Cell]
        for base in bases if issubclass(value, mindspore.nn.Cell) else ():
            for method in ("__init__", "construct"):
                if method in vars(base):
                    _collect(vars(base)[method], found, seen, depth + 1)
        return
    overloaded = _overloaded(value) if isinstance(value, types.FunctionType) else None
    if overloaded is not None:
        for method in _methods(overloaded):
            _collect(method, found, seen, depth + 1)
        return
    function = inspect.unwrap(getattr(value, "fn", value)) if callable(value) else value
    if not isinstance(function, types.FunctionType) or not _is_mindspores(function):
        return
    for used in _used(function):
        _collect(used, found, seen, depth + 1)


def _name_of(value: Any) -> str | None:
    """The primitive that a value is; None for anything else."""
    match = _PREFIXED.fullmatch(type(value).__name__) or (
        inspect.isclass(value) and _PREFIXED.fullmatch(value.__name__)
    )
    if match:
        return str(match["name"])
    if isinstance(value, types.BuiltinFunctionType) and (direct := _DIRECT.fullmatch(value.__name__)):
        return "".join(part.title() for part in direct["name"].split("_"))
    return primitive_name(value)


def _used(function: types.FunctionType) -> Iterable[Any]:
    """The functions, classes and objects that the body of a function names."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    names = dict(function.__globals__)
    body = [node for statement in tree.body[0].body for node in ast.walk(statement)]  # type: ignore[attr-defined]
    for node in body:
        if (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and (node.module or "").startswith("mindspore")
        ):
            held = vars(importlib.import_module(node.module))
            names.update({a.asname or a.name: held[a.name] for a in node.names if a.name in held})
    for node in body:
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("operator_registry.get"):
            yield getattr(tensor_operator_registry, ast.literal_eval(node.args[0]), None)
    parts = {id(child) for node in body if isinstance(node, ast.Attribute) for child in [node.value]}
    raised = {id(n) for node in body if isinstance(node, ast.Raise) for n in ast.walk(node)}
    for node in body:
        if not isinstance(node, (ast.Name, ast.Attribute)) or id(node) in parts or id(node) in raised:
            continue
        value = _value(node, names)
        if value is not None:
            yield value


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, names)
        if isinstance(owner, types.ModuleType) or inspect.isclass(owner):
            return getattr(owner, node.attr, None)
    return None


def _is_mindspores(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).split(".")[0] == "mindspore"
