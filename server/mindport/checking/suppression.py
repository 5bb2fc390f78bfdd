"""Suppression comments: `# mindport: ignore[MP103, MP101] until 2027-03-31 reason`, `# mindport: ignore`, `# mindport:
ignore-file`.

A comment behind code speaks for its physical line; one on a line of its own for the next line that holds
code. With a day it speaks until that day is over."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

import msgspec

from mindport.model.finding import Finding, Severity
from mindport.model.span import Span

UNUSED = "MP904"

# Strings are matched only to be passed over: a comment sign inside one is no comment. Prefixes do not
# matter for # where a string ends, not even `r`: there, too, a quote behind a backslash does not end it.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'''(?:[^\\]|\\.)*?(?:'''|\Z)"
    r'|"(?:[^"\\\r\n]|\\(?:\r\n|.))*"?'
    r"|'(?:[^'\\\r\n]|\\(?:\r\n|.))*'?"
    r"|(?P<comment>#[^\r\n]*)"
    r"|(?P<end>\r\n|\r|\n)"
    r"|\S",
    re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"#\s*mindport:\s*(?P<word>ignore-file|ignore)\b(?:\s*\[(?P<codes>[^\]]*)\])?(?!-)"
    r"(?P<until>\s+until\s+(?P<day>\d[^\s:,;]*))?"  # `until X is ported` is a reason
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CODE = re.compile(r"MP\d{3}")


class Suppression(msgspec.Struct, frozen=True):
    """One comment. `line` is the line it speaks for, 0 for the whole file; `codes` are empty for all of them.
    `unreadable` holds what stands among the codes and is none, `until` the last day that it speaks on, as it is
    written behind `span`; empty for every day."""

    span: Span
    line: int
    codes: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    until: str = ""


class Idle(msgspec.Struct, frozen=True, array_like=True):
    """A comment that does not suppress anything by `codes`; without codes, by all that it says."""

    span: Span
    codes: tuple[str, ...] = ()


class Suppressed(msgspec.Struct, frozen=True):
    """The findings that are left, with one for every comment or code that suppressed nothing, and the
    count of those that are not. `idle` are the comments that nothing would be missing without."""

    findings: tuple[Finding, ...]
    count: int
    idle: tuple[Idle, ...] = ()


def find_suppressions(text: str) -> tuple[Suppression, ...]:
    """Every suppression comment of a text. Costs next to nothing where there is none."""
    if "mindport:" not in text:
        return ()
    found: list[Suppression] = []
    waiting: list[tuple[Span, re.Match[str]]] = []
    line, line_start, has_code = 1, 0, False
    for token in _TOKEN.finditer(text):
        if token["end"] is not None:
            line, line_start, has_code = line + 1, token.end(), False
            continue
        if token["comment"] is None:
            if not has_code:
                found += [_suppression(span, line, match) for span, match in waiting]
                waiting.clear()
            has_code = True
            breaks = re.findall(r"\r\n|\r|\n", token[0])
            if breaks:  # a string over several lines
                line += len(breaks)
                line_start = token.start() + max(token[0].rfind("\n"), token[0].rfind("\r")) + 1
            continue
        match = _DIRECTIVE.search(token[0])
        if match is None:
            continue
        column = token.start() - line_start + match.start()
        end = match.end() if match["until"] is None else match.start("until")
        span = Span(line, column, line, column + end - match.start())
        if match["word"] == "ignore-file":
            found.append(_suppression(span, 0, match))
        elif has_code:
            found.append(_suppression(span, line, match))
        else:
            waiting.append((span, match))
    found += [_suppression(span, span.line, match) for span, match in waiting]
    return tuple(sorted(found, key=lambda one: one.span))


def ends_some_day(text: str) -> bool:
    """Whether what comments suppress in a text may be another thing tomorrow."""
    return any(one.until for one in find_suppressions(text))


def apply_suppressions(
    findings: Iterable[Finding], suppressions: tuple[Suppression, ...], today: datetime.date
) -> Suppressed:
    """Take out what the comments suppress on a day, and add a finding for every comment that suppresses nothing."""
    if not suppressions:
        return Suppressed(tuple(findings), 0)
    used: set[tuple[int, str]] = set()
    kept: list[Finding] = []
    count = 0
    day = today.isoformat()
    standing = [(index, one) for index, one in enumerate(suppressions) if not _is_over(one, day)]
    for finding in findings:
        hits = [
            (index, finding.rule if one.codes else "") for index, one in standing if speaks_for(one, finding)
        ]
        used.update(hits)
        if hits:
            count += 1
        else:
            kept.append(finding)
    idle: list[Idle] = []
    for index, one in enumerate(suppressions):
        if one.unreadable:
            words = ", ".join(one.unreadable)
            message = f"this comment names {words}, which is no code; write MP and three digits"
            kept.append(_unused(one, message))
        if one.until and not _is_day(one.until):
            message = f"this comment suppresses nothing: {one.until} is no day; write until 2027-03-31"
            kept.append(_unused(one, message))
            continue
        if _is_over(one, day):
            kept.append(_unused(one, f"this comment suppresses nothing since {one.until} is over"))
            idle += [] if one.unreadable else [Idle(one.span)]
            continue
        unused = tuple(code for code in one.codes if (index, code) not in used)
        if one.codes and unused:
            kept.append(_unused(one, f"this comment suppresses no {', '.join(unused)} here; remove it"))
            is_whole = len(unused) == len(one.codes) and not one.unreadable
            idle.append(Idle(one.span, () if is_whole else unused))
        elif not one.codes and not one.unreadable and (index, "") not in used:
            kept.append(_unused(one, "this comment suppresses nothing here; remove it"))
            idle.append(Idle(one.span))
    findings = tuple(sorted(kept, key=lambda finding: (finding.span, finding.rule)))
    return Suppressed(findings, count, tuple(idle))


def _is_day(word: str) -> bool:
    try:
        return _DAY.fullmatch(word) is not None and bool(datetime.date.fromisoformat(word))
    except ValueError:  # the 31st of February
        return False


def _is_over(suppression: Suppression, day: str) -> bool:
    """Whether the last day of a comment is before `day`; one that names no day at all never speaks."""
    until = suppression.until
    return bool(until) and (not _is_day(until) or until < day)


def _suppression(span: Span, line: int, match: re.Match[str]) -> Suppression:
    until = match["day"] or ""
    if match["codes"] is None:
        return Suppression(span, line, until=until)
    words = [word for word in re.split(r"[,\s]+", match["codes"]) if word]
    codes = tuple(word for word in words if _CODE.fullmatch(word))
    unreadable = tuple(word for word in words if not _CODE.fullmatch(word))
    return Suppression(span, line, codes, unreadable if words else ("an empty list",), until)


def speaks_for(suppression: Suppression, finding: Finding) -> bool:
    """Whether a comment suppresses a finding."""
    if suppression.unreadable and not suppression.codes:
        return False
    if suppression.codes and finding.rule not in suppression.codes:
        return False
    return suppression.line == 0 or finding.span.line <= suppression.line <= finding.span.end_line


def _unused(suppression: Suppression, message: str) -> Finding:
    return Finding(UNUSED, Severity.WARNING, suppression.span, message)
