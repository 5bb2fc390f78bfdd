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
from mindport.rewrite.training.flow import every_node
from mindport.source.lines import LineIndex
from mindport.source.syntax import parse_expression
from mindport.usage.api_use import ApiUse, ResultUse

_TITLE = later("Write the result into the parameter itself")
_DATA = "torch.Tensor.data"
_WHOLE = "[()] ="
_DETACH = "torch.Tensor.detach"
_ENDS_OF_DATA = (".data", ".detach()")  # what gives the memory of a tensor, without its gradient
# Where nobody takes the result, or only asks it for a member.
_ONLY_ASKED = (ResultUse.DISCARDED, ResultUse.ATTRIBUTE)


def written_elements(tree: ast.Module, recogniser: Recogniser, lines: LineIndex) -> Iterator[Rewrite]:
    """The targets `x.data[i]` and `x.detach()[i]` of a file, as elements of `x`."""
    for node in every_node(tree):
        if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
            continue
        data = node.value
        member = data.func if isinstance(data, ast.Call) else data
        if isinstance(member, ast.Attribute) and recogniser.api(member) in (_DATA, _DETACH):
            api = _DATA if member is data else _DETACH
            pieces = (HelperName("TorchElements"), "(", span_of(member.value, lines), ")")
            yield Rewrite(span_of(data, lines), pieces, Applicability.UNSAFE, translated(_TITLE), api)


def recorded_write(rewrite: Rewrite, use: ApiUse, lines: LineIndex) -> Rewrite:
    """The rewrite of a method that changes its tensor in place, where it writes into `data`, or another tensor as it
    is."""
    match rewrite.pieces:
        case [Span() as written, str(text), *rest] if text.startswith(_WHOLE) and use.receiver is not None:
            is_data = lines.slice(use.receiver).endswith(_ENDS_OF_DATA)
            if not is_data and (text.strip() != _WHOLE or len(rest) > 1):
                return rewrite
            pieces = (HelperName("TorchElements"), "(", _owner(written, lines), ")", text, *rest)
        case [Span() as written, str(text), *rest] if text.startswith(" ="):
            pieces = (*elements_of_data(written, lines), text, *rest)
        case [HelperName("torch_in_place"), "(", operation, ", ", Span() as written, *rest]:
            elements, text = elements_of_data(written, lines), lines.slice(written)
            if data := _written_data(text):
                owner = (HelperName("TorchElements"), "(", _owner(written, lines), ")")
                operand = owner if text.endswith(_ENDS_OF_DATA) else (written,)
                pieces = (
                    HelperName("torch_in_place"),
                    "(",
                    operation,
                    ", ",
                    *operand,
                    *rest,
                    *_result(data, use),
                )
            elif len(elements) == 1 or use.result is not ResultUse.DISCARDED or not is_basic_part(text):
                return rewrite
            else:
                pieces = (*elements, " = ", operation, "(", text, ".copy()", *rest)
        case [HelperName() as method, "(", Span() as written, *rest] if use.api.endswith("_"):
            text = lines.slice(written)
            if not text.endswith(_ENDS_OF_DATA):
                return rewrite
            pieces = (
                method,
                "(",
                HelperName("TorchElements"),
                "(",
                _owner(written, lines),
                ")",
                *rest,
                *_result(text, use),
            )
        case _:
            return rewrite
    return msgspec.structs.replace(rewrite, pieces=pieces)


def _written_data(text: str) -> str:
    """The `x.data` or `x.detach()` that an expression is, or whose methods that change it in place give it:
    `x.data.mul_(2)`; nothing for any other."""
    node = parse_expression(f"({text}\n)")
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_")
    ):
        node = node.func.value
    data = ast.unparse(node)
    return data if data.endswith(_ENDS_OF_DATA) else ""


def _result(data: str, use: ApiUse) -> tuple[str, ...]:
    """What is asked of the written elements where somebody takes the tensor."""
    if use.result in _ONLY_ASKED:
        return ()
    return (".input",) if data.endswith(_ENDS_OF_DATA[0]) else (".detached",)


def _owner(data: Span, lines: LineIndex) -> Span:
    """The x of `x.data` or `x.detach()`; what is written to, where it is neither."""
    text = lines.slice(data)
    end = next((end for end in _ENDS_OF_DATA if text.endswith(end)), "")
    return lines.span(lines.offset(data.start), lines.offset(data.end) - len(end))
