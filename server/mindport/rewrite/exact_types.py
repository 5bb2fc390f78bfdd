"""Comparisons of types in converted code: `type(m) == nn.Conv2d` held for all convolutions of torch, of which some are
built by a class of their own now. `isinstance` needs nothing, where that class derives from the other; several classes
in the place of one, such as the base class of all poolings, are completed."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator

from mindport.mapping.index import load_index
from mindport.mapping.standing_classes import helper_base, standing_classes
from mindport.model.target import Device
from mindport.rewrite.collected_types import CollectedTypes
from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules, written_short
from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.source.written_names import last_name
from mindport.usage.called_names import is_type_of

_LAYERS = "torch.nn."
_PARAMETER = "mindspore.Parameter"
"""The class that those of all parameters derive from: each is of one that is made for it."""
_EQUAL, _DIFFERENT = (ast.Eq, ast.Is), (ast.NotEq, ast.IsNot)
_DISPLAYS = (ast.Tuple, ast.List, ast.Set)
_SIGNS = ("type(", "__class__", "isinstance(", "map(type,")

IsBuilt = Callable[[str], bool]
"""Whether the project builds layers by the helper of that name."""


def with_exact_types(before: str, text: str, is_built: IsBuilt, device: Device) -> str:
    """A text converted from `before` whose comparisons of types hold for the same layers. The same text where there are
    none, where it does not parse, or where they were about MindSpore already."""
    if not any(sign in text for sign in _SIGNS) or not imports_torch(before):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    comparisons = _Comparisons(tree, text, lines, is_built, device)
    edits = [edit for scope in _scopes(tree) for edit in comparisons.edits(scope)]
    text = with_edits(text, edits)
    for helper in sorted(comparisons.named):
        text = with_definition(text, helper)
    return text


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    yield tree
    for node in every_node(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a scope, without the functions in it."""
    for node in children(scope):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _own_nodes(node)


class _Comparisons:
    """The comparisons of types of one text; `named` are the helpers that were written into some."""

    def __init__(
        self, tree: ast.Module, text: str, lines: LineIndex, is_built: IsBuilt, device: Device
    ) -> None:
        self._text = text
        self._lines = lines
        self._modules = mindspore_modules(tree)
        self._is_built = is_built
        self._companions = _companions(device)
        self._tables = _tables_of_types(tree)
        self.named: set[str] = set()

    def edits(self, scope: ast.AST) -> Iterator[TextEdit]:
        """The edits in a scope, not in those inside it."""
        nodes = list(_own_nodes(scope))
        types = {
            target.id
            for node in nodes
            if isinstance(node, ast.Assign) and is_type_of(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        yield from CollectedTypes(nodes, self._text, self._lines, self._all).edits()
        for node in nodes:
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                yield from self._comparison(node, node.ops[0], types)
            elif isinstance(node, ast.Dict) and node in self._tables:
                yield from self._table(node)
            elif isinstance(node, ast.Call):
                yield from self._several(node)

    def _several(self, node: ast.Call) -> Iterator[TextEdit]:
        """Further classes for `isinstance(m, (nn.MaxPool1d, nn.MaxPool2d))`, less what derives from these."""
        is_test = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if not is_test or len(node.args) != 2:
            return
        classes = node.args[1]
        if not isinstance(classes, ast.Tuple) or not classes.elts:
            return
        named = [one for one in every_node(classes) if isinstance(one, (ast.Name, ast.Attribute))]
        known = {ast.unparse(one) for one in named}
        names = {self._full_name(one) for one in named}
        others = dict.fromkeys(
            other
            for one in named
            for other in self._others(one)
            if other not in known and helper_base(other) not in names
        )
        if others:
            end = end_of(classes.elts[-1], self._lines)
            yield TextEdit(end, end, "".join(f", {name}" for name in others))

    def _comparison(self, node: ast.Compare, op: ast.cmpop, types: set[str]) -> Iterator[TextEdit]:
        asked, given = node.left, node.comparators[0]
        if is_type_of(given) and isinstance(op, (*_EQUAL, *_DIFFERENT)):
            asked, given = given, asked
        if not is_type_of(asked) and not (isinstance(asked, ast.Name) and asked.id in types):
            return
        if isinstance(op, (ast.In, ast.NotIn)) and isinstance(given, _DISPLAYS):
            known = {ast.unparse(one) for one in given.elts}
            for one in given.elts:
                others = [name for name in self._others(one) if name not in known]
                if others:
                    end = end_of(one, self._lines)
                    yield TextEdit(end, end, "".join(f", {name}" for name in others))
        elif isinstance(op, (*_EQUAL, *_DIFFERENT)) and self._full_name(given) == _PARAMETER:
            start, end = start_of(node, self._lines), end_of(node, self._lines)
            written = _instance_test(asked, given, self._written)
            yield TextEdit(start, end, written if isinstance(op, _EQUAL) else f"not {written}")
        elif isinstance(op, (*_EQUAL, *_DIFFERENT)) and (others := self._others(given)):
            word = "in" if isinstance(op, _EQUAL) else "not in"
            classes = ", ".join((self._written(given), *others))
            start, end = start_of(node, self._lines), end_of(node, self._lines)
            between = self._text[end_of(node.left, self._lines) : start_of(node.comparators[0], self._lines)]
            if re.fullmatch(r"\s*(==|!=|is|is\s+not)\s*", between):
                yield TextEdit(start, end, f"{self._written(asked)} {word} ({classes})")

    def _table(self, node: ast.Dict) -> Iterator[TextEdit]:
        """Further entries for the other classes that the layers of a key may have."""
        known = {ast.unparse(key) for key in node.keys if key is not None}
        for key, value in zip(node.keys, node.values, strict=True):
            others = [] if key is None else [name for name in self._others(key) if name not in known]
            if key is None or not others:
                continue
            end = end_of(value, self._lines)
            if isinstance(value, _REPEATABLE):
                yield TextEdit(end, end, "".join(f", {name}: {self._written(value)}" for name in others))
            else:  # it is made once, for all of them
                start, behind = start_of(key, self._lines), end_of(key, self._lines)
                classes = ", ".join((self._written(key), *others))
                yield TextEdit(start, behind, f"**dict.fromkeys(({classes})")
                yield TextEdit(behind, self._text.index(":", behind) + 1, ",")
                yield TextEdit(end, end, ")")

    def _written(self, node: ast.expr) -> str:
        return written_of(node, self._lines)

    def _full_name(self, node: ast.expr) -> str:
        dotted = ast.unparse(node)
        root, _, rest = dotted.partition(".")
        return f"{self._modules[root]}.{rest}" if root in self._modules else dotted

    def _all(self, node: ast.expr) -> tuple[str, ...]:
        return (self._written(node), *self._others(node))

    def _others(self, node: ast.expr) -> list[str]:
        """How the other classes are written that a layer of this class may have; notes those that are helpers."""
        found = []
        for name in self._companions.get(self._full_name(node), ()):
            if helper_base(name) is not None:
                if self._is_built(name):
                    self.named.add(name)
                    found.append(name)
            elif (written := written_short(name, self._modules)) is not None:
                found.append(written)
        return found


_REPEATABLE = (ast.Name, ast.Attribute, ast.Constant, ast.Lambda)
"""What an entry of a table may hold to be written twice."""


def _tables_of_types(tree: ast.Module) -> set[ast.Dict]:
    """The dictionaries in which something is looked up by its type: `{nn.Conv2d: f}[type(m)]`, also by a name that they
    have."""
    nodes = every_node(tree)
    types = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and is_type_of(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def is_type(node: ast.expr) -> bool:
        return is_type_of(node) or (isinstance(node, ast.Name) and node.id in types)

    owners: list[ast.expr] = []
    for node in nodes:
        match node:
            case ast.Subscript(value=owner, slice=key) if is_type(key):
                owners.append(owner)
            case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, *_]) if is_type(key):
                owners.append(owner)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[owner]) if is_type(key):
                owners.append(owner)
    names = set(map(last_name, owners)) - {""}
    assigned = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign) and any(last_name(target) in names for target in node.targets)
    ]
    return {table for table in (*owners, *assigned) if isinstance(table, ast.Dict)}


def _instance_test(asked: ast.expr, given: ast.expr, written: Callable[[ast.expr], str]) -> str:
    """The test whether what is asked for the type of, `type(x)` or a name for it, is an instance of the class."""
    match asked:
        case ast.Call(args=[value]) | ast.Attribute(value=value, attr="__class__"):
            return f"isinstance({written(value)}, {written(given)})"
    return f"issubclass({written(asked)}, {written(given)})"


@functools.cache
def _companions(device: Device) -> dict[str, tuple[str, ...]]:
    """Class of MindSpore, or helper -> the other classes that layers of the same class of torch may have."""
    index = load_index()
    found: dict[str, tuple[str, ...]] = {}
    for api in index.names():
        if not api.startswith(_LAYERS) or not api.rpartition(".")[2][:1].isupper():
            continue
        mapping = index.find(api)
        cases = [] if mapping is None else mapping.cases
        classes = standing_classes(one for one in cases if not one.devices or device.value in one.devices)
        if len(classes) > 1 and not any("$call" in case.when for case in cases):
            found.setdefault(classes[0], classes[1:])
            for one in classes[1:]:  # a class that is handed on is written as that of the helper
                found.setdefault(one, tuple(other for other in classes if other != one))
    return found
