"""Puts the report together: what was surveyed, the recipe, and the known ports become rows."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

import msgspec

from mindport.checking.counting import KINDS_APART, is_ready
from mindport.checking.outcome import ReferenceRow
from mindport.checking.program_forecast import placed
from mindport.checking.survey import Absent, FileSurvey
from mindport.model.finding import Finding
from mindport.model.language import later
from mindport.model.span import Span
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Applicability, Verdict
from mindport.registry.libraries import BUILT_ON_TORCH
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.ports import ports_of
from mindport.report.migration.areas import area_rows
from mindport.report.migration.baseline import baseline
from mindport.report.migration.findings import work_rows
from mindport.report.migration.rows import (
    ApiRow,
    EntryRow,
    FactRow,
    FileCount,
    FileRow,
    FindingRows,
    FindingSection,
    HardRow,
    LibraryRow,
    MigrationReport,
    NotedPlace,
    PortRow,
    QuestionRow,
    Readiness,
    TopicRow,
    ValueRow,
)
from mindport.report.program_rows import PlaceRow, ProgramRow
from mindport.report.programs import program_rows
from mindport.report.rows import FORMAT_VERSION, TargetRow
from mindport.rules.discover import all_rules
from mindport.rules.wording import without_target
from mindport.source.documents import read_documents
from mindport.source.notebook import place_in_cell
from mindport.usage.recipe.entry import ChecklistTopic, Entry, SettingLine
from mindport.usage.recipe.find import Recipe, find_recipe
from mindport.usage.recipe.reference import Question

_SECTIONS = (
    (later("Silent differences"), ("MP101",)),
    (later("Second-order links"), ("MP2",)),
    (later("Dynamic shapes"), ("MP3",)),
    (later("Graph-mode restrictions"), ("MP4",)),
    (later("Data processing and sparsity"), ("MP6",)),
    (later("Features of MindSpore that fit"), ("MP7",)),
)
_MOST_FILES = 12


def _migration_report(
    surveys: Sequence[FileSurvey], recipe: Recipe, target: TargetRow, project: str, relative: _Relative
) -> MigrationReport:
    network = [
        _Counted(*_spot(survey, reference.use.span, relative), reference)
        for survey in surveys
        for reference in survey.references
        if not reference.apart
    ]
    order = _order(recipe, network)
    work = work_rows(_findings(surveys, _target(target), relative))
    return MigrationReport(
        format=FORMAT_VERSION,
        project=project,
        target=target,
        files=len(surveys),
        programs=_programs(surveys, relative),
        readiness=_readiness(surveys, [one.reference for one in network]),
        apis=_apis(network),
        hard=_hard(network, [absent for survey in surveys for absent in survey.absent]),
        sections=tuple(_section(title, starts, surveys, relative) for title, starts in _SECTIONS),
        order=order,
        libraries=_libraries(surveys, relative),
        ports=_ports(recipe, project),
        checklist=tuple(_topic(topic, recipe.entries) for topic in ChecklistTopic),
        reference=tuple(_question(question, recipe) for question in Question),
        baseline=baseline(mindspore_facts(Version.parse(target.version)), Device(target.device)),
        problems=_problems(surveys, recipe, relative),
        work=work,
        areas=area_rows(order, work),
    )


def project_report(target: TargetRow, surveys: Sequence[FileSurvey], folder: str) -> MigrationReport:
    """The report of the project in a folder, with the recipe that its files and documents show."""
    relative = _Relative(folder)
    python = {
        relative(survey.path): (survey.text, survey.usage)
        for survey in surveys
        if survey.is_python and survey.report.is_readable
    }
    configs = {relative(survey.path): survey.text for survey in surveys if not survey.is_python}
    recipe = find_recipe(python, configs, read_documents(Path(folder)))
    row = msgspec.structs.replace(target, root=relative(target.root))
    return _migration_report(surveys, recipe, row, Path(folder).name, relative)


class _Counted(msgspec.Struct, frozen=True):
    """A reference that counts for the network, and where a reader finds it."""

    file: str
    line: int
    reference: ReferenceRow


class _Relative:
    """Paths as the report shows them: below the project, with forward slashes."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.abspath(folder)  # noqa: PTH100

    def __call__(self, path: str) -> str:
        return PurePath(os.path.relpath(path, self._folder)).as_posix()


def _spot(survey: FileSurvey, span: Span, relative: _Relative) -> tuple[str, int]:
    """File and line as a reader looks them up; of a notebook the cell and the line in it."""
    cell, placed = place_in_cell(span, survey.report.cells)
    file = relative(survey.path)
    return (file, span.line) if cell is None else (f"{file} cell {cell}", placed.line)


def _findings(
    surveys: Sequence[FileSurvey], target: Target, relative: _Relative
) -> list[tuple[Finding, Applicability | None, PlaceRow]]:
    """Every finding, without the target, which the report names once."""
    return [
        (without_target(finding, target), fix, PlaceRow(file=file, line=line))
        for survey in surveys
        for finding, fix in zip(survey.report.findings, survey.report.fixes, strict=True)
        for file, line in (_spot(survey, finding.span, relative),)
    ]


def _target(row: TargetRow) -> Target:
    return Target(Version.parse(row.version), Device(row.device), Mode(row.mode))


def _programs(surveys: Sequence[FileSurvey], relative: _Relative) -> tuple[ProgramRow, ...]:
    found = (survey.report.program for survey in surveys)
    return tuple(program_rows(placed(one, relative) for one in found if one is not None))


def _readiness(surveys: Sequence[FileSurvey], network: Sequence[ReferenceRow]) -> Readiness:
    verdicts = Counter(reference.verdict for reference in network)
    apart = Counter(reference.apart for survey in surveys for reference in survey.references)
    return Readiness(
        references=len(network),
        ready=sum(is_ready(one.verdict, one.fix) for one in network),
        by_verdict={verdict.value: verdicts[verdict] for verdict in Verdict},
        apart={kind: apart[kind] for kind in KINDS_APART},
    )


def _counted(places: Iterable[tuple[str, int]]) -> tuple[FileCount, ...]:
    counts: dict[str, list[int]] = {}
    for file, line in places:
        counts.setdefault(file, []).append(line)
    rows = [FileCount(file=file, line=min(lines), count=len(lines)) for file, lines in counts.items()]
    return tuple(sorted(rows, key=lambda row: (-row.count, row.file))[:_MOST_FILES])


def _apis(network: Sequence[_Counted]) -> tuple[ApiRow, ...]:
    groups: dict[tuple[Verdict, str], list[_Counted]] = {}
    for one in network:
        groups.setdefault((one.reference.verdict, one.reference.use.api), []).append(one)
    order = {verdict: index for index, verdict in enumerate(reversed(Verdict))}
    rows = [
        ApiRow(
            api=api,
            verdict=verdict.value,
            count=len(found),
            ready=sum(is_ready(one.reference.verdict, one.reference.fix) for one in found),
            files=_counted((one.file, one.line) for one in found),
        )
        for (verdict, api), found in groups.items()
    ]
    by_word = {verdict.value: order[verdict] for verdict in Verdict}
    return tuple(sorted(rows, key=lambda row: (by_word[row.verdict], -row.count, row.api)))


def _hard(network: Sequence[_Counted], absent: Sequence[Absent]) -> tuple[HardRow, ...]:
    reasons = {row.api: row for row in absent}
    groups: dict[str, list[_Counted]] = {}
    for one in network:
        if one.reference.verdict is Verdict.NONE:
            groups.setdefault(one.reference.use.api, []).append(one)
    rows = []
    for api, found in groups.items():
        reason = reasons.get(api)
        rows.append(
            HardRow(
                api=api,
                count=len(found),
                policy=reason.policy if reason is not None else "",
                why=reason.why if reason is not None else "",
                tried=reason.tried if reason is not None else (),
                files=_counted((one.file, one.line) for one in found),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.count, row.api)))


def _section(
    title: str, starts: tuple[str, ...], surveys: Sequence[FileSurvey], relative: _Relative
) -> FindingSection:
    rules = all_rules()
    places: dict[str, list[NotedPlace]] = {}
    severities: dict[str, int] = {}
    for survey in surveys:
        for finding in survey.report.findings:
            if finding.rule.startswith(starts):
                noted = NotedPlace(
                    file=relative(survey.path), line=finding.span.line, message=finding.message
                )
                places.setdefault(finding.rule, []).append(noted)
                severities[finding.rule] = max(severities.get(finding.rule, 0), int(finding.severity))
    rows = []
    for code in sorted(places):
        rule = rules.get(code)
        rows.append(
            FindingRows(
                code=code,
                name=rule.name if rule is not None else "",
                summary=rule.summary if rule is not None else "",
                severity=("hint", "information", "warning", "error")[severities[code] - 1],
                places=tuple(places[code]),
            )
        )
    codes = ", ".join(f"{start}xx" if len(start) == 3 else start for start in starts)
    return FindingSection(title=title, codes=codes, rules=tuple(rows))


def _order(recipe: Recipe, network: Sequence[_Counted]) -> tuple[FileRow, ...]:
    references = Counter(one.file for one in network)
    ready = Counter(one.file for one in network if is_ready(one.reference.verdict, one.reference.fix))
    return tuple(
        FileRow(
            file=step.path,
            level=step.level,
            references=references[step.path],
            ready=ready[step.path],
            work=references[step.path] - ready[step.path],
            imports=step.imports,
            together=step.together,
        )
        for step in recipe.order
        if references[step.path]
    )


def _libraries(surveys: Sequence[FileSurvey], relative: _Relative) -> tuple[LibraryRow, ...]:
    places: dict[str, list[tuple[str, int]]] = {}
    for survey in surveys:
        for use in survey.usage.uses:
            if use.library:
                places.setdefault(use.library, []).append(_spot(survey, use.span, relative))
    rows = []
    for name, found in places.items():
        library = BUILT_ON_TORCH.get(name)
        rows.append(
            LibraryRow(
                name=name,
                what=library.what if library is not None else later("built on torch"),
                advice=library.advice if library is not None else "",
                count=len(found),
                files=_counted(found),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.count, row.name)))


_NAMED = re.compile(r"^(?:backbone|neck|head|encoder|decoder): (\w+)$|^(\w+)(?: \(of this project\))?$")
_MODEL_TOPICS = (ChecklistTopic.STRUCTURE, ChecklistTopic.STRUCTURE_POINTS, ChecklistTopic.TRICKS)


def _ports(recipe: Recipe, project: str) -> tuple[PortRow, ...]:
    """Ports of what the project's models and definitions are called, and of the project's own name."""
    names: dict[str, SettingLine] = {}
    for entry in recipe.entries:
        if entry.topic not in _MODEL_TOPICS:
            continue
        match = _NAMED.match(entry.what)
        if match is not None:
            names.setdefault(match[1] or match[2], entry.place)
        for value in entry.details:
            if value.is_known and re.fullmatch(r"backbone|arch|model(_name)?|encoder|name", value.name):
                names.setdefault(value.value, value.place or entry.place)
        for name in entry.note.split(", "):
            if re.fullmatch(r"\w+", name):
                names.setdefault(name, entry.place)
    first = next((entry.place for entry in recipe.entries), None)
    for word in re.split(r"[^A-Za-z0-9]+", project):
        if first is not None and word.lower() not in ("pytorch", "torch"):
            names.setdefault(word, first)
    found: dict[str, PortRow] = {}
    for name, place in names.items():
        for port in ports_of(name):
            found.setdefault(
                f"{port.repository}/{port.path}",
                PortRow(
                    family=port.family,
                    repository=port.repository,
                    path=port.path,
                    because=name,
                    place=_place(place),
                ),
            )
    return tuple(found.values())


def _topic(topic: ChecklistTopic, entries: Sequence[Entry]) -> TopicRow:
    return TopicRow(
        topic=topic.value,
        entries=tuple(
            EntryRow(
                what=entry.what,
                place=_place(entry.place),
                values=tuple(
                    ValueRow(
                        name=detail.name,
                        value=detail.value,
                        known=detail.is_known,
                        place=None if detail.place is None else _place(detail.place),
                    )
                    for detail in entry.details
                ),
                note=entry.note,
            )
            for entry in entries
            if entry.topic is topic
        ),
    )


def _question(question: Question, recipe: Recipe) -> QuestionRow:
    return QuestionRow(
        question=question.value,
        answers=tuple(
            FactRow(what=fact.what, place=None if fact.place is None else _place(fact.place))
            for fact in recipe.facts
            if fact.question is question
        ),
    )


def _place(place: SettingLine) -> PlaceRow:
    return PlaceRow(file=place.path, line=place.line)


def _problems(surveys: Sequence[FileSurvey], recipe: Recipe, relative: _Relative) -> tuple[NotedPlace, ...]:
    found = [
        NotedPlace(file=file, line=line, message=finding.message)
        for survey in surveys
        for finding in survey.report.findings
        if finding.rule.startswith("MP90")
        for file, line in (_spot(survey, finding.span, relative),)
    ]
    return (*found, *(NotedPlace(file="", line=0, message=f"checklist: {text}") for text in recipe.problems))
