"""Settings of layers that are set after they were built, `for m in net.modules(): m.stride = (1, 1)`: MindSpore's
convolutions read them once, when they are built."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.mixed_layers import loops_over_layers
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex

_SETTINGS = ("stride", "padding", "dilation")
_HELPER = "TorchConvolutionSettings"


def with_settings_set(before: str, text: str) -> str:
    """A text converted from `before` that sets the settings of layers of a network, whatever they are, so that
    convolutions follow them. The same text where it sets none, or where it does not parse."""
    if not imports_torch(before) or not any(f".{name}" in text for name in _SETTINGS):
        return text
    edited = with_edits_of_tree(text, _edits)
    return text if edited == text else with_definition(edited, _HELPER)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterable[TextEdit]:
    edits: dict[int, TextEdit] = {}
    for layer, code in (*loops_over_layers(tree), *_applied(tree)):
        for node in (one for part in code for one in ast.walk(part)):
            match node:
                case ast.Attribute(value=ast.Name(id=name) as value, attr=attr, ctx=ast.Store()):
                    if name == layer and attr in _SETTINGS:
                        start = start_of(value, lines)
                        edits[start] = TextEdit(start, end_of(value, lines), f"{_HELPER}({layer})")
    return edits.values()


def _applied(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The first parameter of each function and method that is applied to all cells of a network, and its code."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="apply"), args=[function]):
                if isinstance(function, ast.Call) and ast.unparse(function.func).endswith("partial"):
                    function = function.args[0] if function.args else function
                names.add(ast.unparse(function).rpartition("self.")[2])
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=parameters)) if name in names:
                layers = [one.arg for one in parameters if one.arg != "self"]
                if layers:
                    yield layers[0], node.body
