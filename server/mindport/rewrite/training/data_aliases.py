"""Names that stand for the memory of other tensors: `w = layer.weight.data`, `for d in [p.data for p in parameters]`.
What is written into them in place is written into those tensors."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from mindport.rewrite.training.flow import nodes_of_scopes

# What gives another look at the same memory.
_VIEWS = frozenset(
    {"view", "view_as", "t", "transpose", "permute", "squeeze", "unsqueeze", "narrow", "select", "detach"}
)

IsData = Callable[[ast.expr], bool]


def names_of_data(tree: ast.Module, is_data: IsData) -> Iterator[ast.Name]:
    """Each place of a name that stands for what `is_data` holds for, `x.data` or `x.detach()`, or for a part of it."""
    for nodes in nodes_of_scopes(tree):
        names, lists = _Names(nodes, is_data).found()
        if names or lists:
            yield from (one for one in nodes if isinstance(one, ast.Name) and one.id in names)


class _Names:
    """What the names of one scope stand for, wherever in it they are assigned."""

    def __init__(self, nodes: Sequence[ast.AST], is_data: IsData) -> None:
        self._nodes = nodes
        self._is_data = is_data
        self._names: set[str] = set()
        self._lists: set[str] = set()

    def found(self) -> tuple[set[str], set[str]]:
        """The names of tensors, and those of lists and dictionaries of them."""
        known = -1
        while known != len(self._names) + len(self._lists):
            known = len(self._names) + len(self._lists)
            for node in self._nodes:
                match node:
                    case ast.Assign(targets=targets, value=value):
                        for target in targets:
                            self._bind(target, value)
                    case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
                        self._bind_each(target, items)
        return self._names, self._lists

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for one, given in zip(targets, values, strict=True):
                    self._bind(one, given)
            case ast.Name(id=name), _:
                if self._stands_for_data(value):
                    self._names.add(name)
                elif self._holds_data(value):
                    self._lists.add(name)

    def _bind_each(self, target: ast.expr, items: ast.expr) -> None:
        match target, items:
            case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=args) if len(args) == len(
                targets
            ):
                for one, each in zip(targets, args, strict=True):
                    self._bind_each(one, each)
            case ast.Tuple(elts=[_, one]), ast.Call(func=ast.Name(id="enumerate"), args=[each, *_]):
                self._bind_each(one, each)
            case ast.Tuple(elts=[_, one]), ast.Call(func=ast.Attribute(value=each, attr="items"), args=[]):
                self._bind_each(one, each)
            case _, ast.Call(func=ast.Attribute(value=each, attr="values"), args=[]):
                self._bind_each(target, each)
            case ast.Name(id=name), _ if self._holds_data(items):
                self._names.add(name)

    def _holds_data(self, value: ast.expr) -> bool:
        match value:
            case ast.Name(id=name):
                return name in self._lists
            case ast.ListComp(elt=each) | ast.GeneratorExp(elt=each) | ast.DictComp(value=each):
                return self._stands_for_data(each)
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
                return self._stands_for_data(first)
            case ast.Call(func=ast.Name(id="list" | "tuple" | "dict"), args=[given]):
                return self._holds_data(given)
        return False

    def _stands_for_data(self, value: ast.expr) -> bool:
        if self._is_data(value):
            return True
        match value:
            case ast.Name(id=name):
                return name in self._names
            case ast.Subscript(value=part):
                return self._stands_for_data(part) or self._holds_data(part)
            case ast.Attribute(value=part, attr="T") | ast.Call(func=ast.Attribute(value=part, attr=_)):
                is_view = isinstance(value, ast.Attribute) or value.func.attr in _VIEWS  # type: ignore[attr-defined]
                return is_view and self._stands_for_data(part)
        return False
