"""Takes no tensor out of the gradient that leaves it anyway: `ops.stop_gradient(x).asnumpy()`, which is what becomes of
`x.detach().cpu().numpy()` at first, is `x.asnumpy()`. torch asks for `detach` there; the array has the same memory in
MindSpore without."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from mindport.mapping.converters import is_atom
from mindport.model.span import Edit
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.defined_helpers import own_code
from mindport.rewrite.imports import used_names
from mindport.rewrite.mindspore_imports import import_edits
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name

_DETACHED = "mindspore.ops.stop_gradient"
_LEAVES = ("asnumpy", "item", "tolist")


def without_idle_detachments(before: str, text: str) -> str:
    """A text converted from `before` in which nothing is detached only to become an array or a number. The same text
    where it was about MindSpore already, or does not parse."""
    if "stop_gradient" not in text or not imports_torch(before) or "stop_gradient" in before:
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    modules = mindspore_modules(tree)
    edits = []
    for call in _idle(own_code(tree), modules):
        value = lines.slice(span_of(call.args[0], lines))
        edits.append(Edit(span_of(call, lines), value if is_atom(value) else f"({value})"))
    if not edits:
        return text
    used = used_names(parse_tree(apply_edits(text, edits)))
    return apply_edits(text, [*edits, *import_edits(tree, frozenset(), used, lines)])


def _idle(own: ast.Module, modules: Mapping[str, str]) -> Iterator[ast.Call]:
    """The calls that detach what becomes an array or a number, through methods and indexes; inner ones are left. The
    list that an array becomes has it once, too."""
    found: dict[int, ast.Call] = {}
    for node in every_node(own):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _LEAVES:
                while not _is_detached(value, modules):
                    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                        value = value.func.value
                    elif isinstance(value, (ast.Subscript, ast.Attribute)):
                        value = value.value
                    else:
                        break
                else:
                    assert isinstance(value, ast.Call)
                    found[id(value)] = value
    inner = {id(node) for call in found.values() for node in every_node(call) if node is not call}
    yield from (call for key, call in found.items() if key not in inner)


def _is_detached(node: ast.expr, modules: Mapping[str, str]) -> bool:
    match node:
        case ast.Call(func=func, args=[_], keywords=[]):
            parts = dotted_name(func)
            return parts is not None and ".".join((modules.get(parts[0], ""), *parts[1:])) == _DETACHED
    return False
