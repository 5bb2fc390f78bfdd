"""Results as a person reads them in a terminal: one line for each finding, then the state of the
migration."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.report.rows import FindingRow, InventoryRow, Summary

# Numbers of the terminal's own palette, so that they suit light and dark backgrounds.
_COLOURS = {"error": "31", "warning": "33", "information": "34", "hint": "2"}
_PLURALS = {"information": "information"}
_BOLD = "1"
_DIM = "2"


class Painter:
    """Colours text for a terminal, or leaves it alone."""

    def __init__(self, is_coloured: bool) -> None:
        self._is_coloured = is_coloured

    def paint(self, text: str, style: str) -> str:
        """`text` between the escape codes of a style."""
        return f"\x1b[{style}m{text}\x1b[0m" if self._is_coloured and text else text

    def severity(self, text: str, severity: str) -> str:
        """`text` in the colour of a severity."""
        return self.paint(text, _COLOURS[severity])

    def bold(self, text: str) -> str:
        """Bold text."""
        return self.paint(text, _BOLD)

    def dim(self, text: str) -> str:
        """Faint text."""
        return self.paint(text, _DIM)


def finding_line(row: FindingRow, painter: Painter) -> str:
    """`model.py:12:5: warning MP106 [*] message`; `[*]` marks a safe fix, `[-]` an unsafe one."""
    place = _place(row, painter)
    code = painter.severity(f"{row.severity} {row.code}", row.severity)
    mark = {"safe": " [*]", "unsafe": " [-]"}.get(row.fix or "", "")
    return f"{place} {code}{mark} {one_line(row.message)}"


def inventory_line(row: InventoryRow, painter: Painter) -> str:
    """`model.py:12:5: torch.nn.Conv2d call renamed (safe fix)`."""
    place = _place(row, painter)
    fix = {"safe": " (safe fix)", "unsafe": " (unsafe fix)"}.get(row.fixable, "")
    confidence = "" if row.confidence == "proved" else f", {row.confidence}"
    return f"{place} {row.api} {painter.dim(row.form + confidence)} {row.verdict}{fix}"


def _place(row: FindingRow | InventoryRow, painter: Painter) -> str:
    """`model.py:12:5:`, or `model.ipynb:cell 3:12:5:`."""
    cell = "" if row.cell is None else f"cell {row.cell}:"
    return f"{painter.bold(row.file)}:{cell}{row.line}:{row.column}:"


def one_line(message: str) -> str:
    """A message without line ends and control characters, which could forge lines or move the cursor."""
    if message.isprintable():
        return message
    return "".join(character if character.isprintable() else " " for character in message)


def summary_lines(summary: Summary, painter: Painter, hidden_hints: int = 0) -> Iterator[str]:
    """The end of the findings; `hidden_hints` is how many hints were counted but not shown."""
    severities = summary.by_severity
    if hidden_hints:
        yield painter.dim(
            f"{number_of(hidden_hints, 'hint')} not shown: plain renames and guesses "
            "(--min-severity hint shows them)"
        )
    findings = ", ".join(
        painter.severity(number_of(severities[word], word, _PLURALS.get(word, "")), word)
        for word in ("error", "warning", "information", "hint")
        if severities[word]
    )
    suppressed = f" ({summary.suppressed} suppressed)" if summary.suppressed else ""
    yield f"{findings or 'No findings'} in {number_of(summary.files, 'file')}{suppressed}"
    yield from migration_lines(summary)
    fixable = summary.fixable
    if fixable["safe"] or fixable["unsafe"]:
        yield (
            f"Fixable with `mindport fix`: {fixable['safe']} [*]; with `--unsafe-fixes` also "
            f"{fixable['unsafe']} [-]"
        )
    yield from target_lines(summary)


def inventory_summary_lines(summary: Summary) -> Iterator[str]:
    """The end of the inventory."""
    if not summary.references:
        yield f"No references to torch in {number_of(summary.files, 'file')}"
    yield from migration_lines(summary)
    yield from target_lines(summary)


def migration_lines(summary: Summary) -> Iterator[str]:
    """How far the migration is, and what stands in its way; nothing where torch is not used."""
    if summary.references:
        share = f"{100 * summary.ready / summary.references:.0f} %"
        verdicts = ", ".join(f"{count} {word}" for word, count in summary.by_verdict.items() if count)
        yield (
            f"{number_of(summary.references, 'reference')} to torch in {number_of(summary.files, 'file')}, "
            f"{share} work as they are or after a safe fix: {verdicts}"
        )
    if summary.without_equivalent:
        names = ", ".join(f"{item.api} ({item.count})" for item in summary.without_equivalent)
        yield f"Without an equivalent: {names}"


def target_lines(summary: Summary) -> Iterator[str]:
    """The targets of the run and why they are those."""
    for target in summary.targets:
        where = f" for {target.root}" if len(summary.targets) > 1 else ""
        yield f"Target{where}: {target} ({'; '.join(target.reasons)})"


def number_of(count: int, word: str, plural: str = "") -> str:
    """`1 file`, `2 files`; the plural is given where it is not the word with an s."""
    return f"{count} {word if count == 1 else plural or word + 's'}"
