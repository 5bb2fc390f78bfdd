"""Code for layers of several classes, `if isinstance(m, (nn.Linear, nn.Embedding)):`, whose weights have different
names in MindSpore: none of these names is right for all."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.expressions import is_type_of

_NORMS = frozenset(
    f"mindspore.nn.{name}"
    for name in ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm")
)
_TABLES = frozenset({"mindspore.nn.Embedding"})
_READ_BY = {
    **dict.fromkeys(("weight", "gamma", "embedding_table"), "torch_weight"),
    **dict.fromkeys(("bias", "beta"), "torch_bias"),
}


def with_weights_of_all(before: str, text: str) -> str:
    """A text converted from `before` that reads weights and biases by a function where they may belong to layers with
    different names for them. The same text where there are none, or where it does not parse."""
    if not imports_torch(before) or not any(f".{name}" in text for name in _READ_BY):
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
    text = with_edits(text, edits.values())
    for helper in sorted(helpers):
        text = with_definition(text, helper)
    return text


def _for_several(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[tuple[str, Iterator[ast.AST]]]:
    """Each variable that is known to be a layer of several classes with different names, and the code of which that is
    true."""
    for node in ast.walk(tree):
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
                yield layer, (one for part in code for one in ast.walk(part))


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
    return "gamma" if helped in _NORMS else "embedding_table" if helped in _TABLES else "weight"
