"""Signatures of functions, methods and constructors, and reading them from one line of text."""

from __future__ import annotations

import ast
import enum

import msgspec

from mindport.registry.returns import ReturnKind, Returns, returns_of

# What an annotation says about arguments that fit, in the words of `usage.Kind`. Empty means anything.
_ACCEPTED = {
    "Tensor": ("tensor",),
    "Parameter": ("tensor",),
    "int": ("int", "bool"),
    "SymInt": ("int", "bool"),
    "float": ("float", "int", "bool"),
    "SymFloat": ("float", "int", "bool"),
    "bool": ("bool",),
    "complex": ("float", "int", "number", "bool"),
    "Number": ("int", "float", "number", "bool"),
    "str": ("str",),
    "None": ("none",),
    "NoneType": ("none",),
    "dtype": ("dtype",),
    "device": ("device", "str", "int"),
    "DeviceLikeType": ("device", "str", "int"),
    "size": ("sequence",),
    "Size": ("sequence",),
    "Sequence": ("sequence",),
    "tuple": ("sequence",),
    "Tuple": ("sequence",),
    "list": ("sequence",),
    "List": ("sequence",),
    "Module": ("module",),
    "Optimizer": ("optimizer",),
    "Callable": ("callable", "module"),
    "layout": ("other",),
    "memory_format": ("other",),
    "Generator": ("other",),
}


class ParameterKind(enum.IntEnum):
    """How an argument reaches a parameter."""

    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Parameter(msgspec.Struct, frozen=True, array_like=True):
    """One parameter. `default` is source text: None where the parameter is required, `...` if unknown.

    `accepts` lists the kinds of argument that fit, in the words of `usage.Kind`; empty where anything may."""

    name: str
    kind: ParameterKind = ParameterKind.POSITIONAL_OR_KEYWORD
    default: str | None = None
    annotation: str = ""
    accepts: tuple[str, ...] = ()

    @property
    def is_required(self) -> bool:
        """Whether a call must pass it."""
        collects = self.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
        return self.default is None and not collects


class Signature(msgspec.Struct, frozen=True, array_like=True):
    """One way to call something; methods without `self`."""

    parameters: tuple[Parameter, ...] = ()
    returns: Returns = Returns(ReturnKind.UNKNOWN)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        return None


def parse_signature(text: str, fields: dict[str, tuple[str, ...]] | None = None) -> Signature:
    """Read `(input: Tensor, dim: int = 0, *, out=None) -> Tensor`; `fields` are those of the named tuples.

    Raises SyntaxError for a line that is none; the collectors write no such line."""
    function = ast.parse(f"def signature{text}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    found: list[Parameter] = []
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    for index, argument in enumerate(positional):
        only = index < len(arguments.posonlyargs)
        kind = ParameterKind.POSITIONAL_ONLY if only else ParameterKind.POSITIONAL_OR_KEYWORD
        default = arguments.defaults[index - first_default] if index >= first_default else None
        found.append(_parameter(argument, kind, default))
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, ParameterKind.VAR_POSITIONAL, None))
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(argument, ParameterKind.KEYWORD_ONLY, value))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, ParameterKind.VAR_KEYWORD, None))
    return Signature(tuple(found), returns_of(function.returns, fields or {}))


def _parameter(argument: ast.arg, kind: ParameterKind, default: ast.expr | None) -> Parameter:
    annotation = ast.unparse(argument.annotation) if argument.annotation is not None else ""
    accepts = _accepted(argument.annotation) if argument.annotation is not None else None
    if accepts and isinstance(default, ast.Constant) and default.value is None:
        # annotations such as `mask: Tensor = None` are common
        accepts.add("none")
    text = ast.unparse(default) if default is not None else None
    return Parameter(argument.arg, kind, text, annotation, tuple(sorted(accepts or ())))


def _accepted(node: ast.expr) -> set[str] | None:
    """The kinds that fit an annotation; None where it does not restrict them."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right])
    if isinstance(node, ast.Constant):
        return {"none"} if node.value is None else None
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Optional":
            accepted = _accepted(inner[0])
            return None if accepted is None else accepted | {"none"}
        if name == "Union":
            return _union(inner)
        if name == "Literal":
            words = {type(item.value).__name__ for item in inner if isinstance(item, ast.Constant)}
            return {word if word in ("str", "int", "bool") else "none" for word in words} or None
        accepted_names = _ACCEPTED.get(name)
        return set(accepted_names) if accepted_names else None
    if isinstance(node, (ast.Name, ast.Attribute)):
        accepted_names = _ACCEPTED.get(ast.unparse(node).rpartition(".")[2])
        return set(accepted_names) if accepted_names else None
    return None


def _union(nodes: list[ast.expr]) -> set[str] | None:
    found: set[str] = set()
    for node in nodes:
        accepted = _accepted(node)
        if accepted is None:
            return None
        found |= accepted
    return found
