"""Bounds of slices that NumPy computed, `x[:, top:bottom]` or `slice(top, bottom)` with `top = np.random.randint(8)`:
an index of MindSpore's tensors takes numbers of Python only. For whatever else is indexed there, these are the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.numpy_names import may_use_numpy, numpy_names
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
_GIVE_ONE_OF_THEM = ("max", "min", "abs", "sum")
# Methods of arrays that give numbers of Python.
_GIVE_PYTHON = ("item", "tolist")


def with_python_bounds(before: str, text: str) -> str:
    """A text converted from `before` whose slices have numbers of Python as bounds where NumPy computed them, as far as
    functions of the file show. The same text where there are none, or where it does not parse."""
    if not may_use_numpy(text) or not imports_torch(before):
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
        self._modules = numpy_names(tree)
        self._returning: set[str] = set()
        self._outer: dict[int, ast.AST] = {}  # function -> the one that it stands in
        scopes: list[ast.AST] = [tree]
        for scope in scopes:  # outer ones come first, and inner ones are found on the way
            for node in _own_nodes(scope):
                if isinstance(node, _FUNCTIONS):
                    scopes.append(node)
                    if isinstance(scope, _FUNCTIONS):
                        self._outer[id(node)] = scope
        self._attributes: dict[
            int, set[str]
        ] = {}  # method -> `self.x`, the same set for all methods of a class
        for node in every_node(tree):
            if isinstance(node, ast.ClassDef):
                kept = set[str]()
                self._attributes.update((id(one), kept) for one in node.body if isinstance(one, _FUNCTIONS))
        known = -1
        while known != self._size():
            known = self._size()
            self._names: dict[int, set[str]] = {}
            for scope in scopes:
                self._names[id(scope)] = self._names_in(scope)
        self._scopes = scopes

    def _size(self) -> int:
        return len(self._returning) + sum(map(len, self._attributes.values()))

    def bounds(self) -> Iterator[ast.expr]:
        """The bounds of slices that are NumPy's; those in f-strings have no reliable places."""
        for scope in self._scopes:
            names = self._names[id(scope)]
            for node in _own_nodes(scope):
                yield from (bound for bound in _bounds_in(node) if self._is_numpy(bound, names))

    def _names_in(self, scope: ast.AST) -> set[str]:
        attributes = self._attributes.get(id(scope), set())
        names = set(attributes)
        outer = self._outer.get(id(scope))
        if outer is not None:
            names |= self._names[id(outer)] - _bound_in(scope)
        statements = (ast.Assign, ast.AugAssign, ast.Return, *_LOOPS)
        nodes = [node for node in _own_nodes(scope) if isinstance(node, statements)]
        for node in sorted(nodes, key=_place):
            match node:
                case ast.For() | ast.AsyncFor() | ast.comprehension():
                    names |= {one.id for one in self._elements(node.target, node.iter, names)}
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

    def _elements(self, target: ast.expr, loop: ast.expr, names: set[str]) -> Iterable[ast.Name]:
        """The variables of a loop that hold elements of arrays."""
        match loop, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[array, *_]), ast.Tuple(elts=[_, element]):
                return self._elements(element, array, names)
            case ast.Call(func=ast.Name(id="zip"), args=arrays), ast.Tuple(elts=elements):
                pairs = zip(elements, arrays, strict=False)
                return [name for one, array in pairs for name in self._elements(one, array, names)]
            case ast.Call(func=ast.Name(id="reversed" | "sorted" | "list" | "tuple"), args=[array, *_]), _:
                return self._elements(target, array, names)
        return _targets(target) if self._is_numpy(loop, names) else ()

    def _is_numpy(self, node: ast.expr, names: set[str]) -> bool:
        """Whether a value is NumPy's: of its functions, of variables and functions that hold or return such ones, an
        element of an array, a sum of them, or the smallest one."""
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
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return name in self._returning or (
                    name in _GIVE_ONE_OF_THEM and any(self._is_numpy(one, names) for one in arguments)
                )
            case ast.Call(func=ast.Attribute(value=array, attr=method) as function):
                return self._root(function) in self._modules or (
                    method not in _GIVE_PYTHON and self._is_numpy(array, names)
                )
        return False

    @staticmethod
    def _root(node: ast.expr) -> str:
        while isinstance(node, ast.Attribute):
            node = node.value
        return node.id if isinstance(node, ast.Name) else ""


def _bounds_in(node: ast.AST) -> Iterator[ast.expr]:
    """The bounds of the slices that an index or a call of `slice` makes."""
    match node:
        case ast.Subscript(slice=index):
            for part in index.elts if isinstance(index, ast.Tuple) else (index,):
                if isinstance(part, ast.Slice):
                    yield from (bound for bound in (part.lower, part.upper, part.step) if bound is not None)
        case ast.Call(func=ast.Name(id="slice"), args=bounds):
            yield from bounds


def _place(node: ast.AST) -> tuple[int, int]:
    """Where a statement or the loop of a comprehension begins."""
    first = node.target if isinstance(node, ast.comprehension) else node
    return getattr(first, "lineno", 0), getattr(first, "col_offset", 0)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a scope, without the functions in it and without f-strings."""
    for node in children(scope):
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        if not isinstance(node, _FUNCTIONS):
            yield from _own_nodes(node)


def _bound_in(function: ast.AST) -> set[str]:
    """What a function calls by a name of its own: its parameters, and what it assigns."""
    return {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in every_node(function)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


def _of_self(node: ast.expr) -> str:
    """`self.x` as it is written; empty for any other expression."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
    return ""


def _targets(target: ast.expr) -> Iterable[ast.Name]:
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return (part for part in parts if isinstance(part, ast.Name))
