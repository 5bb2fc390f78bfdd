"""`copy.deepcopy(net)` and its like, of whatever may hold tensors: MindSpore's tensors that are no parameters share
the memory of those that they are copies of, so that averages of a network, which are written in place, write the
buffers of the network, too. A function gives each copy its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.defined_helpers import own_code, with_definition
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_MODULE, _FUNCTION, _HELPER = "copy", "deepcopy", "torch_deepcopy"
_SETTINGS = frozenset({
    *("args", "cfg", "conf", "config", "configs", "configuration", "flags", "hparams", "hyperparameters"),
    *("options", "opts", "setting", "settings"),
})  # fmt: skip
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant, ast.JoinedStr, ast.expr_context)


def with_memory_of_copies(before: str, text: str) -> str:
    """A text converted from `before` in which copies of tensors have memory of their own. The same text where nothing
    is copied so, or where it does not parse."""
    if _FUNCTION not in text or not imports_torch(before):
        return text
    edited = with_edits_of_tree(text, _edits)
    return text if edited == text else with_definition(edited, _HELPER)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    functions, modules = _names(tree)
    own = own_code(tree)
    handed = {node.vararg.arg for node in every_node(tree) if isinstance(node, ast.arguments) and node.vararg}
    settings = _SETTINGS - handed  # what stands in `*args` may be tensors
    plain = {
        id(node.func) for node in every_node(own) if isinstance(node, ast.Call) and _is_plain(node, settings)
    }
    for node in every_node(own):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in functions:
                pass
            case ast.Attribute(value=ast.Name(id=module), attr=attr) if (
                attr == _FUNCTION and module in modules
            ):
                pass
            case _:
                continue
        if id(node) not in plain:
            yield TextEdit(start_of(node, lines), end_of(node, lines), _HELPER)


def _names(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names of the function and of its module in a file, but for those that it gives something else."""
    functions, modules, bound = set(), set(), set()
    for node in every_node(tree):
        match node:
            case ast.ImportFrom(module=module, level=0, names=aliases) if module == _MODULE:
                functions |= {one.asname or one.name for one in aliases if one.name == _FUNCTION}
            case ast.Import(names=aliases):
                modules |= {one.asname or one.name for one in aliases if one.name == _MODULE}
            case ast.FunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.add(name)
    return functions - bound, modules - bound


def _is_plain(call: ast.Call, settings: frozenset[str]) -> bool:
    """Whether what is copied is written there, and holds no tensor, or goes by one of the names of settings."""
    return bool(call.args) and (
        all(isinstance(node, _DISPLAYS) for node in every_node(call.args[0]))
        or _is_named(call.args[0], settings)
    )


def _is_named(node: ast.expr, settings: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lower().rpartition("_")[2] in settings
        case ast.Call(func=ast.Name(id="vars" | "dict"), args=[held]):
            return _is_named(held, settings)
    return False
