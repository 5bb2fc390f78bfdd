"""Buffers that get another tensor by a name that is computed, `setattr(layer, name + "_u", u)`: a Cell takes none that
way, and only running tells which attributes are buffers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.rewrite.defined_helpers import own_code, with_definition
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

SETTER = "torch_setattr"
"""The helper that sets an attribute, or a buffer."""

_ANYTHING = "\0"
_FIELD = re.compile(r"\{[^{}]*\}|%\(?\w*\)?[sdr]")
_LAYERS = ("nn.", "mindspore.nn.", "mindspore.Parameter", "Parameter", "mint.nn.")


def with_buffers_set_by_name(before: str, text: str) -> str:
    """A text converted from `before` whose calls of setattr give another tensor to a buffer, too, where one may be
    meant. The same text where there are none, or where it does not parse."""
    if "setattr(" not in text or "register_buffer" not in text or not imports_torch(before):
        return text
    edited = with_edits_of_tree(text, _edits)
    return text if edited == text else with_definition(edited, SETTER)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    own = own_code(tree)
    registered = _registered(own)
    for call in _calls(own, registered, registered):
        yield TextEdit(start_of(call.func, lines), end_of(call.func, lines), SETTER)


def _calls(tree: ast.AST, registered: list[str], owned: list[str]) -> Iterator[ast.Call]:
    """The calls of setattr that may mean one of the buffers `registered` in the file, or, of `self`, one of those
    `owned`, which its class registers."""
    for node in children(tree):
        if isinstance(node, ast.ClassDef):
            own = _registered(node) if _derives_from_layer(node) else registered
            yield from _calls(node, registered, own)
            continue
        match node:
            case ast.Call(func=ast.Name(id="setattr"), args=[owner, name, value], keywords=[]):
                is_own = isinstance(owner, ast.Name) and owner.id == "self"
                asked = _shape(name)
                meant = any(_may_be_same(asked, one) for one in (owned if is_own else registered))
                if meant and _may_be_tensor(value):
                    yield node
        yield from _calls(node, registered, owned)


def _derives_from_layer(node: ast.ClassDef) -> bool:
    """Whether all that a class has of buffers stands in it."""
    return all(ast.unparse(base) in ("nn.Cell", "mindspore.nn.Cell", "object") for base in node.bases)


def _registered(tree: ast.AST) -> list[str]:
    """The names that code registers buffers by, as far as they are known."""
    return [
        _shape(name)
        for node in every_node(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr == "register_buffer"
        for name in [*node.args[:1], *(one.value for one in node.keywords if one.arg == "name")]
    ]


def _shape(name: ast.expr) -> str:
    """A name with a sign for each part that only running tells."""
    match name:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _shape(left) + _shape(right)
        case ast.JoinedStr(values=values):
            return "".join(map(_shape, values))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return _FIELD.sub(_ANYTHING, text)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return _FIELD.sub(_ANYTHING, text)
    return _ANYTHING


def _may_be_same(first: str, second: str) -> bool:
    """Whether two names, of which parts are not known, may be one."""
    begins = first.partition(_ANYTHING)[0], second.partition(_ANYTHING)[0]
    ends = first.rpartition(_ANYTHING)[2], second.rpartition(_ANYTHING)[2]
    if _ANYTHING not in first + second:
        return first == second
    is_begun = begins[0].startswith(begins[1]) or begins[1].startswith(begins[0])
    return is_begun and (ends[0].endswith(ends[1]) or ends[1].endswith(ends[0]))


def _may_be_tensor(value: ast.expr) -> bool:
    """Whether a value may be a tensor that is no parameter: neither written out nor what a layer's class makes."""
    match value:
        case ast.Constant() | ast.Lambda() | ast.JoinedStr() | ast.List() | ast.Dict() | ast.Tuple():
            return False
        case ast.Call(func=made):
            return not ast.unparse(made).startswith(_LAYERS) or ast.unparse(made).startswith("nn.functional")
    return True
