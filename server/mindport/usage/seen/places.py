"""Which values of a file the facts of a run are about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.usage.files import FileState
from mindport.usage.rows.places import Places
from mindport.usage.seen.run import SeenCall, SeenFile, SeenValue
from mindport.usage.seen.types import seen_type
from mindport.usage.types import UNKNOWN, Type, join
from mindport.usage.variables import Op, Site, SiteForm, UnitSummary, Value, Variable

MODULE_CALL = "torch.nn.Module.__call__"
_OF_TENSOR = "torch.Tensor."
_LOCALS = ".<locals>"


class SeenPlaces:
    """The facts of one file at one text: the calls by the spans of their expressions, and the types of variables."""

    def __init__(self, state: FileState, seen: SeenFile, key_of: Callable[[str], str]) -> None:
        self._state = state
        self._key_of = key_of
        self.calls = _by_span(seen.calls, state.index)
        self.types: dict[Variable, Type] = {}
        places = Places(state.index)
        for unit, summary in zip(state.module.units, state.summaries, strict=True):
            places.shift = unit.shift
            self._note_calls(summary, places)
            for site in summary.sites:
                self._note_site(site, places)
        for function in seen.functions:
            record = state.functions.get(f"{state.path}:{function.name.replace(_LOCALS, '')}")
            for name, value in function.parameters.items() if record is not None else ():
                parameter = record.parameters.get(name) if record is not None else None
                if parameter is not None and parameter.kind == 0:
                    self._note(parameter.variable, value)
        for kept in seen.classes:
            entry = state.classes.get(f"{state.path}:{kept.name}")
            for name, value in kept.attributes.items() if entry is not None else ():
                for variable in entry.reads.get(name, ()) if entry is not None else ():
                    self._note(variable, value)

    def _note(self, value: Value | None, seen: SeenValue | None) -> None:
        if isinstance(value, Variable) and seen is not None:
            found = seen_type(seen, self._key_of)
            known = self.types.get(value)
            # What says nothing at one place leaves what another one says in doubt.
            self.types[value] = (
                found if known is None else UNKNOWN if UNKNOWN in (found, known) else join(known, found)
            )

    def _note_calls(self, summary: UnitSummary, places: Places) -> None:
        for variable, node in zip(summary.calls, summary.call_nodes, strict=True):
            if not isinstance(node, ast.Call) or not self.calls:
                continue
            callee = variable.base
            for call in self.calls.get(places.span(node), ()):
                if call.name == MODULE_CALL:
                    self._note(callee, call.arguments[0] if call.arguments else None)
                elif (
                    is_of_receiver(call, node) and isinstance(callee, Variable) and callee.op is Op.ATTRIBUTE
                ):
                    self._note(callee.base, call.arguments[0])
                self._note(variable, call.result)
                positional: Sequence[Value] = variable.detail[0]
                for value, seen in zip(positional, positional_arguments(call, node), strict=False):
                    self._note(value, seen)

    def _note_site(self, site: Site, places: Places) -> None:
        node: ast.AST = site.call if site.call is not None else site.node
        if not isinstance(node, ast.expr | ast.AugAssign) or site.inside_string:
            return
        for call in self.calls.get(places.span(node), ()):
            if site.form is SiteForm.MEMBER:
                if is_of_receiver(call, node):
                    self._note(site.value, call.arguments[0])
            elif site.form in (SiteForm.OPERATOR, SiteForm.INDEX):
                for value, seen in zip((site.value, site.other), call.arguments, strict=False):
                    self._note(value, seen)
            if site.values is not None and isinstance(node, ast.Call):
                for argument, seen in zip(node.args, positional_arguments(call, node), strict=False):
                    self._note(site.values.get(argument), seen)


def _by_span(calls: Sequence[SeenCall], index: LineIndex) -> Mapping[Span, tuple[SeenCall, ...]]:
    """The calls by where they stand; those without columns by nothing, as a line may have several."""
    found: dict[Span, tuple[SeenCall, ...]] = {}
    for call in calls:
        line, column, end_line, end_column = call.place
        if column >= 0 and end_column >= 0:
            start, end = index.column_of_byte(line, column), index.column_of_byte(end_line, end_column)
            span = Span(line, start, end_line, end)
            found[span] = (*found.get(span, ()), call)
    return found


def is_of_receiver(call: SeenCall, node: ast.AST) -> bool:
    """Whether the first argument that was seen stands before the dot of an attribute: `x` in `x.view(2)`, `x.shape`."""
    if not call.arguments:
        return False
    owner, _, name = call.name.removesuffix(".__get__").removesuffix(".__set__").rpartition(".")
    if isinstance(node, ast.Attribute):
        return name == node.attr and call.name.endswith("__") and call.name.startswith(_OF_TENSOR)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    is_method = call.name.startswith(_OF_TENSOR) or owner.rpartition(".")[2][:1].isupper()
    return is_method and name == node.func.attr


def positional_arguments(call: SeenCall, node: ast.Call) -> Iterator[SeenValue]:
    """What was seen of the arguments that are written by position; nothing where stars hide which they are. Of
    functions written in Python the defaults were seen, too, behind them."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return iter(())
    given = call.arguments[1:] if call.name == MODULE_CALL or is_of_receiver(call, node) else call.arguments
    return iter(given[: len(node.args)] if len(given) >= len(node.args) else ())
