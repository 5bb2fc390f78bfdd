"""What a person should look at in a port, with the lines of both texts, and as comments in the written one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from mindport.check.outcome import FileFix
from mindport.model.finding import Finding, Severity
from mindport.model.target import Target
from mindport.port.outcome import Place, Remark
from mindport.rules.wording import target_words
from mindport.source.line_map import LineMap
from mindport.source.lines import LineIndex
from mindport.source.notebook import place_in_cell
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.text import SourceText

MARK = "# review: "


def remarks_of(file: FileFix, name: str, target: Target) -> tuple[tuple[Remark, ...], tuple[Remark, ...]]:
    """What to review, and what is left, of one file; `name` is its path in the project, and the `target` is left out of
    what is said, as it is the same everywhere."""
    if file.before is None or file.after is None:
        return (), tuple(
            _remark(one, name, one.span.line, file, target) for one in _harmful(file.report.findings)
        )
    lines = LineMap(file.after.text, file.before.text)  # from the original to what was written
    review = [_remark(one, name, lines.line_before(one.span.line), file, target) for one in file.review]
    left = [
        _remark(one, name, lines.line_before(one.span.line), file, target)
        for one in _harmful(file.report.findings)
    ]
    return tuple(dict.fromkeys(review)), tuple(dict.fromkeys(left))


def _harmful(findings: Iterable[Finding]) -> Iterable[Finding]:
    return (finding for finding in findings if finding.severity >= Severity.WARNING)


def _remark(finding: Finding, name: str, written_line: int, file: FileFix, target: Target) -> Remark:
    cell, span = place_in_cell(finding.span, file.report.cells)
    place = Place(name, span.line, written_line if cell is None else span.line, cell)
    return Remark(
        place,
        finding.rule,
        finding.severity.label,
        finding.message.replace(f" on {target_words(target)}", ""),
    )


def with_review_comments(source: SourceText, remarks: Sequence[Remark]) -> SourceText:
    """The written text with a comment above each statement that has something to review. The same text for a notebook,
    or where it does not parse."""
    if source.notebook is not None or not remarks:
        return source
    try:
        tree = parse_tree(source.text)
    except SYNTAX_ERRORS:
        return source
    starts = _statement_starts(tree)
    wanted: dict[int, list[str]] = {}
    for remark in remarks:
        line = max((start for start in starts if start <= remark.place.written_line), default=1)
        texts = wanted.setdefault(line, [])
        if remark.message not in texts:
            texts.append(remark.message)
    lines, text = LineIndex(source.text), source.text
    for line in sorted(wanted, reverse=True):
        start = lines.line_start(line)
        rest = text[start:]
        indent = rest[: len(rest) - len(rest.lstrip(" \t"))]
        comment = "".join(f"{indent}{MARK}{_one_line(one)}{source.newline}" for one in wanted[line])
        text = text[:start] + comment + text[start:]
    try:
        is_same = ast.dump(parse_tree(text)) == ast.dump(tree)
    except SYNTAX_ERRORS:
        return source
    return source.with_text(text) if is_same else source  # a statement may begin on the last line of a string


def _statement_starts(tree: ast.Module) -> list[int]:
    """The lines on which statements begin, with their decorators."""
    starts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            first = getattr(node, "decorator_list", None)
            starts.add(first[0].lineno if first else node.lineno)
    return sorted(starts)


def _one_line(message: str) -> str:
    return " ".join(message.split())
