"""The report as one HTML page that needs nothing else: no scripts, no fonts, no network. Everything that comes from the
user's files is escaped by the template engine."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from mindport import __version__
from mindport.model.language import later, say, translated
from mindport.report.migration.rows import ApiRow, FileRow, MigrationReport

MEANINGS = {
    "same": later("the same expression works"),
    "renamed": later("another name, the same meaning"),
    "equivalent": later("another construct with the same result"),
    "composed": later("several calls together"),
    "differs": later("there, but different in a way to look at"),
    "none": later("nothing on this target"),
    "not judged": later("nobody has looked yet"),
}
POLICIES = {
    "equivalent": later("equivalent replacement"),
    "compose": later("compose it from other APIs"),
    "custom-op": later("write a custom operator"),
    "community": later("ask the community for it"),
    "": later("no policy yet"),
}
_WIDTH = 1000


def html_page(report: MigrationReport, made: str = "") -> str:
    """The page. `made` is a date to print; without one the same report always gives the same bytes."""
    return _template().render(
        report=report,
        made=made,
        style=Markup(_style()),
        bar=verdict_bar(report),
        contents=_contents(report),
        apart=apart_words(report),
        language=say("en"),
        meanings=MEANINGS,
        policies=POLICIES,
        order=[(row, file_bar(row, report)) for row in report.order],
        apis=_by_verdict(report),
        version=__version__,
    )


def verdict_bar(report: MigrationReport) -> Markup:
    """The verdicts as one bar, each as wide as its share."""
    total = report.readiness.references
    counts = [(verdict, count) for verdict, count in report.readiness.by_verdict.items() if count]
    label = say(
        "Verdicts: {verdicts}",
        verdicts=", ".join(f"{count} {translated(verdict)}" for verdict, count in counts),
    )
    parts, start = [], 0
    for verdict, count in counts:
        x, end = _WIDTH * start / total, _WIDTH * (start + count) / total
        title = f"{count} {translated(verdict)} ({100 * count / total:.1f} %)"
        css = verdict.replace(" ", "-")
        parts.append(
            f'<rect class="f-{css}" x="{x:.1f}" width="{end - x:.1f}" height="16"><title>{title}</title></rect>'
        )
        start += count
    return Markup(
        f'<svg class="bar" viewBox="0 0 {_WIDTH} 16" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def file_bar(row: FileRow, report: MigrationReport) -> Markup:
    """A file's ready references and its work, on the scale of the largest file."""
    largest = max(one.references for one in report.order)
    ready, work = 200 * row.ready / largest, 200 * row.work / largest
    label = say("{ready} ready, {work} to do", ready=row.ready, work=row.work)
    return Markup(
        f'<svg class="file" viewBox="0 0 200 12" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<rect class="f-ready" width="{ready:.1f}" height="12"/>'
        f'<rect class="f-work" x="{ready:.1f}" width="{work:.1f}" height="12"/></svg>'
    )


def with_code(text: str) -> Markup:
    """Text of ours in which `backticks` mark code."""
    escaped = str(escape(text))  # a Markup would escape the tags that are put into it
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped))


def apart_words(report: MigrationReport) -> str:
    """What was counted apart from the network: `12 imports; 3 in data code`."""
    kinds = [f"{count} {translated(kind)}" for kind, count in report.readiness.apart.items() if count]
    return "; ".join(kinds) or say("nothing")


def _contents(report: MigrationReport) -> Iterator[tuple[str, str]]:
    yield "programs", say("Programs")
    yield "readiness", say("Readiness")
    yield "checklist", say("Checklist")
    yield "hard", say("Without an equivalent")
    for section in report.sections:
        yield section.codes.lower().replace(", ", "-"), translated(section.title)
    yield "order", say("Port these first")
    yield "libraries", say("Libraries")
    yield "ports", say("Existing models")
    yield "reference", say("Reference check")
    yield "baseline", say("Baseline")
    yield "apis", say("All APIs")
    if report.problems:
        yield "problems", say("Problems")


def _by_verdict(report: MigrationReport) -> list[tuple[str, list[ApiRow]]]:
    groups: dict[str, list[ApiRow]] = {}
    for row in report.apis:
        groups.setdefault(row.verdict, []).append(row)
    return list(groups.items())


@functools.cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters["code"] = with_code
    environment.filters["said"] = translated
    environment.globals["say"] = say
    return environment.from_string(_file("page.html.j2"))


@functools.cache
def _style() -> str:
    return _file("page.css").strip()


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
