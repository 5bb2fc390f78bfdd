"""Settings of layers that are set after they were built, `for m in net.modules(): m.stride = (1, 1)`: MindSpore's
layers read them once, when they are built.

What MindSpore 2.10.0 makes of a setting that changes (the others are read in every call): nothing, without a word, of
`stride`, `padding`, `dilation` and `output_padding` of convolutions, of everything that a pooling layer has, of `p` of
`Dropout`, `Dropout2d` and `Dropout3d`, of `eps` of `LayerNorm`, of `eps` and `momentum` of batch norms, of `alpha` of
`ELU`, of `reduction` of `MSELoss`, and of a `bias` that a layer is given which was built without one. For batch norms
and `LayerNorm` classes that follow stand in the file of such a project (`$settings`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.layers_gone_through import applied_functions
from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.mixed_layers import loops_over_layers, unnarrowed
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.project_signs import project_signs

_SET_BY = {
    **dict.fromkeys(("stride", "padding", "dilation", "output_padding"), "TorchConvolutionSettings"),
    "p": "TorchDropoutSettings",
    "eps": "TorchLayerNormSettings",
}
_OF_BIASES = "TorchBiasSettings"
_SIGN = re.compile(rf"\.({'|'.join(_SET_BY)}|bias)\b|\bsetattr\(|\bhasattr\(\w+, *['\"]p['\"]")
# Where the class of a layer is told, these are set as that class wants it.
_TOLD = frozenset({"eps"})
# Some of MindSpore's layers call it otherwise, and are asked for it: `hasattr(m, "p")`.
_READ = frozenset({"p"})


def with_settings_set(before: str, text: str) -> str:
    """A text converted from `before` that sets the settings of layers of a network, whatever they are, so that
    convolutions follow them. The same text where it sets none, or where it does not parse."""
    if not imports_torch(before) or not _SIGN.search(text):
        return text
    is_unbiased = "unbiased" in project_signs(before)
    edited = with_edits_of_tree(text, lambda tree, lines: _edits(tree, lines, is_unbiased=is_unbiased))
    if edited == text:
        return text
    for helper in sorted({_OF_BIASES, *_SET_BY.values()}):
        if f"{helper}(" in edited:
            edited = with_definition(edited, helper)
    return edited


def _edits(tree: ast.Module, lines: LineIndex, *, is_unbiased: bool) -> Iterable[TextEdit]:
    edits: dict[int, TextEdit] = {}
    for value in _given_biases(tree) if is_unbiased else ():
        start = start_of(value, lines)
        edits[start] = TextEdit(start, end_of(value, lines), f"{_OF_BIASES}({value.id})")
    for layer, code in (*loops_over_layers(tree), *_applied(tree)):
        open_to_all = {id(node) for _, node in unnarrowed(code, layer)}
        for node in (one for part in code for one in every_node(part)):
            match node:
                case ast.Attribute(value=ast.Name(id=name) as value, attr=attr, ctx=ast.Store()):
                    pass
                case ast.Call(
                    func=ast.Name(id="setattr"),
                    args=[ast.Name(id=name) as value, ast.Constant(value=str(attr)), _],
                ):
                    pass
                case (
                    ast.Attribute(value=ast.Name(id=name) as value, attr=attr)
                    | ast.Call(
                        func=ast.Name(id="hasattr"),
                        args=[ast.Name(id=name) as value, ast.Constant(value=str(attr))],
                    )
                ) if attr in _READ and id(node) in open_to_all:
                    pass
                case _:
                    continue
            if name == layer and attr in _SET_BY and (attr not in _TOLD or id(node) in open_to_all):
                start = start_of(value, lines)
                edits[start] = TextEdit(start, end_of(value, lines), f"{_SET_BY[attr]}({layer})")
    return edits.values()


def _given_biases(tree: ast.Module) -> Iterator[ast.Name]:
    """What functions are given and give a bias: `conv.bias = Parameter(...)`. Nobody knows whether it has one."""
    for function in every_node(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        given = {one.arg for one in function.args.args if one.arg != "self"}
        for node in every_node(function):
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=name) as value, attr="bias")],
                    value=ast.Call(func=ast.Attribute(attr="Parameter")),
                ) if name in given:
                    yield value


def _applied(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The first parameter of each function and method that is applied to all cells of a network, and its code."""
    names = set()
    for function in applied_functions(tree):
        if isinstance(function, ast.Call) and ast.unparse(function.func).endswith("partial"):
            function = function.args[0] if function.args else function
        names.add(ast.unparse(function).rpartition("self.")[2])
    for node in every_node(tree):
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=parameters)) if name in names:
                layers = [one.arg for one in parameters if one.arg != "self"]
                if layers:
                    yield layers[0], node.body
