"""Attributes of a user's network that are called as MindSpore's Cell calls its own: `self.phase = "test"` is another
text after `set_train()`, without a word, and `self.cells = nn.ModuleList(...)` raises."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from mindport.model.span import Span
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.names_of_cells import TAKEN

_OTHER = "_"  # what a name has behind it to be another one


class Renamed(msgspec.Struct, frozen=True):
    """What a converted text calls otherwise: these attributes, of its networks of these names."""

    attributes: frozenset[str] = frozenset()
    networks: frozenset[str] = frozenset()


def renamed_attributes(before: str, text: str) -> Renamed:
    """What gets another name in a text converted from `before`: nothing where it does not parse, and no attribute that
    the conversion writes itself."""
    if not imports_torch(before) or not any(f"self.{name}" in before for name in TAKEN):
        return Renamed()
    try:
        tree_before, tree = parse_tree(before), parse_tree(text)
    except SYNTAX_ERRORS:
        return Renamed()
    networks = _networks(tree_before, tree)
    read, written = _of_self(tree_before), _of_self(tree)
    names = (name for name in _kept(networks) if name in TAKEN and read[name] == written[name])
    return Renamed(
        frozenset(name for name in names if _other(name) not in written),
        frozenset(network.name for network in networks),
    )


def with_own_attributes(before: str, text: str, renamed: Renamed, elsewhere: Iterable[Span] = ()) -> str:
    """A text converted from `before` whose networks have other names for attributes that Cell has, too. `renamed` is
    what `renamed_attributes` says of the two texts. `elsewhere`: the names of such attributes, in `text`, that the
    project tells to be those of networks with other names."""
    lines = LineIndex(text)
    ends = {lines.offset(span.end) for span in elsewhere}
    if renamed.attributes:
        tree = parse_tree(text)
        attributes = _attributes(tree, _networks(parse_tree(before), tree))
        ends |= {end_of(node, lines) for node in attributes if node.attr in renamed.attributes}
    return with_edits(text, (TextEdit(end, end, _OTHER) for end in ends))


def _other(name: str) -> str:
    return f"{name}{_OTHER}"


def _networks(before: ast.Module, tree: ast.Module) -> list[ast.ClassDef]:
    """The networks of a converted text but those that were cells before: they mean Cell's own."""
    cells = {network.name for network in networks_of(before)}
    return [network for network in networks_of(tree) if network.name not in cells]


def _of_self(tree: ast.AST) -> Counter[str]:
    """How often each attribute of `self` is named."""
    return Counter(
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_self(node.value)
    )


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _kept(networks: list[ast.ClassDef]) -> set[str]:
    """The attributes of `self` that hold something: assigned here, or read and never called, which a base class of
    another file assigns. Methods are none."""
    assigned: set[str] = set()
    read: set[str] = set()
    called: set[str] = set()
    for network in networks:
        for node in ast.walk(network):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    called.add(name)
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=context):
                    (assigned if isinstance(context, ast.Store) else read).add(name)
    methods = {
        node.name for network in networks for node in network.body if isinstance(node, ast.FunctionDef)
    }
    return (assigned | (read - called)) - methods


def _attributes(tree: ast.Module, networks: list[ast.ClassDef]) -> Iterator[ast.Attribute]:
    """The attributes of networks: of `self` in their classes, and of variables that one is assigned to."""
    for network in networks:
        for node in ast.walk(network):
            if isinstance(node, ast.Attribute) and _is_self(node.value):
                yield node
    classes = {network.name for network in networks}
    made: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] += 1
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if (
                called in classes
            ):
                made[name] += 1
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if made[name] and made[name] == bound[name]:
                yield node
