"""The state of a migration file by file, for a tree: how much of each is ready, and every place of every API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from mindport.checking.counting import is_ready
from mindport.checking.outcome import ReferenceRow
from mindport.checking.survey import FileSurvey
from mindport.model.finding import Finding
from mindport.model.span import Span
from mindport.model.verdict import Verdict

SILENT = "MP101"  # the rule of silent differences
_ORDER = {verdict: place for place, verdict in enumerate(reversed(Verdict))}  # what is hardest comes first


class ApiState(msgspec.Struct, frozen=True, kw_only=True):
    """One torch API with one verdict in a file, and where it is: spans of the text, of a notebook of all its cells."""

    api: str
    verdict: str
    ready: int
    places: tuple[Span, ...]


class FileReadiness(msgspec.Struct, frozen=True, kw_only=True):
    """A file: how many torch names its networks use, how many of them are ready, and how many uses run on but compute
    something else."""

    path: str
    references: int
    ready: int
    silent: int
    apis: tuple[ApiState, ...]


def file_readiness(survey: FileSurvey) -> FileReadiness:
    """The state of one file."""
    network = [one for one in survey.references if not one.apart]  # as in the report
    return FileReadiness(
        path=survey.path,
        references=len(network),
        ready=sum(is_ready(one.verdict, one.fix) for one in network),
        silent=silent_count(survey.report.findings),
        apis=_apis(network),
    )


def silent_count(findings: Iterable[Finding]) -> int:
    """How many findings are silent differences."""
    return sum(finding.rule == SILENT for finding in findings)


def _apis(network: Sequence[ReferenceRow]) -> tuple[ApiState, ...]:
    groups: dict[tuple[Verdict, str], list[ReferenceRow]] = {}
    for one in network:
        groups.setdefault((one.verdict, one.use.api), []).append(one)
    ordered = sorted(groups.items(), key=lambda row: (_ORDER[row[0][0]], -len(row[1]), row[0][1]))
    return tuple(
        ApiState(
            api=api,
            verdict=verdict.value,
            ready=sum(is_ready(one.verdict, one.fix) for one in found),
            places=tuple(one.use.name_span for one in found),
        )
        for (verdict, api), found in ordered
    )
