"""The training steps of a document while it is typed in. Finding them reads the whole file, so between two looks those
of the last one stay, each on the line that it was on, but for one that is typed in."""

from __future__ import annotations

from mindport.checking.training import TrainingSteps
from mindport.lsp.document import Document
from mindport.source.changes import changed_lines
from mindport.usage.api_use import FileUsage


class KeptSteps:
    """The steps that were found in one version of a document in so many `seconds`, which follow it through later
    ones."""

    def __init__(self, document: Document, usage: FileUsage, steps: TrainingSteps, seconds: float) -> None:
        self.seconds = seconds
        self.steps = steps
        self._version = (document, document.revision, usage)
        # A document changes its list in place. Without steps no lines are needed.
        self._lines = list(document.lines) if steps.left else []

    def is_of(self, document: Document, usage: FileUsage) -> bool:
        """Whether they are those of this version."""
        before, revision, known = self._version
        return before is document and revision == document.revision and known is usage

    def moved(self, document: Document) -> TrainingSteps:
        """The steps that stay torch's, at their present places, but for those in what changed since the last call."""
        if self.steps.left:
            lines = list(document.lines)
            first, last, _ = changed_lines(self._lines, lines)
            delta = len(lines) - len(self._lines)
            left = tuple(
                one.shifted(delta) if delta and one.span.line > last else one
                for one in self.steps.left
                if one.span.line > last or one.span.end_line < first
            )
            self.steps, self._lines = TrainingSteps(left), lines
        return self.steps
