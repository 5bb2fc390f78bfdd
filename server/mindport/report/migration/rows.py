"""The migration report as data: what the page, the Markdown, the CSV and the JSON all show. The JSON is exactly these
classes; keys are only ever added."""

from __future__ import annotations

import msgspec

from mindport.report.program_rows import PlaceRow, ProgramRow
from mindport.report.rows import TargetRow


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the network's torch works as it is or after a safe fix. `references` are the torch names that the
    network calls or names; `apart` counts what is not among them, by kind."""

    references: int
    ready: int
    by_verdict: dict[str, int]
    apart: dict[str, int]

    @property
    def share(self) -> float | None:
        """The ready part of 100; None where there is nothing to count."""
        return 100 * self.ready / self.references if self.references else None


class FileCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often a file has something, and where first."""

    file: str
    line: int
    count: int


class ApiRow(msgspec.Struct, frozen=True, kw_only=True):
    """One torch API of the network with one verdict."""

    api: str
    verdict: str
    count: int
    ready: int
    files: tuple[FileCount, ...]


class HardRow(msgspec.Struct, frozen=True, kw_only=True):
    """An API without an equivalent on the target. `policy` is the guide's way out: equivalent, compose, custom-op,
    community, or empty where nobody has decided yet."""

    api: str
    count: int
    policy: str
    why: str
    tried: tuple[str, ...]
    files: tuple[FileCount, ...]


class FindingRows(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of one rule."""

    code: str
    name: str
    summary: str
    severity: str
    places: tuple[NotedPlace, ...]


class NotedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A line and what is said of it."""

    file: str
    line: int
    message: str


class FindingSection(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of compliance that the guide asks for, with the findings of its rules."""

    title: str
    codes: str
    rules: tuple[FindingRows, ...]


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """One file in the order of porting. `work` counts its references that are not ready."""

    file: str
    level: int
    references: int
    ready: int
    work: int
    imports: tuple[str, ...]
    together: tuple[str, ...]


class WorkRow(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with all its places. `fix` is safe, unsafe, display or no; `is_silent` where the code runs on and
    computes something else."""

    code: str
    api: str
    message: str
    severity: str
    fix: str
    is_silent: bool
    places: tuple[PlaceRow, ...]


class AreaRow(msgspec.Struct, frozen=True, kw_only=True):
    """A folder at the top of the project, or `.` for the files beside them: how much of it is ready, how much is left,
    and how many of its findings are silent differences."""

    area: str
    files: int
    references: int
    ready: int
    work: int
    silent: int


class ProgressRow(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of an earlier report and of this one."""

    what: str
    before: int
    now: int


class LibraryRow(msgspec.Struct, frozen=True, kw_only=True):
    """A library built on torch, and what to do about it."""

    name: str
    what: str
    advice: str
    count: int
    files: tuple[FileCount, ...]


class PortRow(msgspec.Struct, frozen=True, kw_only=True):
    """A MindSpore implementation of something that the project has. `because` is the name in the project."""

    family: str
    repository: str
    path: str
    because: str
    place: PlaceRow


class ValueRow(msgspec.Struct, frozen=True, kw_only=True):
    """A value of an entry of the checklist. `known` is false where it is an expression that only a run knows."""

    name: str
    value: str
    known: bool
    place: PlaceRow | None


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the checklist."""

    what: str
    place: PlaceRow
    values: tuple[ValueRow, ...]
    note: str


class TopicRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the guide's checklist; without entries it is unknown."""

    topic: str
    entries: tuple[EntryRow, ...]


class FactRow(msgspec.Struct, frozen=True, kw_only=True):
    """An answer of the reference check."""

    what: str
    place: PlaceRow | None


class QuestionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A question of the reference check; without answers it is unknown."""

    question: str
    answers: tuple[FactRow, ...]


class StepTimers(msgspec.Struct, frozen=True, kw_only=True):
    """Code that times one step of the training, for the original and for the port."""

    original: str
    port: str


class MigrationReport(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="migration"):
    """The whole report of one project."""

    format: int
    project: str
    target: TargetRow
    files: int
    programs: tuple[ProgramRow, ...]
    readiness: Readiness
    apis: tuple[ApiRow, ...]
    hard: tuple[HardRow, ...]
    sections: tuple[FindingSection, ...]
    order: tuple[FileRow, ...]
    libraries: tuple[LibraryRow, ...]
    ports: tuple[PortRow, ...]
    checklist: tuple[TopicRow, ...]
    reference: tuple[QuestionRow, ...]
    baseline: StepTimers
    problems: tuple[NotedPlace, ...]
    work: tuple[WorkRow, ...] = ()
    areas: tuple[AreaRow, ...] = ()
    progress: tuple[ProgressRow, ...] = ()

    @property
    def silent(self) -> int:
        """How many findings are silent differences."""
        return sum(len(row.places) for row in self.work if row.is_silent)
