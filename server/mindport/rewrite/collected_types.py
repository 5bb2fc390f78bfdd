"""Tests for one class among the types of several values: `nn.Linear in [type(m) for m in net]`, and
`kinds.count(nn.Linear)` of `kinds = list(map(type, net))`. So are tables that types are counted or listed in,
`counts[nn.Linear]` of `counts = Counter(map(type, net))`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.usage.called_names import is_type_of

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_CONTAINERS = ("list", "tuple", "set", "frozenset")
_COUNTER = "Counter"


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
                if _is_empty_table(node.value):
                    continue
                is_kept = _is_collection(node.value) and not _goes_by(node.value)
                found = collected if is_kept else others
                found |= {ast.unparse(node.targets[0])}
        self._counted, self._listed = (
            set(_filled(nodes, is_number=True)),
            set(_filled(nodes, is_number=False)),
        )
        self._names = (collected | self._counted | self._listed) - others

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
                case ast.Subscript(value=values, slice=kind, ctx=ast.Load()):
                    if len(classes := self._classes_in(values, kind)) > 1:
                        yield self._edit(
                            node, self._of_all(values, classes, f"{self._written(values)}[kind]")
                        )
                case ast.Call(
                    func=ast.Attribute(value=values, attr="get") as get, args=[kind, *_], keywords=[]
                ):
                    if len(classes := self._classes_in(values, kind)) > 1 and self._is_neutral(node, values):
                        behind = self._text[end_of(kind, self._lines) : end_of(node, self._lines)]
                        found = f"{self._written(get)}(kind{behind}"
                        yield self._edit(node, self._of_all(values, classes, found))

    def _classes_in(self, values: ast.expr, kind: ast.expr) -> Sequence[str]:
        """The classes that a key of such a table stands for."""
        is_table = ast.unparse(values) in self._names & (self._counted | self._listed)
        return self._classes(kind) if is_table and isinstance(kind, (ast.Name, ast.Attribute)) else ()

    def _is_neutral(self, node: ast.Call, values: ast.expr) -> bool:
        """Whether nothing is added by what `get` gives for a class that is not in the table."""
        match node.args[1:]:
            case [ast.Constant(value=0)]:
                return ast.unparse(values) in self._counted
            case [ast.List(elts=[]) | ast.Tuple(elts=[])]:
                return ast.unparse(values) in self._listed
        return False

    def _of_all(self, values: ast.expr, classes: Iterable[str], found: str) -> str:
        written = ", ".join(classes)
        if ast.unparse(values) in self._counted:
            return f"sum({found} for kind in ({written}))"
        return f"[one for kind in ({written}) for one in {found}]"

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
        case ast.Call(
            func=ast.Name(id=container) | ast.Attribute(attr=container), args=[values], keywords=[]
        ):
            return container in (*_CONTAINERS, _COUNTER) and _is_collection(values)
    return False


def _filled(nodes: Sequence[ast.AST], *, is_number: bool) -> Iterator[str]:
    """The tables in which numbers are added up by the types of values, or values are listed by them."""
    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=made)) if (
                is_number and _is_collection(node.value) and ast.unparse(made).rpartition(".")[2] == _COUNTER
            ):
                yield ast.unparse(target)
            case ast.AugAssign(target=ast.Subscript(value=table, slice=key), op=ast.Add()) if (
                is_number and is_type_of(key)
            ):
                yield ast.unparse(table)
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=table, slice=key), attr="append")) if (
                not is_number and is_type_of(key)
            ):
                yield ast.unparse(table)


def _is_empty_table(node: ast.expr) -> bool:
    """Whether an expression makes a table that is filled later."""
    match node:
        case ast.Dict(keys=[]):
            return True
        case ast.Call(func=made, args=[] | [ast.Name(id="int" | "float" | "list")], keywords=[]):
            return ast.unparse(made).rpartition(".")[2] in (_COUNTER, "defaultdict", "dict", "OrderedDict")
    return False


def _goes_by(node: ast.expr) -> bool:
    """Whether values can be gone through once only."""
    return isinstance(node, ast.GeneratorExp) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map"
    )
