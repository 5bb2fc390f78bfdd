"""All that a report needs of a project's files in one pass: findings, references, and the texts with their uses, from
which the checklist is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from mindport.checking.analysis import NO_USAGE, analyse, is_config, project_of, read_sources
from mindport.checking.components import components
from mindport.checking.conversion import Conversion
from mindport.checking.engine import Engine
from mindport.checking.failure import failure_of
from mindport.checking.file_report import check_file, unreadable_report
from mindport.checking.forecast import Forecasts
from mindport.checking.inventory import references
from mindport.checking.outcome import FileReport, ReferenceRow
from mindport.checking.program_forecast import ProgramForecast
from mindport.checking.project_evidence import project_index
from mindport.checking.training import ProjectSteps
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.language import spoken
from mindport.model.target import Target
from mindport.model.verdict import Verdict
from mindport.source.discovery import full_path, names_of
from mindport.source.problem import Problem
from mindport.source.text import SourceText
from mindport.usage.api_use import FileUsage


class Absent(msgspec.Struct, frozen=True):
    """Why an API has no equivalent on the target, and the way out: a policy of the mappings, or empty."""

    api: str
    policy: str
    why: str
    tried: tuple[str, ...]


class FileSurvey(msgspec.Struct, frozen=True):
    """One file: its findings, its references to torch, its text (empty where it could not be read), its uses, what
    is to be said of the APIs in it that have no equivalent."""

    path: str
    report: FileReport
    references: tuple[ReferenceRow, ...] = ()
    text: str = ""
    usage: FileUsage = NO_USAGE
    absent: tuple[Absent, ...] = ()

    @property
    def is_python(self) -> bool:
        """Whether the file is code, not configuration."""
        return not is_config(self.path)


def survey_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
) -> Iterator[FileSurvey]:
    """The survey of each file, in the order of `files`. Never raises for what the files hold."""
    engine = Engine(target, project_index(settings, root), language=spoken(settings.locale))
    rules = RuleFilter(settings, root)
    name_of = names_of(files)
    sources = read_sources(files, settings, root, overlay or {})
    project = project_of(sources, root)
    steps = ProjectSteps(project, target)
    forecasts = Forecasts(project, engine, steps)
    analysed = {
        path: analyse(path, source, project, target, steps_of=lambda path, _: steps.of(path))
        for path, source in sources.files
    }
    programs: dict[str, ProgramForecast] = {}
    conversions: dict[str, Conversion] = {}
    for part in components(sources):  # as check goes through them, so that both say the same
        programs |= forecasts.of({full_path(path): path for path, _ in part.files})
        paths = [path for path, _ in part.files]
        conversions |= dict.fromkeys(paths, Conversion([analysed[path] for path in paths], project, steps))
    for path, file in analysed.items():
        if isinstance(file.source, Problem):
            yield FileSurvey(file.path, unreadable_report(file.path, file.source, rules, engine))
            continue
        try:
            text = file.source.text
            report = check_file(file, text, engine, rules, name_of, conversions[path])
            report = msgspec.structs.replace(report, program=programs.get(path))
            rows = list(references(file.usage.uses, text, engine, file.data))
            met = {finding.use_index for finding in report.findings}
            for index, fix in conversions[path].fixed_with_steps(file, text, met, engine).items():
                rows[index] = msgspec.structs.replace(rows[index], fix=fix)
            yield FileSurvey(path, report, tuple(rows), text, file.usage, _absent(rows, engine))
        except Exception as error:  # noqa: BLE001  a defect in one file must not lose the others
            problem = failure_of(error, file.path)
            yield FileSurvey(file.path, unreadable_report(file.path, problem, rules, engine))


def _absent(rows: Sequence[ReferenceRow], engine: Engine) -> tuple[Absent, ...]:
    found: dict[str, Absent] = {}
    for row in rows:
        if row.verdict is not Verdict.NONE or row.use.api in found or row.use.library:
            continue
        judgement = engine.assess(row.use).judgement
        case = judgement.case
        why = (case.why if case is not None else "") or judgement.device_reason or judgement.version_reason
        policy = (case.policy or "") if case is not None else ""
        tried = tuple(case.tried) if case is not None else ()
        if not why and judgement.mapping is not None:
            why = judgement.mapping.summary
        found[row.use.api] = Absent(row.use.api, policy, why or row.reason, tried)
    return tuple(found.values())
