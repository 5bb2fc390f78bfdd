"""Tests of layers against a class that a variable holds: `isinstance(m, KINDS[name])`, `type(m) in kinds`, and what is
looked up by the class of a layer in a table that a variable holds, `settings[type(m)]`. A class that is handed on is
written as the helper with torch's arguments, of which only some of the layers are instances."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator

from mindport.mapping.index import load_index
from mindport.mapping.standing_classes import helper_base
from mindport.rewrite.defined_helpers import own_code, with_definition
from mindport.rewrite.layers_gone_through import GOES_THROUGH_LAYERS
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.tested_tuples import is_only_tested
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.called_names import is_type_of

TEST = "torch_isinstance"
EXACT_TEST = "torch_has_class"
"""The helpers that test for the class that a layer has in torch, and for no class that derives from it."""
AMONG = "torch_class_among"
"""The helper that gives the class among several, as the keys of a table, that a layer has in torch."""

_SIGNS = ("isinstance(", "type(", "__class__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DISPLAYS = (ast.Tuple, ast.List)
_COMPARISONS = (ast.In, ast.NotIn, ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def with_tests_of_held_classes(before: str, text: str, is_built: Callable[[str], bool]) -> str:
    """A text converted from `before` in which tests for classes that variables hold find the same layers as in torch.
    The same text where it goes through no layers, where the project has no helpers for layers (`is_built` tells), or
    where it does not parse."""
    if not any(sign in text for sign in _SIGNS) or not GOES_THROUGH_LAYERS.search(text):
        return text
    # What goes through layers that others built imports torch no more than it has to.
    if not imports_torch(before) and before == text:
        return text
    if not any(map(is_built, _helpers_of_layers())):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    edits = []
    helpers: dict[str, None] = {}
    for owner, key in _looked_up(tree):
        edits.append(TextEdit(start_of(key, lines), end_of(key, lines), _class_among(key, owner, lines)))
        helpers[AMONG] = None
    for node in _tests(tree):
        helper, asked = (TEST, node.func) if isinstance(node, ast.Call) else (EXACT_TEST, node)
        written = helper if isinstance(node, ast.Call) else _exact_test(node, lines)
        edits.append(TextEdit(start_of(asked, lines), end_of(asked, lines), written))
        helpers[helper] = None
    text = with_edits(text, edits) if edits else text
    for helper in helpers:
        text = with_definition(text, helper)
    return text


def _exact_test(node: ast.Compare, lines: LineIndex) -> str:
    """The comparison `type(m) in kinds` as a call of the helper."""
    layer, kinds = _layer(node.left, lines), written_of(node.comparators[0], lines)
    negation = "not " if isinstance(node.ops[0], (ast.NotIn, ast.NotEq, ast.IsNot)) else ""
    return f"{negation}{EXACT_TEST}({layer}, {kinds})"


def _class_among(key: ast.expr, owner: ast.expr, lines: LineIndex) -> str:
    """`type(m)`, by which something is looked up in what a variable holds, as a call of the helper."""
    return f"{AMONG}({_layer(key, lines)}, {written_of(owner, lines)})"


def _layer(asked: ast.expr, lines: LineIndex) -> str:
    """What `type(m)` or `m.__class__` asks for the class of."""
    match asked:
        case ast.Call(args=[layer]) | ast.Attribute(value=layer):
            return written_of(layer, lines)
    return written_of(asked, lines)


@functools.cache
def _helpers_of_layers() -> tuple[str, ...]:
    """The helpers that are classes of layers."""
    index = load_index()
    mappings = [index.find(api) for api in index.names() if api.startswith("torch.nn.")]
    helpers = {case.helper for mapping in mappings if mapping is not None for case in mapping.cases}
    return tuple(sorted(one for one in helpers if one and helper_base(one) is not None))


def _looked_up(tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The tables that functions are given or objects keep, in which something is looked up by the class of a value,
    and what says that class."""
    for scope in every_node(own_code(tree)):
        if not isinstance(scope, _FUNCTIONS):
            continue
        arguments = scope.args
        given = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        for node in _own_nodes(scope):
            match node:
                case ast.Subscript(value=owner, slice=key, ctx=ast.Load()):
                    pass
                case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, *_]):
                    pass
                case _:
                    continue
            match owner:
                case ast.Name(id=name):
                    is_held = name in given
                case ast.Attribute(value=ast.Name(id="self")):
                    is_held = True
                case _:
                    is_held = False
            if is_held and is_type_of(key):
                yield owner, key


def _tests(tree: ast.Module) -> Iterator[ast.Call | ast.Compare]:
    """The calls of `isinstance`, and the comparisons of types, with a class that a variable holds."""
    named = {
        alias.asname or alias.name.partition(".")[0]
        for node in every_node(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    named |= {node.name for node in every_node(tree) if isinstance(node, ast.ClassDef)}
    yield from _tests_in(tree, own_code(tree), _held(tree) - named, named)


def _tests_in(
    scope: ast.AST, node: ast.AST, held: set[str], named: set[str]
) -> Iterator[ast.Call | ast.Compare]:
    for child in children(node):
        if isinstance(child, _FUNCTIONS):
            yield from _tests_in(child, child, held | (_held(child) - named), named)
            continue
        match child:
            case ast.Call(func=ast.Name("isinstance"), args=[_, kinds]) if _is_held(kinds, held, scope):
                yield child
            case ast.Compare(
                left=left, ops=[op], comparators=[ast.Name() | ast.Attribute() | ast.Subscript() as kinds]
            ) if is_type_of(left) and isinstance(op, _COMPARISONS) and _is_held(kinds, held, scope):
                yield child
        yield from _tests_in(scope, child, held, named)


def _is_held(kinds: ast.expr, held: set[str], scope: ast.AST) -> bool:
    """Whether what is tested for, or one of several classes, is the value of a variable. One that the function calls
    is passed over: it has built the layers itself."""
    match kinds:
        case ast.Tuple(elts=several):
            return any(_is_held(one, held, scope) for one in several)
        case ast.Name(name):
            return name in held and not any(
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
                for node in every_node(scope)
            )
        case ast.Attribute(value=ast.Name(owner), attr=attribute):
            return owner in held and attribute.islower()
        case ast.Subscript() | ast.Call(func=ast.Name("tuple" | "getattr")):
            return True
        case ast.Call(func=ast.Name("type"), args=[one]):
            return not isinstance(one, ast.Constant)
        case ast.Call(func=ast.Attribute(attr="get" | "values")):
            return True
    return False


def _held(scope: ast.AST) -> set[str]:
    """The names of parameters, of what loops go through, and of what is assigned in a scope: not those of plain
    values, nor of the tuples that are whole already because they are there for tests alone."""
    found: set[str] = set()
    for node in _own_nodes(scope):
        targets: list[ast.expr] = []
        match node:
            case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
                targets = [target]
            case ast.Assign(targets=targets, value=value) if isinstance(value, (ast.Constant, ast.Dict)):
                targets = []
            case ast.Assign(value=ast.Call(func=ast.Name("namedtuple") | ast.Attribute(attr="namedtuple"))):
                targets = []
            case ast.Assign(targets=[ast.Name(name)], value=value) if isinstance(value, _DISPLAYS):
                targets = [] if is_only_tested(name, scope) else node.targets
        found |= {one.id for target in targets for one in every_node(target) if isinstance(one, ast.Name)}
    if isinstance(scope, _FUNCTIONS):
        arguments = scope.args
        found |= {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return found


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What is in a scope, without the functions in it."""
    for node in children(scope):
        if not isinstance(node, _FUNCTIONS):
            yield node
            yield from _own_nodes(node)
