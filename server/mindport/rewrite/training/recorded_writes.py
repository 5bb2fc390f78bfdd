"""Writes into the memory of tensors. While a program is recorded, one that is written as a whole takes over the memory
of the value, and what is written to elements of `data` is lost. `TorchElements` copies into the memory of the
tensor."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

import msgspec

from mindport.model.language import later, translated
from mindport.model.span import Span
from mindport.model.verdict import Applicability, Confidence
from mindport.rewrite.changed_operand import into_operand
from mindport.rewrite.parts_of_data import elements_of_data, is_basic_part
from mindport.rewrite.pieces import HelperName, Piece, Rewrite
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.data_aliases import names_of_data
from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import every_node
from mindport.rewrite.training.network_code import is_in_network
from mindport.rewrite.training.unrecorded import may_be_parameters, unrecorded_lines
from mindport.rewrite.training.written_views import may_write_views, written_view
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression, parse_tree
from mindport.usage.api_use import ApiUse, ResultUse

_TITLE = later("Write the result into the parameter itself")
_DATA = "torch.Tensor.data"
_WHOLE = "[()] ="
_ELEMENTS = "TorchElements"
_STATISTIC = "torch_statistic"
_DETACH = "torch.Tensor.detach"
_SETITEM = "torch.Tensor.__setitem__"
_GRADIENT = "torch.Tensor.grad"
_OVERWRITTEN = "overwritten"  # of the running statistics of a norm
_ENDS_OF_DATA = (".data", ".detach()")  # what gives the memory of a tensor, without its gradient
# What is put into a file to fill a tensor with numbers.
_FILLING = (
    "torch_bernoulli_", "torch_copy_", "torch_drawn_", "torch_fill_", "torch_filled", "torch_normal_", "torch_random_",
    "torch_uniform_", "torch_zero_",
)  # fmt: skip
# Where nobody takes the result, or only asks it for a member.
_ONLY_ASKED = (ResultUse.DISCARDED, ResultUse.ATTRIBUTE)


def written_elements(
    tree: ast.Module, recogniser: Recogniser, lines: LineIndex, *, recorded: bool, eager: bool
) -> Iterator[Rewrite]:
    """What a file writes by an index or an operator into memory that belongs to a tensor: `x.data[i] = 0`,
    `x.data *= 2`, by a name (`w = x.data`), into weights by a mask, and by one under `no_grad` into any tensor, which
    may have been recorded before. Where no gradient is recorded, MindSpore loses only what is written by other
    indexes than numbers and slices, and by operators, and only of parameters. `eager`: nothing is compiled."""
    writes = recogniser.uses_any(lies_in_memory) or recogniser.changes_tensors
    if not writes and not may_write_views(lines.text):
        return
    applicability = Applicability.UNSAFE if recorded else Applicability.SAFE

    def records(node: ast.Subscript | ast.AugAssign) -> bool:
        return recorded or (eager and is_in_network(node.lineno, lines.text))

    def is_data(node: ast.expr) -> bool:
        return owner_of_data(node) is not None

    def owner_of_data(node: ast.expr) -> ast.expr | None:
        return _owner_of_data(node, recogniser, takes_guesses=recorded)

    def owner_written(node: ast.expr) -> ast.expr | None:
        return owner_of_data(node) or (node if id(node) in named else None)

    named = {id(one) for one in names_of_data(tree, is_data)}
    weights = {id(one) for one in names_of_data(tree, lambda node: _is_weight(node, recogniser))}
    gradients = set[int]()
    if recorded:
        gradients = {id(one) for one in names_of_data(tree, lambda node: _is_gradient(node, recogniser))}
    unrecorded = unrecorded_lines(tree, recogniser)
    parameters = may_be_parameters(tree) if unrecorded else frozenset()
    for node in every_node(tree):
        match node:
            case ast.Subscript(value=written, ctx=ast.Store() | ast.Del()):
                is_plain = is_basic_part(lines.slice(span_of(node, lines)))
                while isinstance(written, ast.Subscript) and records(node):
                    # `x.data[i][j] = 0`: a part is the memory of the tensor.
                    written, is_plain = written.value, True
                owner = owner_written(written)
                if not is_plain and (_is_weight(written, recogniser) or id(written) in weights):
                    owner = written
                is_loose = not is_plain and node.lineno in unrecorded and recogniser.api(node) == _SETITEM
                if is_loose and (records(node) or id(written) in parameters):
                    owner = written
                view = written_view(span_of(written, lines), lines) if records(node) else None
                if view is not None:
                    yield Rewrite(span_of(written, lines), view, applicability, translated(_TITLE), _SETITEM)
                elif owner is not None and (not is_plain or records(node)):
                    yield _owner_written(written, owner, lines, applicability)
            case ast.Expr(value=ast.Call(func=ast.Name(id=called), args=[written, *_])) if (
                recorded and _writes_into_its_first(called)
            ):
                while isinstance(written, ast.Subscript):
                    written = written.value
                owner = owner_written(written)
                if owner is not None:
                    yield _owner_written(written, owner, lines, applicability)
            case ast.AugAssign(target=target):
                owner = owner_written(target)
                changed = _as_assignment(node, owner, lines, records(node)) if owner is not None else None
                if recorded and id(target) in gradients:
                    changed = into_operand(node, span_of(node.value, lines))
                if owner is None and node.lineno in unrecorded and id(target) in parameters:
                    is_tensor = recogniser.changes_tensor(node)
                    changed = _as_assignment(node, target, lines, recorded) if is_tensor else changed
                if changed is not None:
                    yield Rewrite(span_of(node, lines), changed, applicability, translated(_TITLE), _DATA)


def _owner_written(
    written: ast.expr, owner: ast.expr, lines: LineIndex, applicability: Applicability
) -> Rewrite:
    """The elements of the tensor that `x.data` or `x.detach()` belongs to in its place."""
    pieces = (HelperName(_ELEMENTS), "(", span_of(owner, lines), ")")
    api = _DETACH if isinstance(written, ast.Call) else _DATA
    return Rewrite(span_of(written, lines), pieces, applicability, translated(_TITLE), api)


def _writes_into_its_first(called: str) -> bool:
    """Whether a function is one that was put into the file for one of torch's that fills the tensor it gets first."""
    return called.startswith("torch_init_") or called in _FILLING


def _owner_of_data(node: ast.expr, recogniser: Recogniser, *, takes_guesses: bool) -> ast.expr | None:
    """The x of `x.data` or `x.detach()` of a tensor, or of what is taken for one where a guess will do: as the fixes
    of recorded programs are not safe."""
    member = node.func if isinstance(node, ast.Call) else node
    use = recogniser.use(member) if isinstance(member, ast.Attribute) else None
    if (
        use is None
        or (use.confidence is Confidence.GUESSED and not takes_guesses)
        or use.api != (_DATA if member is node else _DETACH)
    ):
        return None
    assert isinstance(member, ast.Attribute)
    return member.value


def _is_weight(node: ast.expr, recogniser: Recogniser) -> bool:
    """Whether an expression is the weight or the bias of a layer: written by a mask, it lies where no optimizer finds
    it any more."""
    return isinstance(node, ast.Attribute) and _is_name_of_weight(recogniser.api(node))


def _is_name_of_weight(api: str) -> bool:
    return api.startswith("torch.nn.") and api.endswith((".weight", ".bias"))


def _is_gradient(node: ast.expr, recogniser: Recogniser) -> bool:
    return isinstance(node, ast.Attribute) and recogniser.api(node) == _GRADIENT


def lies_in_memory(api: str) -> bool:
    """Whether what is written into a value of this name is written into a tensor's memory."""
    return api in (_DATA, _DETACH, _GRADIENT, _SETITEM) or _is_name_of_weight(api)


def _as_assignment(
    change: ast.AugAssign, owner: ast.expr, lines: LineIndex, recorded: bool
) -> tuple[Piece, ...] | None:
    """`x.data *= 2` as `x[()] = x.data * 2`."""
    pieces = into_operand(change, span_of(change.value, lines))
    if pieces is None:
        return None
    written = span_of(owner, lines)
    elements = (HelperName(_ELEMENTS), "(", written, ")") if recorded else (written,)
    _, assigned, operation = str(pieces[0]).partition("[()] = ")
    behind = operation.removeprefix(ast.unparse(change.target))
    return (*elements, assigned, span_of(change.target, lines), behind, *pieces[1:])


@functools.lru_cache(maxsize=8)
def _places_of_data(text: str) -> frozenset[tuple[int, int]]:
    """Where a text names memory of another tensor: `w` after `w = x.data`. What is asked of such a name as of a tensor
    tells that `data` is a tensor's, too."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return frozenset()
    lines = LineIndex(text)
    names = names_of_data(tree, lambda node: ast.unparse(node).endswith(_ENDS_OF_DATA))
    return frozenset((span.line, span.column) for span in (span_of(one, lines) for one in names))


def recorded_write(
    rewrite: Rewrite, use: ApiUse, lines: LineIndex, *, recorded: bool, eager: bool
) -> Rewrite:
    """The rewrite of a method that changes its tensor in place, where it writes into `data` while a gradient may be
    recorded, or, where a program is, another tensor as it is. `eager`: nothing is compiled."""
    if not recorded and not (eager and is_in_network(use.span.line, lines.text)):
        return rewrite
    pieces = _with_view(rewrite.pieces, use, lines)
    if pieces is not None:
        return msgspec.structs.replace(rewrite, pieces=pieces)
    match rewrite.pieces:
        case [*owner, str(last)] if _OVERWRITTEN in use.signs and last.endswith(".data"):
            pieces = (HelperName(_STATISTIC), "(", *owner, last.removesuffix(".data"), ")")
        case [Span() as written, str(text), *rest] if text.startswith(_WHOLE) and use.receiver is not None:
            is_data = _is_data(use.receiver, lines)
            if not is_data and (not recorded or text.strip() != _WHOLE or len(rest) > 1):
                return rewrite
            pieces = (*_elements_of(written, lines), text, *rest)
        case [Span() as written, str(text), *rest] if text.startswith(" ="):
            pieces = (*_elements_of_memory(written, lines), text, *rest)
        case [HelperName("torch_in_place"), "(", operation, ", ", Span() as written, *rest]:
            elements, text = _elements_of_memory(written, lines), lines.slice(written)
            if _names_data(written, lines):
                pieces = (*rewrite.pieces[:4], *_elements_of(written, lines), *rest, *_result(use))
            elif _written_data(text):
                operand = _elements_of(written, lines) if text.endswith(_ENDS_OF_DATA) else (written,)
                pieces = (*rewrite.pieces[:4], *operand, *rest, *_result(use))
            elif len(elements) == 1 or use.result is not ResultUse.DISCARDED or not is_basic_part(text):
                return rewrite
            else:
                pieces = (*elements, " = ", operation, "(", text, ".copy()", *rest)
        case [HelperName() as method, "(", Span() as written, *rest] if _is_in_place(use):
            text = lines.slice(written)
            if not _is_data(written, lines):
                return rewrite
            pieces = (method, "(", *_elements_of(written, lines), *rest, *_result(use))
        case _:
            return rewrite
    return msgspec.structs.replace(rewrite, pieces=pieces)


def _is_in_place(use: ApiUse) -> bool:
    """Whether a method changes its tensor; `__getitem__` ends alike and only reads."""
    return use.api.endswith("_") and not use.api.endswith("__")


def _with_view(pieces: tuple[Piece, ...], use: ApiUse, lines: LineIndex) -> tuple[Piece, ...] | None:
    """What changes a tensor in another shape in place, written so that it reaches the tensor; None for any other."""
    behind: tuple[str, ...] = ()
    match pieces:
        case [Span() as written, str(text), *_] if text.startswith(_WHOLE):
            at = 0
        case [HelperName("torch_in_place"), "(", _, ", ", Span() as written, *_]:
            at, behind = 4, _result(use, ".value")
        case [HelperName(), "(", Span() as written, *_] if _is_in_place(use):
            at, behind = 2, _result(use, ".value")
        case _:
            return None
    view = written_view(written, lines)
    return None if view is None else (*pieces[:at], *view, *pieces[at + 1 :], *behind)


def _elements_of(data: Span, lines: LineIndex) -> tuple[Piece, ...]:
    return (HelperName(_ELEMENTS), "(", _owner(data, lines), ")")


def _elements_of_memory(part: Span, lines: LineIndex) -> list[Piece]:
    """A part `x.data[a:b]`, or `w[a:b]` of a name that stands for data, as what can be written to."""
    name, bracket, _ = lines.slice(part).partition("[")
    if not bracket or not name.isidentifier() or (part.line, part.column) not in _places_of_data(lines.text):
        return elements_of_data(part, lines)
    start = lines.offset(part.start)
    behind = start + len(name)
    return [
        HelperName(_ELEMENTS),
        "(",
        lines.span(start, behind),
        ")",
        lines.span(behind, lines.offset(part.end)),
    ]


def _names_data(part: Span, lines: LineIndex) -> bool:
    return (part.line, part.column) in _places_of_data(lines.text) and lines.slice(part).isidentifier()


def _is_data(part: Span, lines: LineIndex) -> bool:
    return lines.slice(part).endswith(_ENDS_OF_DATA) or _names_data(part, lines)


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


def _result(use: ApiUse, member: str = ".detached") -> tuple[str, ...]:
    """What is asked of the written elements where somebody takes the tensor."""
    return () if use.result in _ONLY_ASKED else (member,)


def _owner(data: Span, lines: LineIndex) -> Span:
    """The x of `x.data` or `x.detach()`; what is written to, where it is neither."""
    text = lines.slice(data)
    end = next((end for end in _ENDS_OF_DATA if text.endswith(end)), "")
    return lines.span(lines.offset(data.start), lines.offset(data.end) - len(end))
