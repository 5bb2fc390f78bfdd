"""From findings in the original to places in what was written, and to `# review:` comments there."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence

import msgspec

from mindport.checking.outcome import FileFix
from mindport.model.finding import Finding, Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.port.outcome import PortedLine, Remark
from mindport.prove.trial_lines import LineMap
from mindport.registry.torch import TorchKind, torch_facts
from mindport.report.text import one_line
from mindport.rewrite.ported_imports import is_replaced
from mindport.rules.wording import without_target
from mindport.source.discovery import printable_path
from mindport.source.lines import LineIndex
from mindport.source.notebook import cells_of, place_in_cell
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.text import SourceText, encode_source

_LONGEST = 100
_LACKING = frozenset(("MP102", "MP103", "MP104", "MP113"))
_STAYS_WHOLE = ("MP116", "MP901")  # a training step; a file that does not parse
_OF_NAMES = "MP1"  # the rules about names of torch; others advise
_LIBRARY = "MP105"
_ADVICE = "MP601"  # arrays in place of tensors where data are prepared
_NO_CODE = frozenset((tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE))


def remarks(
    file: FileFix, name: str, after: SourceText, inserted: Sequence[int] = ()
) -> tuple[list[Remark], list[Remark]]:
    """What to review in a file called `name`, and what is left in it. `after` is the text that is written, which has
    lines `inserted` into that of the fix."""
    left = [
        finding
        for finding in file.report.findings
        if (finding.severity >= Severity.INFORMATION or _fails(finding))
        and not _is_replaced(finding, after.text)
    ]
    places = _Places(file, name, after, inserted)
    review = dict.fromkeys(places.remark(finding) for finding in file.unsafe)
    return list(review), [places.remark(finding, fails=_fails(finding)) for finding in left]


def with_target_named_once(file: FileFix, target: Target) -> FileFix:
    """A file whose findings do not name the target: a port names it once."""

    def shortened(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(without_target(one, target) for one in findings)

    report = msgspec.structs.replace(file.report, findings=shortened(file.report.findings))
    return msgspec.structs.replace(file, report=report, unsafe=shortened(file.unsafe))


def with_comments(file: FileFix) -> tuple[SourceText, tuple[int, ...]]:
    """The converted text with a `# review:` comment above each statement that an unsafe fix wrote, and the lines (from
    1) that are comments now. The text as it is where the comments cannot be written in it."""
    assert file.before is not None
    assert file.after is not None
    if not file.unsafe:
        return file.after, ()
    text = file.after.text
    starts = _statement_starts(text)
    lines, original = LineMap(text, file.before.text), _lines(file.before.text)
    wanted: dict[int, dict[str, None]] = {}
    for finding in file.unsafe:
        line = lines.line_behind(finding.span.line)
        first = max((start for start in starts if start <= line), default=0)
        comment = f"# review: {one_line(finding.message)}"
        if lines.is_added(finding.span.line):
            code = _shortened(original[finding.span.line - 1])
            comment += " " + say("(left out: {code})", code=code)
        if first:
            wanted.setdefault(first, {})[comment] = None
    pieces, inserted = [], []
    for number, content in enumerate(_lines(text), 1):
        for comment in wanted.get(number, ()):
            indent = content[: len(content) - len(content.lstrip(" \t"))]
            pieces.append(f"{indent}{comment}{file.after.newline}")
            inserted.append(len(pieces))
        pieces.append(content)
    commented = file.after.with_text("".join(pieces))
    try:
        parse_tree(commented.text)
        encode_source(commented)
    except (*SYNTAX_ERRORS, ValueError):
        return file.after, ()
    return commented, tuple(inserted)


class _Places:
    """Places of one file in both texts. They are compared when the first one is asked for."""

    def __init__(self, file: FileFix, name: str, after: SourceText, inserted: Sequence[int]) -> None:
        self._file, self._name, self._after, self._inserted = file, name, after, inserted
        self._map: LineMap | None = None
        self._lines = _lines(after.text)
        self._cells = cells_of(after.text)

    def remark(self, finding: Finding, fails: bool = False) -> Remark:
        """A finding with its places."""
        before, fixed = self._file.before, self._file.after
        line = finding.span.line
        is_left_out = False
        if before is not None and fixed is not None and before.text != fixed.text:
            self._map = self._map or LineMap(fixed.text, before.text)
            is_left_out = self._map.is_added(line)
            line = self._map.line_behind(line)
        for comment in self._inserted:
            line += comment <= line
        text = _shortened(self._lines[line - 1]) if 0 < line <= len(self._lines) else ""
        if is_left_out and before is not None:
            text = _shortened(LineIndex(before.text).line_text(finding.span.line))
        cell, place = place_in_cell(finding.span, self._file.report.cells or ())
        offset = next((one.first_line - 1 for one in self._cells if one.number == cell), 0)
        found = PortedLine(printable_path(self._name), place.line, line - offset, text, cell, is_left_out)
        advises = not fails and finding.rule == _ADVICE
        return Remark(found, finding.rule, finding.severity, one_line(finding.message), fails, advises)


def _is_replaced(finding: Finding, text: str) -> bool:
    """Whether helpers stand in the place of a library by now that the original imports, as of einops."""
    return finding.rule == _LIBRARY and is_replaced(finding.api, text)


def _fails(finding: Finding) -> bool:
    """Whether what is left still names torch, however plain its counterpart is, or a method that MindSpore lacks.
    Another method or attribute of a value may be there and do something else, as in a silent difference."""
    if finding.rule in _STAYS_WHOLE:
        return True
    if finding.use_index < 0 or not finding.rule.startswith(_OF_NAMES):
        return False
    owner = torch_facts().kind(finding.api.rpartition(".")[0])
    return finding.rule in _LACKING or owner in (None, TorchKind.MODULE)


def _shortened(line: str) -> str:
    """A line of code as it is shown, on one line and not too long."""
    text = line.strip()
    return one_line(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …")


def _statement_starts(text: str) -> list[int]:
    """The first lines of all statements, by Python's tokens; none for a text that has none."""
    return sorted(set(_starts(text)))


def _starts(text: str) -> Iterator[int]:
    is_new = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type == tokenize.NEWLINE:
                is_new = True
            elif is_new and token.type not in _NO_CODE:
                is_new = False
                yield token.start[0]
    except (tokenize.TokenError, *SYNTAX_ERRORS):
        return


def _lines(text: str) -> list[str]:
    """The lines with their ends, as Python counts them."""
    index = LineIndex(text)
    return [
        text[index.line_start(line) : index.line_start(line + 1)] for line in range(1, index.line_count + 1)
    ]
