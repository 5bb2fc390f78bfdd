"""The two places where MindSpore registers bprops: a C++ factory in its front-end library, and Python registries.

Everything here needs an interpreter that has MindSpore; nothing is computed with it."""

from __future__ import annotations

import ast
import ctypes
import importlib
import inspect
import pkgutil
import sys
import textwrap
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import mindspore
from mindspore.ops import Primitive, operations
from mindspore.ops._grad_experimental import grad_base

from second_order.elf import SharedLibrary

# Looking a bprop up by name: 2.8 and later give its record, before only whether there is one.
_FIND = "_ZN9mindspore8expander5bprop17GetBpropIRBuilderERKSs"
_HAS = "_ZN9mindspore8expander5bprop16HasBpropExpanderERKSs"
_STRING_HEADER = 24  # length, capacity, reference count

LIBRARY = Path(mindspore.__file__).parent / "lib" / "libmindspore_frontend.so"


class Body(NamedTuple):
    """What a `std::function` holds: `invoker` is called with the address of `stored`; where `stored` is the address of
    a plain function, many records share one invoker that only calls it. Addresses are those in the file."""

    stored: int
    invoker: int


class CompiledRegistry:
    """The C++ registry of a library, which is loaded and asked by name."""

    def __init__(self, library: SharedLibrary) -> None:
        loaded = ctypes.CDLL(str(library.path))
        self.gives_records = _FIND in library.functions_by_name
        symbol = _FIND if self.gives_records else _HAS
        self._ask = getattr(loaded, symbol)
        self._ask.argtypes = [ctypes.c_void_p]
        self._ask.restype = ctypes.c_void_p if self.gives_records else ctypes.c_bool
        address = ctypes.cast(self._ask, ctypes.c_void_p).value
        assert address is not None
        self._base = address - library.functions_by_name[symbol]

    def has(self, name: str) -> bool:
        """Whether a bprop is registered under this name."""
        return bool(self._look_up(name))

    def body(self, name: str) -> Body | None:
        """The code that a `std::function` at the start of the record holds; None if there is no record."""
        record = self._look_up(name) if self.gives_records else None
        if not record:
            return None
        stored, _, _, invoker = (ctypes.c_uint64 * 4).from_address(record)
        return Body(stored - self._base, invoker - self._base)

    def _look_up(self, name: str) -> int:
        # The library is built with the old layout of std::string: a pointer to text behind a header.
        encoded = name.encode()
        header = (ctypes.c_int64 * 3)(len(encoded), len(encoded), -1)  # -1: may not be shared
        storage = ctypes.create_string_buffer(bytes(header) + encoded + b"\0")
        pointer = ctypes.c_void_p(ctypes.addressof(storage) + _STRING_HEADER)
        return int(self._ask(ctypes.addressof(pointer)) or 0)


def python_bprops() -> dict[str, Any]:
    """The bprops that are registered in Python, by the operator's name."""
    importlib.import_module("mindspore.scipy.ops_grad")  # registers two of them, and nothing else imports it
    found: dict[str, Any] = {}
    for registry in (grad_base.bprops, grad_base.bprop_getters):
        found.update({name: value for name, value in registry.items() if isinstance(name, str)})
    return found


def primitive_names() -> frozenset[str]:
    """The names of all primitives that some module of MindSpore has as a class or an instance."""
    for module in pkgutil.iter_modules(operations.__path__):
        importlib.import_module(f"{operations.__name__}.{module.name}")
    found: set[str] = set()
    for module in _modules():
        for value in list(vars(module).values()):
            name = primitive_name(value)
            if name is not None:
                found.add(name)
    return frozenset(found)


def primitive_name(value: Any) -> str | None:
    """The name of a primitive class or instance; None for anything else, such as a function that runs while a
    graph is compiled: those are instances too, with the names of functions."""
    if inspect.isclass(value) and issubclass(value, Primitive):
        return value.__name__
    name = str(value.name) if isinstance(value, Primitive) else ""
    return name if name[:1].isupper() else None


def python_links(bprop: Any) -> list[str]:
    """The primitives that the source of a Python bprop names, those of its module's helper functions included."""
    found: set[str] = set()
    _collect(bprop, found, set())
    return sorted(found)


def _collect(function: Any, found: set[str], seen: set[Any]) -> None:
    function = inspect.unwrap(getattr(function, "fn", function))
    if function in seen or not isinstance(function, types.FunctionType):
        return
    seen.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    body = [node for statement in tree.body[0].body for node in ast.walk(statement)]
    for node in body:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        value = _value(node, function.__globals__)
        name = primitive_name(value)
        if name is not None:
            found.add(name)
        elif isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            _collect(value, found, seen)


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, names)
        return getattr(owner, node.attr, None) if owner is not None else None
    return None


def _modules() -> Iterable[types.ModuleType]:
    return [m for name, m in sorted(sys.modules.items()) if name.startswith("mindspore") and m is not None]
