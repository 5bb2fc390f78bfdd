"""Suppression comments: `# mindport: ignore[MP103, MP101] reason`, `# mindport: ignore`, `# mindport:
ignore-file`.

A comment behind code speaks for its physical line; one on a line of its own for the next line that holds
code."""

from __future__ import annotations

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
_DIRECTIVE = re.compile(r"#\s*mindport:\s*(?P<word>ignore-file|ignore)\b(?:\s*\[(?P<codes>[^\]]*)\])?(?!-)")
_CODE = re.compile(r"MP\d{3}")


class Suppression(msgspec.Struct, frozen=True):
    """One comment. `line` is the line it speaks for, 0 for the whole file; `codes` are empty for all of them.
    `unreadable` holds what stands among the codes and is none."""

    span: Span
    line: int
    codes: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


class Suppressed(msgspec.Struct, frozen=True):
    """The findings that are left, with one for every comment or code that suppressed nothing, and the
    count of those that are not."""

    findings: tuple[Finding, ...]
    count: int


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
        span = Span(line, column, line, column + len(match[0]))
        if match["word"] == "ignore-file":
            found.append(_suppression(span, 0, match))
        elif has_code:
            found.append(_suppression(span, line, match))
        else:
            waiting.append((span, match))
    found += [_suppression(span, span.line, match) for span, match in waiting]
    return tuple(sorted(found, key=lambda one: one.span))


def apply_suppressions(findings: Iterable[Finding], suppressions: tuple[Suppression, ...]) -> Suppressed:
    """Take out what the comments suppress, and add a finding for every comment that suppresses nothing."""
    if not suppressions:
        return Suppressed(tuple(findings), 0)
    used: set[tuple[int, str]] = set()
    kept: list[Finding] = []
    count = 0
    for finding in findings:
        hits = [
            (index, finding.rule if one.codes else "")
            for index, one in enumerate(suppressions)
            if speaks_for(one, finding)
        ]
        used.update(hits)
        if hits:
            count += 1
        else:
            kept.append(finding)
    for index, one in enumerate(suppressions):
        unused = [code for code in one.codes if (index, code) not in used]
        if one.unreadable:
            words = ", ".join(one.unreadable)
            message = f"this comment names {words}, which is no code; write MP and three digits"
            kept.append(_unused(one, message))
        if one.codes and unused:
            kept.append(_unused(one, f"this comment suppresses no {', '.join(unused)} here; remove it"))
        elif not one.codes and not one.unreadable and (index, "") not in used:
            kept.append(_unused(one, "this comment suppresses nothing here; remove it"))
    return Suppressed(tuple(sorted(kept, key=lambda finding: (finding.span, finding.rule))), count)


def _suppression(span: Span, line: int, match: re.Match[str]) -> Suppression:
    if match["codes"] is None:
        return Suppression(span, line)
    words = [word for word in re.split(r"[,\s]+", match["codes"]) if word]
    codes = tuple(word for word in words if _CODE.fullmatch(word))
    unreadable = tuple(word for word in words if not _CODE.fullmatch(word))
    return Suppression(span, line, codes, unreadable if words else ("an empty list",))


def speaks_for(suppression: Suppression, finding: Finding) -> bool:
    """Whether a comment suppresses a finding."""
    if suppression.unreadable and not suppression.codes:
        return False
    if suppression.codes and finding.rule not in suppression.codes:
        return False
    return suppression.line == 0 or finding.span.line <= suppression.line <= finding.span.end_line


def _unused(suppression: Suppression, message: str) -> Finding:
    return Finding(UNUSED, Severity.WARNING, suppression.span, message)
