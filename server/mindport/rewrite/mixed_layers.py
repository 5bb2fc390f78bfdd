"""Code for layers of several classes, `if isinstance(m, (nn.Linear, nn.Embedding)):` and `for m in net.modules():`:
their weights have different names in MindSpore, and none is right for all."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.layers_gone_through import (
    applied_functions,
    gives_all,
    gives_all_named,
    gives_named_parts,
    gives_parts,
)
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules
from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.rewrite.training.flow import suites, written
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.called_names import is_type_of
from mindport.usage.mixed_layers import NORM_AROUND_ANOTHER

_NORMS = frozenset(
    f"mindspore.nn.{name}"
    for name in ("BatchNorm1d", "BatchNorm2d", "SyncBatchNorm", "LayerNorm", "GroupNorm")
)
_TABLES = frozenset({"mindspore.nn.Embedding"})
_SLOPES = frozenset({"mindspore.nn.PReLU"})
_OF_TORCH = ("weight", "bias")
_READ_BY = {
    **dict.fromkeys(("weight", "gamma", "embedding_table"), "torch_weight"),
    **dict.fromkeys(("bias", "beta"), "torch_bias"),
}


def with_weights_of_all(before: str, text: str) -> str:
    """A text converted from `before` that reads weights and biases by a function where they may belong to layers with
    different names for them. The same text where there are none, or where it does not parse."""
    if not imports_torch(before) or not any(name in text for name in _READ_BY):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines, modules = LineIndex(text), mindspore_modules(tree)
    edits: dict[int, TextEdit] = {}
    helpers: set[str] = set()
    for layer, nodes in _for_several(tree, modules):
        for node in nodes:
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if name == layer:
                    helper = _READ_BY.get(attr)
                    if helper is not None:
                        helpers.add(helper)
                        start = start_of(node, lines)
                        edits[start] = TextEdit(start, end_of(node, lines), f"{helper}({layer})")
    for layer, node in _of_any_class(tree, lines):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Load()) if attr in _OF_TORCH:
                helper, written = _READ_BY[attr], f"{_READ_BY[attr]}({layer})"
            case ast.Call(args=[_, ast.Constant(value=str(attr))]) if attr in _OF_TORCH:
                helper, written = _READ_BY[attr], f"{_READ_BY[attr]}({layer}) is not None"
            case _:
                continue
        helpers.add(helper)
        start = start_of(node, lines)
        edits[start] = TextEdit(start, end_of(node, lines), written)
    text = with_edits(text, edits.values())
    for helper in sorted(helpers):
        text = with_definition(text, helper)
    return text


def _of_any_class(tree: ast.Module, lines: LineIndex) -> Iterator[tuple[str, ast.expr]]:
    """The attributes, and the questions whether there are such, of variables that go through all cells of a network, or
    that a function applied to them is given, and of what is looked up by a name that is made there, each with the
    variable or the text of it; without those of cells of one known class."""
    applied = {one.id for one in applied_functions(tree) if isinstance(one, ast.Name)}
    for layer, code in loops_over_layers(tree):
        yield from unnarrowed(code, layer)
    for node in every_node(tree):
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=[ast.arg(arg=layer)])) if name in applied:
                yield from unnarrowed(node.body, layer)
            case ast.Attribute(value=looked_up) if _looks_up(looked_up):
                yield written_of(looked_up, lines), node
        for body in suites(node):
            for at, statement in enumerate(body):
                match statement:
                    case ast.Assign(targets=[ast.Name(id=layer)], value=value) if _looks_up(value):
                        yield from unnarrowed(_until_bound(body[at + 1 :], layer), layer)


def _looks_up(node: ast.expr) -> bool:
    """Whether an expression is an attribute whose name is no text of the program: `getattr(net, f"layer{i}")`."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name], keywords=[]):
            return not isinstance(name, ast.Constant)
    return False


def _until_bound(body: Iterable[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements before the first one that may give a name another value."""
    return itertools.takewhile(lambda statement: name not in written(statement), body)


def loops_over_layers(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Each variable that goes through all cells of a network, and the code of its loop; of a comprehension what it
    makes, as the code behind its conditions."""
    for node in every_node(tree):
        match node:
            case ast.For(target=target, iter=iterated, body=body):
                layer = _layer_of_all(target, iterated) or _layer_of_parts(target, iterated)
                if layer:
                    yield layer, body
            case (
                ast.ListComp(elt=made, generators=[through])
                | ast.GeneratorExp(elt=made, generators=[through])
            ):
                layer = _layer_of_all(through.target, through.iter)
                if layer:
                    code: list[ast.stmt] = [ast.Expr(value=made)]
                    for condition in reversed(through.ifs):
                        code = [ast.If(test=condition, body=code, orelse=[])]
                    yield layer, code


def _layer_of_all(target: ast.expr, iterated: ast.expr) -> str:
    """The variable that goes through all cells of a network; empty for other loops."""
    return _gone_through(target, gives_all_named(iterated), gives_all(iterated))


def _layer_of_parts(target: ast.expr, iterated: ast.expr) -> str:
    """The variable that goes through the cells right inside of one; empty for other loops."""
    return _gone_through(target, gives_named_parts(iterated), gives_parts(iterated))


def _gone_through(target: ast.expr, with_names: bool, alone: bool) -> str:
    """The variable of a loop that takes a cell, from pairs with its name or by itself."""
    match target:
        case ast.Tuple(elts=[_, ast.Name(id=layer)]) if with_names:
            return layer
        case ast.Name(id=layer) if alone:
            return layer
    return ""


def unnarrowed(code: Iterable[ast.AST], layer: str) -> Iterator[tuple[str, ast.expr]]:
    """What is asked of a layer in code, outside of what only runs for a known class."""
    for part in code:
        match part:
            case ast.If(test=test, body=body, orelse=orelse):
                yield from unnarrowed([*([] if _tells_class(test, layer) else [test, *body]), *orelse], layer)
            case ast.IfExp(test=test, body=value, orelse=other):
                yield from unnarrowed([*([] if _tells_class(test, layer) else [test, value]), other], layer)
            case ast.Attribute(value=ast.Name(id=name)) if name == layer:
                yield layer, part
            case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=name), ast.Constant()]) if (
                name == layer
            ):
                yield layer, part
            case ast.FunctionDef() | ast.Lambda() | ast.JoinedStr():
                pass
            case _:
                yield from unnarrowed(children(part), layer)


def _tells_class(test: ast.expr, layer: str) -> bool:
    """Whether a test holds for layers of classes that it names only: there the names of weights are known already."""
    tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    words = [ast.unparse(one) for one in tests]
    signs = (f"isinstance({layer},", f"type({layer})", "__class__", "classname", ".find(")
    return any(sign in word for word in words if " or " not in word for sign in signs)


def _for_several(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[tuple[str, Iterator[ast.AST]]]:
    """Each variable that is known to be a layer of several classes with different names, and the code of which that is
    true."""
    for node in every_node(tree):
        if not isinstance(node, ast.If):
            continue
        # What is asked beside it with `and` is asked of the same layers.
        asked = (
            node.test.values
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
            else [node.test]
        )
        for number, test in enumerate(asked):
            layer = _layer_of_several(test, modules)
            if layer:
                code = [*asked[number + 1 :], *node.body]
                yield layer, (one for part in code for one in every_node(part))


def _layer_of_several(test: ast.expr, modules: Mapping[str, str]) -> str:
    """The variable that a test finds to be of one of several classes with different names; empty for any other test."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=layer), classes]):
            pass
        case ast.Compare(left=left, ops=[ast.In()], comparators=[classes]) if is_type_of(left):
            tested = left.args[0] if isinstance(left, ast.Call) else left.value  # type: ignore[attr-defined]
            if not isinstance(tested, ast.Name):
                return ""
            layer = tested.id
        case _:
            return ""
    names = {_kind(one, modules) for one in _elements(classes)}
    return layer if len(names) > 1 else ""


def _elements(classes: ast.expr) -> Iterator[ast.expr]:
    if isinstance(classes, (ast.Tuple, ast.List, ast.Set)):
        for one in classes.elts:
            yield from _elements(one)
    else:
        yield classes


def _kind(node: ast.expr, modules: Mapping[str, str]) -> str:
    """What a class calls its weight."""
    root, _, rest = ast.unparse(node).partition(".")
    full = f"{modules[root]}.{rest}" if root in modules else root
    helped = f"mindspore.nn.{full.removeprefix('Torch')}" if full.startswith("Torch") else full
    if helped == f"mindspore.nn.{NORM_AROUND_ANOTHER}":
        return "bn2d.gamma"
    if helped in _SLOPES:
        return "w"
    return "gamma" if helped in _NORMS else "embedding_table" if helped in _TABLES else "weight"
