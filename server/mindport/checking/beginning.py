"""The texts that unsafe fixes begin with: still torch, written in a way that can be followed. What is found in them is
told at its place in the file as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from mindport.model.finding import Finding
from mindport.model.span import Span
from mindport.rewrite.arguments_called_async import arguments_called_async
from mindport.rewrite.assigned_outputs import assigned_outputs
from mindport.rewrite.attributes_by_name import attributes_by_name
from mindport.rewrite.buffers_by_assignment import buffers_by_assignment
from mindport.rewrite.device_blocks import device_blocks
from mindport.rewrite.device_branches import device_branches
from mindport.rewrite.former_names import former_names
from mindport.rewrite.gradients_by_callers import gradients_by_callers
from mindport.rewrite.imports_in_classes import imports_in_classes
from mindport.rewrite.names_handed_on import names_handed_on
from mindport.rewrite.names_of_helpers import names_of_helpers
from mindport.rewrite.names_put_into_modules import names_put_into_modules
from mindport.rewrite.names_put_into_torch import names_put_into_torch
from mindport.rewrite.optional_boards import optional_boards
from mindport.rewrite.settings_of_nobody import settings_of_nobody
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.rewrite.typed_classes import typed_class_tests
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText

_OF_A_FILE = (
    arguments_called_async,
    imports_in_classes,
    attributes_by_name,
    assigned_outputs,
    device_branches,
    device_blocks,
    typed_class_tests,
    names_put_into_torch,
    buffers_by_assignment,
    settings_of_nobody,
    former_names,
    names_of_helpers,
    optional_boards,
)
_OF_ALL_FILES = (gradients_by_callers, names_put_into_modules, names_handed_on)


class Beginning(msgspec.Struct, frozen=True):
    """A file as it is, and as its fixes begin with it; the edits of each pass between the two."""

    source: SourceText
    begun: SourceText
    passes: tuple[tuple[TextEdit, ...], ...] = ()

    def findings_in_source(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings of the text that fixes begin with, at their places in the file as it is."""
        if not self.passes:
            return tuple(findings)
        begun, source = LineIndex(self.begun.text), LineIndex(self.source.text)
        return tuple(
            msgspec.structs.replace(one, span=self._span_in_source(one.span, begun, source))
            for one in findings
        )

    def _span_in_source(self, span: Span, begun: LineIndex, source: LineIndex) -> Span:
        start, end = begun.offset(span.start), begun.offset(span.end)
        # The end is behind a character; what was taken away after that one is no part of the span.
        first = self._offset_in_source(start)
        last = self._offset_in_source(end - 1) + 1 if end > start else first
        return source.span(first, last)

    def _offset_in_source(self, offset: int) -> int:
        for edits in reversed(self.passes):
            offset = _before(offset, edits)
        return offset


def beginnings_of(
    sources: Mapping[str, SourceText], first: Mapping[str, tuple[TextEdit, ...]]
) -> dict[str, Beginning]:
    """The beginnings of fixes of the Python files of a project, by their paths. `first` are edits before all others."""
    alone = {
        path: _begun_alone(_with_pass(Beginning(source, source), first.get(path, ())))
        for path, source in sources.items()
    }
    for edits_of in _OF_ALL_FILES:
        shared = edits_of({path: one.begun.text for path, one in alone.items()})
        alone = {path: _with_pass(one, shared.get(path, ())) for path, one in alone.items()}
    return alone


def written_first(text: str) -> list[TextEdit]:
    """What the passes that ask for no other file change in a text, each by itself."""
    return [edit for edits_of in _OF_A_FILE for edit in _unless_too_deep(edits_of, text)]


def _begun_alone(found: Beginning) -> Beginning:
    """A file after the passes that ask for no other one."""
    for edits_of in _OF_A_FILE:
        found = _with_pass(found, _unless_too_deep(edits_of, found.begun.text))
    return found


def _unless_too_deep(edits_of: Callable[[str], Iterable[TextEdit]], text: str) -> Iterable[TextEdit]:
    """The edits of a pass; none in a text that is nested too deeply to be analysed, as the findings say."""
    try:
        return edits_of(text)
    except RecursionError:
        return ()


def _with_pass(beginning: Beginning, edits: Iterable[TextEdit]) -> Beginning:
    one = tuple(sorted(edits))
    if not one:
        return beginning
    begun = beginning.begun.with_text(with_edits(beginning.begun.text, one))
    return Beginning(beginning.source, begun, (*beginning.passes, one))


def _before(offset: int, edits: Iterable[TextEdit]) -> int:
    """Where the character at an offset of the text after `edits`, which are sorted, was before them."""
    shift = 0
    for edit in edits:
        start = edit.start + shift
        if offset < start:
            break
        if offset < start + len(edit.new):
            return edit.start
        shift += len(edit.new) - (edit.end - edit.start)
    return offset - shift
