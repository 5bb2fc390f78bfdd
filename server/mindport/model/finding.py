"""What mindport tells the user: a finding at a place, and the fixes that go with it."""

from __future__ import annotations

import enum

import msgspec

from mindport.model.span import Edit, Span
from mindport.model.verdict import Applicability, Confidence


class Severity(enum.IntEnum):
    """How much harm is done by ignoring it; higher is worse. The run fails from WARNING up."""

    HINT = 1
    INFORMATION = 2
    WARNING = 3
    ERROR = 4

    @property
    def label(self) -> str:
        """The word used in every output."""
        return self.name.lower()


class Fix(msgspec.Struct, frozen=True):
    """One way to change the text: `edits` never overlap and bring the imports that the new text needs;
    `title` is what the user reads in the menu."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


class RelatedPlace(msgspec.Struct, frozen=True):
    """Another place that explains a finding."""

    path: str
    span: Span
    message: str


class Finding(msgspec.Struct, frozen=True):
    """One thing to know about one place. `rule` is the stable code (MP101), `api` the canonical torch name it
    is about (empty for findings about the file or the tool), `span` the part to underline."""

    rule: str
    severity: Severity
    span: Span
    message: str
    api: str = ""
    confidence: Confidence = Confidence.PROVED
    depends_on: str = ""
    related: tuple[RelatedPlace, ...] = ()
    use_index: int = -1  # the place of its ApiUse in FileUsage.uses; -1 where it has none
