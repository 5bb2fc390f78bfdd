"""Tests for one class among the types of several values: `nn.Linear in [type(m) for m in net]`, and
`kinds.count(nn.Linear)` of `kinds = list(map(type, net))`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.usage.called_names import is_type_of

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_CONTAINERS = ("list", "tuple", "set", "frozenset")


class CollectedTypes:
    """The tests among collected types in the nodes of one scope. `classes` gives how all classes are written that the
    layers of the class written there may have, none where there is one alone."""

    def __init__(
        self,
        nodes: Sequence[ast.AST],
        text: str,
        lines: LineIndex,
        classes: Callable[[ast.expr], Sequence[str]],
    ) -> None:
        self._nodes = nodes
        self._text = text
        self._lines = lines
        self._classes = classes
        collected, others = set[str](), set[str]()
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                is_kept = _is_collection(node.value) and not _goes_by(node.value)
                found = collected if is_kept else others
                found |= {ast.unparse(node.targets[0])}
        self._names = collected - others

    def edits(self) -> Iterator[TextEdit]:
        """The edits that make these tests hold for all classes."""
        for node in self._nodes:
            match node:
                case ast.Compare(left=kind, ops=[ast.In() | ast.NotIn() as op], comparators=[values]):
                    if self._are_types(values) and len(classes := self._classes(kind)) > 1:
                        yield self._edit(node, self._test(values, classes, isinstance(op, ast.NotIn)))
                case ast.Call(func=ast.Attribute(value=values, attr="count"), args=[kind], keywords=[]):
                    if self._are_types(values) and len(classes := self._classes(kind)) > 1:
                        counted = f"sum(map({self._written(values)}.count, ({', '.join(classes)})))"
                        yield self._edit(node, counted)

    def _test(self, values: ast.expr, classes: Iterable[str], is_denied: bool) -> str:
        written = ", ".join(classes)
        if isinstance(values, _COMPREHENSIONS):
            each, end = end_of(values.elt, self._lines), end_of(values, self._lines)
            test = f"any({self._written(values.elt)} in ({written}){self._text[each : end - 1].rstrip()})"
            return f"not {test}" if is_denied else test
        test = f"{{{written}}}.isdisjoint({self._written(values)})"
        return test if is_denied else f"not {test}"

    def _are_types(self, node: ast.expr) -> bool:
        is_name = isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in self._names
        return is_name or _is_collection(node)

    def _edit(self, node: ast.expr, written: str) -> TextEdit:
        return TextEdit(start_of(node, self._lines), end_of(node, self._lines), written)

    def _written(self, node: ast.expr) -> str:
        return written_of(node, self._lines)


def _is_collection(node: ast.expr) -> bool:
    """Whether an expression collects the types of values."""
    match node:
        case ast.ListComp(elt=each) | ast.SetComp(elt=each) | ast.GeneratorExp(elt=each):
            return is_type_of(each)
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="type"), _], keywords=[]):
            return True
        case ast.Call(func=ast.Name(id=container), args=[values], keywords=[]):
            return container in _CONTAINERS and _is_collection(values)
    return False


def _goes_by(node: ast.expr) -> bool:
    """Whether values can be gone through once only."""
    return isinstance(node, ast.GeneratorExp) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map"
    )
