"""Writes into tensors while a program is recorded. A tensor that is written as a whole then takes over the memory of
the value, and what is written to elements of `data` is lost. `TorchElements` copies into the memory of the tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.model.language import later, translated
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.rewrite.fill import elements_of_data, is_basic_part
from mindport.rewrite.pieces import HelperName, Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser
from mindport.source.lines import LineIndex
from mindport.source.syntax import parse_expression
from mindport.usage.api_use import ApiUse, ResultUse

_TITLE = later("Write the result into the parameter itself")
_DATA = "torch.Tensor.data"
_WHOLE = "[()] ="
_END_OF_DATA = ".data"
# Where nobody takes the result, or only asks it for a member.
_ONLY_ASKED = (ResultUse.DISCARDED, ResultUse.ATTRIBUTE)


def written_elements(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The targets `x.data[i]` of a file, as elements of `x`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
            continue
        data = node.value
        if isinstance(data, ast.Attribute) and recogniser.api(data) == _DATA:
            pieces = (HelperName("TorchElements"), "(", span_of(data.value, lines), ")")
            yield Rewrite(span_of(data, lines), pieces, Applicability.UNSAFE, translated(_TITLE), _DATA)


def recorded_write(rewrite: Rewrite, use: ApiUse, lines: LineIndex) -> Rewrite:
    """The rewrite of a method that changes its tensor in place, where it writes into `data`, or another tensor as it
    is."""
    match rewrite.pieces:
        case [Span() as written, str(text), *rest] if text.startswith(_WHOLE) and use.receiver is not None:
            is_data = lines.slice(use.receiver).endswith(_END_OF_DATA)
            if not is_data and (text.strip() != _WHOLE or len(rest) > 1):
                return rewrite
            pieces = (HelperName("TorchElements"), "(", written, ")", text, *rest)
        case [Span() as written, str(text), *rest] if text.startswith(" ="):
            pieces = (*elements_of_data(written, lines), text, *rest)
        case [HelperName("torch_in_place"), "(", operation, ", ", Span() as written, *rest]:
            elements, text = elements_of_data(written, lines), lines.slice(written)
            if _is_written_data(text):
                owner = (HelperName("TorchElements"), "(", _owner(written, lines), ")")
                operand = owner if text.endswith(_END_OF_DATA) else (written,)
                whole = () if use.result in _ONLY_ASKED else (".input",)
                pieces = (HelperName("torch_in_place"), "(", operation, ", ", *operand, *rest, *whole)
            elif len(elements) == 1 or use.result is not ResultUse.DISCARDED or not is_basic_part(text):
                return rewrite
            else:
                pieces = (*elements, " = ", operation, "(", text, ".copy()", *rest)
        case [HelperName() as method, "(", Span() as written, *rest] if use.api.endswith("_"):
            if not lines.slice(written).endswith(_END_OF_DATA):
                return rewrite
            whole = () if use.result in _ONLY_ASKED else (".input",)
            pieces = (
                method,
                "(",
                HelperName("TorchElements"),
                "(",
                _owner(written, lines),
                ")",
                *rest,
                *whole,
            )
        case _:
            return rewrite
    return msgspec.structs.replace(rewrite, pieces=pieces)


def _is_written_data(text: str) -> bool:
    """Whether an expression is `x.data`, or what methods that change it in place give: `x.data.mul_(2)`."""
    node = parse_expression(f"({text}\n)")
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_")
    ):
        node = node.func.value
    return isinstance(node, ast.Attribute) and node.attr == _END_OF_DATA[1:]


def _owner(data: Span, lines: LineIndex) -> Span:
    """The x of `x.data`."""
    end = lines.offset(data.end) - len(_END_OF_DATA)
    return lines.span(lines.offset(data.start), end)
