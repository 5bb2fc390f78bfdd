"""The members of a class: what its body defines, and what its methods set on `self`, read from its source."""

from __future__ import annotations

import ast
import functools
import inspect
from pathlib import Path
from typing import Any

_SYNTAX = """
call len iter contains getitem setitem delitem enter exit bool float int index complex array reversed format
hash deepcopy dir next neg pos abs invert round matmul rmatmul imatmul divmod rdivmod eq ne lt le gt ge init
"""
_OPERATORS = "add sub mul truediv floordiv mod pow and or xor lshift rshift div"
SPECIAL_METHODS = frozenset(f"__{name}__" for name in _SYNTAX.split()) | {
    f"__{prefix}{operator}__" for prefix in ("", "r", "i") for operator in _OPERATORS.split()
}


def is_member(name: str) -> bool:
    """Whether a member of that name is listed: public ones, and the special methods that syntax calls."""
    return not name.startswith("_") or name in SPECIAL_METHODS


def kind_of_member(value: Any) -> str:
    """`method`, `attribute` or `class`."""
    if isinstance(value, (staticmethod, classmethod)):
        return "method"
    if inspect.isroutine(value) and (callable(value) or not is_computed(value)):
        return "method"
    if inspect.isclass(value):
        return "class"
    return "attribute"


def is_computed(value: Any) -> bool:
    """Whether a member is a value that is computed when it is asked for, as torch's `lazy_property` has them: a
    descriptor around a function that is no function itself."""
    return (
        not callable(value)
        and hasattr(value, "__get__")
        and inspect.isfunction(getattr(value, "wrapped", None))
    )


def instance_attributes(cls: type) -> dict[str, str]:
    """Names that the class sets on its instances, with the annotation or a guess of it (empty if none): by
    annotations in its body, by `self.x = ...` in `__init__`, by register_buffer and register_parameter."""
    try:
        file = inspect.getsourcefile(cls)
    except TypeError:
        return {}
    node = _classes_of(file).get(cls.__name__) if file else None
    if node is None:
        return {}
    found: dict[str, str] = {}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = ast.unparse(statement.annotation)
        elif isinstance(statement, ast.FunctionDef) and statement.name in (
            "__init__",
            "__new__",
            "__setstate__",
        ):
            _scan_initialiser(statement, found)
    return found


@functools.cache
def _classes_of(file: str) -> dict[str, ast.ClassDef]:
    """The classes of a source file by name; `inspect.getsource` would read the file again for every class."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return {}
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _scan_initialiser(function: ast.FunctionDef, found: dict[str, str]) -> None:
    parameters = {
        argument.arg: ast.unparse(argument.annotation) if argument.annotation else ""
        for argument in [*function.args.args, *function.args.kwonlyargs]
    }
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            several = [one for target in targets for one in getattr(target, "elts", ())]
            for target in (*targets, *several):
                if _is_self_attribute(target):
                    assert isinstance(target, ast.Attribute)
                    annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
                    kind = annotation or _guess(node.value, parameters)
                    if not found.get(target.attr):
                        found[target.attr] = kind
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                if node.func.attr == "register_buffer":
                    found.setdefault(first.value, "Tensor | None")
                elif node.func.attr == "register_parameter":
                    found.setdefault(first.value, "Parameter | None")


def _is_self_attribute(target: ast.expr) -> bool:
    return (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    )


def _guess(value: ast.expr | None, parameters: dict[str, str]) -> str:
    if isinstance(value, ast.Name):
        return parameters.get(value.id, "")
    if isinstance(value, ast.Call):
        name = ast.unparse(value.func).rpartition(".")[2]
        if name == "broadcast_all":  # a tuple of tensors, of which each has a name
            return "Tensor"
        return (
            name
            if name in ("Parameter", "ModuleList", "Linear", "Dropout", "LayerNorm", "int", "float", "bool")
            else ""
        )
    if isinstance(value, ast.Constant) and value.value is not None:
        return type(value.value).__name__
    return ""
