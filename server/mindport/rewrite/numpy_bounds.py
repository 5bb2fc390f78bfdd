"""Bounds of slices that NumPy computed, `x[:, top:bottom]` with `top = np.random.randint(8)`: an index of MindSpore's
tensors takes numbers of Python only. For whatever else is indexed there, these are the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def with_python_bounds(before: str, text: str) -> str:
    """A text converted from `before` whose slices have numbers of Python as bounds where NumPy computed them, as far as
    functions of the file show. The same text where there are none, or where it does not parse."""
    if "numpy" not in text or not imports_torch(before):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for bound in _Numpy(tree).bounds():
        start, end = start_of(bound, lines), end_of(bound, lines)
        yield from (TextEdit(start, start, "int("), TextEdit(end, end, ")"))


class _Numpy:
    """What NumPy computed in a file, by the names of variables in each function, by attributes that the methods of a
    class give to `self`, and by functions that return it."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._modules = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
            if alias.name == "numpy"
        }
        self._returning: set[str] = set()
        scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS))]
        self._attributes: dict[
            int, set[str]
        ] = {}  # method -> `self.x`, the same set for all methods of a class
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                kept = set[str]()
                self._attributes.update((id(one), kept) for one in node.body if isinstance(one, _FUNCTIONS))
        known = -1
        while known != self._size():
            known = self._size()
            self._names = {id(scope): self._names_in(scope) for scope in scopes}
        self._scopes = scopes

    def _size(self) -> int:
        return len(self._returning) + sum(map(len, self._attributes.values()))

    def bounds(self) -> Iterator[ast.expr]:
        """The bounds of slices that are NumPy's; those in f-strings have no reliable places."""
        for scope in self._scopes:
            names = self._names[id(scope)]
            for node in _own_nodes(scope):
                if isinstance(node, ast.Subscript):
                    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else (node.slice,)
                    for part in parts:
                        if isinstance(part, ast.Slice):
                            for bound in (part.lower, part.upper, part.step):
                                if bound is not None and self._is_numpy(bound, names):
                                    yield bound

    def _names_in(self, scope: ast.AST) -> set[str]:
        attributes = self._attributes.get(id(scope), set())
        names = set(attributes)
        nodes = sorted(
            (node for node in _own_nodes(scope) if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return))),
            key=lambda node: (node.lineno, node.col_offset),
        )
        for node in nodes:
            match node:
                case ast.Return(value=ast.expr() as value):
                    parts = value.elts if isinstance(value, ast.Tuple) else [value]
                    if isinstance(scope, _FUNCTIONS) and all(self._is_numpy(part, names) for part in parts):
                        self._returning.add(scope.name)
                case ast.Assign(targets=targets, value=value) if self._is_numpy(value, names):
                    names |= {one.id for target in targets for one in _targets(target)}
                    attributes |= {of_self for target in targets if (of_self := _of_self(target))}
                    names |= attributes
                case ast.Assign(targets=[ast.Tuple(elts=left)], value=ast.Tuple(elts=right)):
                    pairs = zip(left, right, strict=False)
                    names |= {
                        one.id
                        for one, part in pairs
                        if isinstance(one, ast.Name) and self._is_numpy(part, names)
                    }
                case ast.AugAssign(target=ast.Name(id=name), value=value) if self._is_numpy(value, names):
                    names.add(name)
        return names

    def _is_numpy(self, node: ast.expr, names: set[str]) -> bool:
        """Whether a value is NumPy's: of its functions, of variables and functions that hold or return such ones, an
        element of an array, or a sum of them."""
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Attribute():
                return _of_self(node) in names
            case ast.BinOp(left=left, right=right):
                return self._is_numpy(left, names) or self._is_numpy(right, names)
            case ast.UnaryOp(operand=operand):
                return self._is_numpy(operand, names)
            case ast.Subscript(value=value):
                return self._is_numpy(value, names)
            case ast.Call(func=ast.Name(id=name)):
                return name in self._returning
            case ast.Call(func=ast.Attribute() as function):
                return self._root(function) in self._modules
        return False

    @staticmethod
    def _root(node: ast.expr) -> str:
        while isinstance(node, ast.Attribute):
            node = node.value
        return node.id if isinstance(node, ast.Name) else ""


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a scope, without the functions in it and without f-strings."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        if not isinstance(node, _FUNCTIONS):
            yield from _own_nodes(node)


def _of_self(node: ast.expr) -> str:
    """`self.x` as it is written; empty for any other expression."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
    return ""


def _targets(target: ast.expr) -> Iterable[ast.Name]:
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return (part for part in parts if isinstance(part, ast.Name))
