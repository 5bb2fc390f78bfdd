"""The report as Markdown, for reviews and issues, and as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from mindport.model.language import later, say, translated
from mindport.report.migration.page import POLICIES, apart_words
from mindport.report.migration.rows import FileCount, MigrationReport
from mindport.report.program_rows import PlaceRow, ProgramRow
from mindport.report.spreadsheet import cell

_SIGNS = re.compile(r"([\\`*_\[\]<>|#])")


def markdown_page(report: MigrationReport, made: str = "") -> str:
    """The report in Markdown. What comes from the user's files is escaped."""
    return "\n".join(_lines(report, made)) + "\n"


def csv_table(report: MigrationReport) -> str:
    """Every row of the report on a line of its own: section, what, value, count, file, line, note."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(("section", "what", "value", "count", "file", "line", "note"))
    for row in _rows(report):
        writer.writerow([cell(value) for value in row])
    return sink.getvalue()


def _rows(report: MigrationReport) -> Iterator[tuple[object, ...]]:
    for program in report.programs:
        cause = program.cause
        first = (cause.file, cause.line) if cause is not None else ("", "")
        yield "program", program.file, program.level, "", *first, _cause_words(program)
    readiness = report.readiness
    yield "readiness", "references", readiness.references, readiness.references, "", "", ""
    yield "readiness", "ready", readiness.ready, readiness.ready, "", "", ""
    for verdict, count in readiness.by_verdict.items():
        yield "readiness", verdict, "", count, "", "", ""
    for kind, count in readiness.apart.items():
        yield "counted apart", kind, "", count, "", "", ""
    for topic in report.checklist:
        for entry in topic.entries:
            yield topic.topic, entry.what, "", "", entry.place.file, entry.place.line, entry.note
            for value in entry.values:
                at = value.place or entry.place
                note = value.name if value.known else f"{value.name} (unknown before a run)"
                yield topic.topic, entry.what, value.value, "", at.file, at.line, note
        if not topic.entries:
            yield topic.topic, "unknown", "", "", "", "", ""
    for hard in report.hard:
        for place in hard.files:
            yield (
                "without an equivalent",
                hard.api,
                hard.policy,
                place.count,
                place.file,
                place.line,
                hard.why,
            )
    for section in report.sections:
        for rule in section.rules:
            for noted in rule.places:
                yield section.title, rule.code, rule.severity, "", noted.file, noted.line, noted.message
    for step in report.order:
        yield "order", step.file, step.level + 1, step.work, step.file, "", ", ".join(step.imports)
    for library in report.libraries:
        yield "library", library.name, "", library.count, "", "", library.advice
    for port in report.ports:
        yield (
            "existing model",
            port.family,
            port.because,
            "",
            port.place.file,
            port.place.line,
            f"{port.repository}/{port.path}",
        )
    for question in report.reference:
        for answer in question.answers:
            where = answer.place
            yield (
                question.question,
                answer.what,
                "",
                "",
                where.file if where else "",
                where.line if where else "",
                "",
            )
        if not question.answers:
            yield question.question, "unknown", "", "", "", "", ""
    for api in report.apis:
        for used in api.files:
            yield "api", api.api, api.verdict, used.count, used.file, used.line, ""
    for problem in report.problems:
        yield "problem", problem.message, "", "", problem.file, problem.line or "", ""


def _lines(report: MigrationReport, made: str) -> Iterator[str]:
    readiness = report.readiness
    yield "# " + say("{project}: from PyTorch to MindSpore", project=_plain(report.project))
    yield ""
    yield say("Files read: {count}. Target: {target}.", count=report.files, target=report.target) + (
        f" {say('Made on {date}.', date=made)}" if made else ""
    )
    yield ""
    yield "## " + say("Programs")
    yield ""
    if report.programs:
        yield say("| program | after a port | first cause |")
        yield "|---|---|---|"
        for program in report.programs:
            why = f"{_at(program.cause)} {_plain(_cause_words(program))}" if program.cause else ""
            yield f"| {_plain(program.file)} | {translated(program.level)} | {why} |"
    else:
        yield say("No file with torch is a program: none is started by itself.")
    yield ""
    yield "## " + say("Readiness")
    yield ""
    if readiness.share is None:
        yield say("The network has no references to torch.")
    else:
        yield f"**{readiness.share:.0f} %** " + say(
            "of the network's {count} references to torch work as they are or after a fix that is proved.",
            count=readiness.references,
        )
        yield ""
        yield say("| verdict | references |")
        yield "|---|---:|"
        for verdict, count in readiness.by_verdict.items():
            if count:
                yield f"| {translated(verdict)} | {count} |"
    yield ""
    yield say("Counted apart: {apart}.", apart=apart_words(report))
    yield ""
    yield "## " + say("Checklist")
    for topic in report.checklist:
        yield ""
        yield f"### {translated(topic.topic)}"
        yield ""
        if not topic.entries:
            yield say("unknown")
        for entry in topic.entries:
            note = f": {_plain(entry.note)}" if entry.note else ""
            yield f"- **{_plain(translated(entry.what))}** {_at(entry.place)}{note}"
            for value in entry.values:
                text = _plain(value.value) if value.known else f"*{_plain(value.value)}*"
                elsewhere = f" {_at(value.place)}" if value.place and value.place != entry.place else ""
                yield f"  - {_plain(value.name)}: {text}{elsewhere}"
    yield ""
    yield "## " + say("Without an equivalent")
    yield ""
    if report.hard:
        yield say("| API | uses | way out | where |")
        yield "|---|---:|---|---|"
        for row in report.hard:
            way = translated(POLICIES[row.policy]) + (f": {_plain(row.why)}" if row.why else "")
            yield f"| {_plain(row.api)} | {row.count} | {way} | {_files(row.files)} |"
    else:
        yield say("Nothing.")
    for section in report.sections:
        yield ""
        yield f"## {translated(section.title)}"
        yield ""
        if not section.rules:
            yield say("No findings ({codes}).", codes=section.codes)
        for rule in section.rules:
            yield f"- {rule.code} {_plain(translated(rule.summary))}"
            for place in rule.places:
                yield f"  - `{place.file}:{place.line}` {_plain(place.message)}"
    yield ""
    yield "## " + say("Port these first")
    yield ""
    yield say("| step | file | work | imports |")
    yield "|---:|---|---:|---|"
    for step in report.order:
        work = say("{work} of {references}", work=step.work, references=step.references)
        yield f"| {step.level + 1} | {_plain(step.file)} | {work} | {_plain(', '.join(step.imports))} |"
    yield ""
    yield "## " + say("Libraries built on torch")
    yield ""
    yield from _list(
        f"**{_plain(row.name)}** ({row.count}): {_plain(translated(row.advice))}" for row in report.libraries
    )
    yield ""
    yield "## " + say("Existing MindSpore models")
    yield ""
    yield from _list(
        f"**{_plain(row.family)}** {row.repository}, `{row.path}`, {say('for {name}', name=_plain(row.because))}"
        for row in report.ports
    )
    yield ""
    yield "## " + say("Reference check")
    for question in report.reference:
        yield ""
        yield f"### {translated(question.question)}"
        yield ""
        if not question.answers:
            yield say("unknown")
        for answer in question.answers:
            yield f"- {_plain(answer.what)}{f' {_at(answer.place)}' if answer.place else ''}"
    yield ""
    yield "## " + say("Performance baseline")
    for title, text in ((later("Original"), report.baseline.original), (later("Port"), report.baseline.port)):
        yield ""
        yield f"### {translated(title)}"
        yield ""
        yield f"```python\n{text}\n```"
    if report.problems:
        yield ""
        yield "## " + say("What could not be read")
        yield ""
        yield from _list(
            f"{problem.file}:{problem.line} {_plain(problem.message)}" for problem in report.problems
        )


def _cause_words(program: ProgramRow) -> str:
    return f"{program.what}: {program.why}" if program.why else program.what


def _list(items: Iterable[str]) -> Iterator[str]:
    found = False
    for item in items:
        found = True
        yield f"- {item}"
    if not found:
        yield say("None found.")


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, in one line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _at(place: PlaceRow) -> str:
    return f"`{place.file.replace('`', '')}:{place.line}`"


def _files(rows: Iterable[FileCount]) -> str:
    return ", ".join(f"{_plain(row.file)}:{row.line}" for row in rows)
