"""Attributes and methods of a user's network that are called as MindSpore's Cell calls its own: `self.phase = "test"`
is another text after `set_train()`, without a word, `self.cells = nn.ModuleList(...)` raises, and a method
`get_parameters` is what every optimizer gets its parameters from."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set

import msgspec

from mindport.model.span import Span
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.names_of_cells import TAKEN

_OTHER = "_"  # what a name has behind it to be another one
_MAY_BE_OWN = re.compile(rf"(?:\bself\.|\bdef\s+|^\s+)(?:{'|'.join(sorted(TAKEN))})\b", re.MULTILINE)
_DEFINITION = re.compile(r"(?:async\s+)?def\s+")


class Renamed(msgspec.Struct, frozen=True):
    """What a converted text calls otherwise: these attributes, of its networks of these names."""

    attributes: frozenset[str] = frozenset()
    networks: frozenset[str] = frozenset()


def renamed_attributes(before: str, text: str, elsewhere: Set[str] = frozenset()) -> Renamed:
    """What gets another name in a text converted from `before`: nothing where it does not parse, and no attribute that
    the conversion writes itself. `elsewhere` has the names of networks of other files."""
    if _MAY_BE_OWN.search(before) is None or not (
        imports_torch(before) or any(one in before for one in elsewhere)
    ):
        return Renamed()
    try:
        tree_before, tree = parse_tree(before), parse_tree(text)
    except SYNTAX_ERRORS:
        return Renamed()
    networks = _networks(tree_before, tree, elsewhere)
    read, written = _of_self(tree_before), _of_self(tree)
    defined = _defined(networks)
    own = _kept(networks) | (_defined(_classes(tree_before)) & defined)
    names = (name for name in own if name in TAKEN and read[name] == written[name])
    return Renamed(
        frozenset(name for name in names if _other(name) not in defined | set(written)),
        frozenset(network.name for network in networks),
    )


def names_of_networks(before: str, text: str, elsewhere: Set[str]) -> frozenset[str]:
    """The names of the networks of a text converted from `before`, also of those that derive from ones `elsewhere`."""
    try:
        return frozenset(
            network.name for network in _networks(parse_tree(before), parse_tree(text), elsewhere)
        )
    except SYNTAX_ERRORS:
        return frozenset()


def named_as_before(before: str, text: str) -> frozenset[str]:
    """The names of Cell's that a text converted from `before` has behind dots as often as before, so that the
    conversion wrote none of them. What it defines at the top, the helpers, does not count."""
    try:
        tree_before, tree = parse_tree(before), parse_tree(text)
    except SYNTAX_ERRORS:
        return frozenset()
    known = {node.name for node in tree_before.body if isinstance(node, _DEFINING)}
    kept = [node for node in tree.body if not isinstance(node, _DEFINING) or node.name in known]
    named, named_now = _behind_dots(tree_before.body), _behind_dots(kept)
    return frozenset(name for name, count in named_now.items() if named[name] == count)


_DEFINING = (ast.FunctionDef, ast.ClassDef)


def _behind_dots(body: Iterable[ast.stmt]) -> Counter[str]:
    return Counter(
        node.attr
        for statement in body
        for node in every_node(statement)
        if isinstance(node, ast.Attribute) and node.attr in TAKEN
    )


def with_own_attributes(before: str, text: str, renamed: Renamed, elsewhere: Iterable[Span] = ()) -> str:
    """A text converted from `before` whose networks have other names for attributes that Cell has, too. `renamed` is
    what `renamed_attributes` says of the two texts. `elsewhere`: the names of such attributes, in `text`, that the
    project tells to be those of networks with other names."""
    lines = LineIndex(text)
    ends = {lines.offset(span.end) for span in elsewhere}
    if renamed.attributes:
        tree = parse_tree(text)
        networks = [one for one in _classes(tree) if one.name in renamed.networks]
        attributes = _attributes(tree, networks)
        ends |= {end_of(node, lines) for node in attributes if node.attr in renamed.attributes}
        ends |= {end for name, end in _definitions(networks, lines) if name in renamed.attributes}
    return with_edits(text, (TextEdit(end, end, _OTHER) for end in ends))


def _other(name: str) -> str:
    return f"{name}{_OTHER}"


def _networks(before: ast.Module, tree: ast.Module, elsewhere: Set[str]) -> list[ast.ClassDef]:
    """The networks of a converted text but those that were cells before: they mean Cell's own."""
    cells = {network.name for network in networks_of(before)}
    return [network for network in networks_of(tree, elsewhere) if network.name not in cells]


def _of_self(tree: ast.AST) -> Counter[str]:
    """How often each attribute of `self` is named."""
    return Counter(
        node.attr for node in every_node(tree) if isinstance(node, ast.Attribute) and _is_self(node.value)
    )


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _kept(networks: list[ast.ClassDef]) -> set[str]:
    """The attributes of `self` that hold something: assigned here, or read and never called, which a base class of
    another file assigns. Methods are none of them."""
    assigned: set[str] = set()
    read: set[str] = set()
    called: set[str] = set()
    for network in networks:
        for node in every_node(network):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    called.add(name)
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=context):
                    (assigned if isinstance(context, ast.Store) else read).add(name)
    methods = {
        node.name for network in networks for node in network.body if isinstance(node, ast.FunctionDef)
    }
    return (assigned | (read - called)) - methods


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in every_node(tree) if isinstance(node, ast.ClassDef))


def _defined(classes: Iterable[ast.ClassDef]) -> set[str]:
    """The methods of classes, and what stands in their bodies."""
    return {name for one in classes for statement in one.body for name, _ in _named_in_body(statement)}


def _named_in_body(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt | ast.Name]]:
    """The names that a statement in the body of a class gives it, each with where it stands."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, statement
        case ast.Assign(targets=targets):
            yield from ((one.id, one) for one in targets if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name) as target):
            yield name, target


def _definitions(networks: list[ast.ClassDef], lines: LineIndex) -> Iterator[tuple[str, int]]:
    """The names that stand in the bodies of networks, each with where it ends."""
    for network in networks:
        for statement in network.body:
            for name, node in _named_in_body(statement):
                if isinstance(node, ast.Name):
                    yield name, end_of(node, lines)
                elif (found := _DEFINITION.match(lines.text, start_of(node, lines))) is not None:
                    yield name, found.end() + len(name)


def _attributes(tree: ast.Module, networks: list[ast.ClassDef]) -> Iterator[ast.Attribute]:
    """The attributes of networks: of `self` and `super()` in their classes, and of variables that hold one."""
    for network in networks:
        for node in every_node(network):
            match node:
                case ast.Attribute(value=ast.Name(id="self") | ast.Call(func=ast.Name(id="super"))):
                    yield node
    classes = {network.name for network in networks}
    made: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for node in every_node(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] += 1
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if (
                called in classes
            ):
                made[name] += 1
    for node in every_node(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if made[name] and made[name] == bound[name]:
                yield node
