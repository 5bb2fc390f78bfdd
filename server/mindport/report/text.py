"""Results as a person reads them in a terminal: one line for each finding, then the state of the
migration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.model.language import later, say, translated
from mindport.report.programs import programs_lines
from mindport.report.rows import FindingRow, InventoryRow, Summary
from mindport.report.visible import visible_name
from mindport.rules.training_step import RULE

# Numbers of the terminal's own palette, so that they suit light and dark backgrounds.
_COLOURS = {"error": "31", "warning": "33", "information": "34", "hint": "2"}
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
    fix = {"safe": say(" (safe fix)"), "unsafe": say(" (unsafe fix)")}.get(row.fixable, "")
    confidence = "" if row.confidence == "proved" else f", {row.confidence}"
    return f"{place} {row.api} {painter.dim(row.form + confidence)} {row.verdict}{fix}"


def _place(row: FindingRow | InventoryRow, painter: Painter) -> str:
    """`model.py:12:5:`, or `model.ipynb:cell 3:12:5:`."""
    cell = "" if row.cell is None else say("cell {cell}:", cell=row.cell)
    return f"{painter.bold(visible_name(row.file))}:{cell}{row.line}:{row.column}:"


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
            say(
                "{hints} not shown: plain renames and guesses (--min-severity hint shows them)",
                hints=number_of(hidden_hints, "hint"),
            )
        )
    findings = say(", ").join(
        painter.severity(number_of(severities[word], word), word)
        for word in ("error", "warning", "information", "hint")
        if severities[word]
    )
    suppressed = (
        say(" ({suppressed} suppressed)", suppressed=summary.suppressed) if summary.suppressed else ""
    )
    if summary.in_baseline:
        suppressed += say(" ({accepted} in the baseline)", accepted=summary.in_baseline)
    yield say(
        "{findings} in {files}{suppressed}",
        findings=findings or say("No findings"),
        files=number_of(summary.files, "file"),
        suppressed=suppressed,
    )
    yield from programs_lines(summary.programs)
    yield from migration_lines(summary)
    fixable = summary.fixable
    if fixable["safe"] or fixable["unsafe"]:
        yield (
            say(
                "Fixable with `mindport fix`: {safe} [*]; with `--unsafe-fixes` also {unsafe} [-]",
                safe=fixable["safe"],
                unsafe=fixable["unsafe"],
            )
        )
    if summary.by_code.get(RULE.code):
        yield say(
            "Safe fixes change nothing in programs with training steps that they leave ({code}); `mindport port`"
            " converts all that it can",
            code=RULE.code,
        )
    yield from target_lines(summary)


def inventory_summary_lines(summary: Summary) -> Iterator[str]:
    """The end of the inventory."""
    if not summary.references and not summary.apart:
        yield say("Nothing of torch is used in {files}", files=number_of(summary.files, "file"))
    yield from migration_lines(summary)
    yield from target_lines(summary)


def migration_lines(summary: Summary) -> Iterator[str]:
    """How far the migration is, and what stands in its way; nothing where torch is not used."""
    if summary.references:
        share = f"{100 * summary.ready / summary.references:.0f} %"
        verdicts = say(", ").join(
            f"{count} {translated(word)}" for word, count in summary.by_verdict.items() if count
        )
        yield (
            say(
                "{references} to torch in {files}, {share} work as they are or after a safe fix: {verdicts}",
                references=number_of(summary.references, "reference"),
                files=number_of(summary.files, "file"),
                share=share,
                verdicts=verdicts,
            )
        )
    if summary.apart:
        kinds = "; ".join(f"{count} {translated(kind)}" for kind, count in summary.apart.items())
        yield say("Counted apart from these: {kinds}", kinds=kinds)
    if summary.without_equivalent:
        names = ", ".join(f"{item.api} ({item.count})" for item in summary.without_equivalent)
        yield say("Without an equivalent: {names}", names=names)


def target_lines(summary: Summary) -> Iterator[str]:
    """The targets of the run and why they are those."""
    for target in summary.targets:
        where = say(" for {root}", root=target.root) if len(summary.targets) > 1 else ""
        yield target_line(target, target.reasons, where)


def target_line(target: object, reasons: Sequence[str], where: str = "") -> str:
    """A target in words, and why it is that one; `where` says for which files."""
    return say(
        "Target{where}: {target} ({reasons})", where=where, target=target, reasons=say("; ").join(reasons)
    )


_COUNTED = {
    "file": (later("{count} file"), later("{count} files")),
    "reference": (later("{count} reference"), later("{count} references")),
    "error": (later("{count} error"), later("{count} errors")),
    "warning": (later("{count} warning"), later("{count} warnings")),
    "information": (later("{count} information"), later("{count} information")),
    "hint": (later("{count} hint"), later("{count} hints")),
    "finding": (later("{count} finding"), later("{count} findings")),
    "fix": (later("{count} fix"), later("{count} fixes")),
    "warning or error": (later("{count} warning or error"), later("{count} warnings and errors")),
    "comment": (later("{count} comment"), later("{count} comments")),
    "loop": (later("{count} loop"), later("{count} loops")),
    "mapping": (later("{count} mapping"), later("{count} mappings")),
    "case": (later("{count} case"), later("{count} cases")),
    "example": (later("{count} example"), later("{count} examples")),
    "sample": (later("{count} sample"), later("{count} samples")),
}


def number_of(count: int, word: str) -> str:
    """`1 file`, `2 files`: the word is one of those that the outputs count."""
    return say(_COUNTED[word][count != 1], count=count)
