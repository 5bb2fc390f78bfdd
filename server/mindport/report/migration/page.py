"""The report as one HTML page that needs nothing else: no fonts, no network. What comes from the user's files is
escaped by the template engine; the one script is ours, and the page's own policy lets no other run."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from mindport import __version__
from mindport.model.language import later, say, translated
from mindport.report.migration.rows import ApiRow, AreaRow, FileRow, MigrationReport

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
FIXES = {
    "safe": later("safe"),
    "unsafe": later("to be looked at"),
    "display": later("shown only"),
    "no": later("none"),
}
_WIDTH = 1000
_PLACES_AT_ONCE = 6
_MOST_PLACES = 60  # of one row: a page of a large repository stays one that a phone opens


def html_page(report: MigrationReport, made: str = "", editor: str = "", folder: str = "") -> str:
    """The page. `made` is a date to print; without one the same report always gives the same bytes. Places are links
    into the `editor` (vscode or idea), where it and the `folder` of the project are given; the reader may choose."""
    return _template().render(
        report=report,
        made=made,
        style=Markup(_style()),
        script=Markup(_script()),
        script_hash=_script_hash(),
        editor=editor,
        folder=folder,
        silent=[row for row in report.work if row.is_silent],
        other=[row for row in report.work if not row.is_silent],
        areas=[(row, area_bar(row, report)) for row in report.areas],
        progress_bars=progress_bars(report),
        fixes=FIXES,
        most=_PLACES_AT_ONCE,
        limit=_MOST_PLACES,
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
    return _work_bar(row.ready, row.work, max(one.references for one in report.order))


def area_bar(row: AreaRow, report: MigrationReport) -> Markup:
    """The same of an area."""
    return _work_bar(row.ready, row.work, max(one.references for one in report.areas))


def progress_bars(report: MigrationReport) -> list[Markup]:
    """The same of the earlier report and of this one; nothing where there is no earlier one."""
    rows = {row.what: row for row in report.progress}
    if not rows:
        return []
    ready, work = rows["ready"], rows["to do"]
    largest = max(ready.before + work.before, ready.now + work.now)
    return [_work_bar(ready.before, work.before, largest), _work_bar(ready.now, work.now, largest)]


def _work_bar(ready: int, work: int, largest: int) -> Markup:
    end, width = 200 * ready / (largest or 1), 200 * work / (largest or 1)
    label = say("{ready} ready, {work} to do", ready=ready, work=work)
    return Markup(
        f'<svg class="file" viewBox="0 0 200 12" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<rect class="f-ready" width="{end:.1f}" height="12"/>'
        f'<rect class="f-work" x="{end:.1f}" width="{width:.1f}" height="12"/></svg>'
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
    if report.progress:
        yield "progress", say("Progress")
    yield "silent", say("Silent differences")
    yield "effort", say("Effort by area")
    yield "work", say("Other findings")
    yield "checklist", say("Checklist")
    yield "hard", say("Without an equivalent")
    for section in report.sections:
        if section.codes == "MP101":  # told first
            continue
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


@functools.cache
def _script() -> str:
    return _file("page.js").strip()


@functools.cache
def _script_hash() -> str:
    """The script as the page's policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
