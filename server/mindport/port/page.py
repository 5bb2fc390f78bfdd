"""What a port says in the end: a few lines in the terminal, and all of it as a page of Markdown beside the port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.model.language import later, say
from mindport.port.outcome import Ending, PortOutcome, Remark
from mindport.report.text import number_of

PAGE = "PORT.md"
_MOST_SHOWN = 12
_ENDINGS = {
    Ending.CONFLICT: later(
        "{files} edited by hand, and the port of it changed: the new one lies beside it, `{names}`"
    ),
    Ending.KEPT: later("{files} edited by hand and left as it is: `{names}`"),
    Ending.REMOVED: later("{files} gone from the source and removed: `{names}`"),
}


def closing_lines(outcome: PortOutcome, page: str) -> Iterator[str]:
    """The summary for a terminal: what was converted, what to review, what is left, where the whole of it stands."""
    yield _converted(outcome)
    yield from _endings(outcome)
    for title, remarks in _parts(outcome):
        if not remarks:
            continue
        yield ""
        yield title
        groups = _grouped(remarks)
        for message, places in groups[:_MOST_SHOWN]:
            yield f"  {_places(places, 3)}: {message}"
        if len(groups) > _MOST_SHOWN:
            yield say("  and {count} more kinds: {page}", count=len(groups) - _MOST_SHOWN, page=page)
    yield ""


def port_page(outcome: PortOutcome, source: str, target: str) -> str:
    """The page: the same as in the terminal, and every place."""
    lines = [f"# {say('Port of {source}', source=source)}", "", target, "", _converted(outcome)]
    lines += [f"- {line}" for line in _endings(outcome)]
    for title, remarks in _parts(outcome):
        lines += ["", f"## {title}", ""]
        if not remarks:
            lines.append(say("Nothing."))
        for message, places in _grouped(remarks):
            lines += [f"- {message}", f"  {_places(places, len(places))}"]
    if outcome.problems:
        lines += ["", f"## {say('Not converted')}", ""]
        lines += [f"- {problem}" for problem in outcome.problems]
    if outcome.left_out:
        lines += ["", f"## {say('Not copied, because git ignores it')}", ""]
        lines += [f"- `{name}`" for name in outcome.left_out]
    return "\n".join([*lines, ""])


def _converted(outcome: PortOutcome) -> str:
    python = sum(file.is_python for file in outcome.files)
    return say(
        "{fixes} in {converted} of {files}; {copied} copied",
        fixes=number_of(outcome.applied, "fix"),
        converted=outcome.converted,
        files=number_of(python, "Python file"),
        copied=number_of(len(outcome.files) - python - outcome.count(Ending.REMOVED), "other file"),
    )


def _endings(outcome: PortOutcome) -> Iterator[str]:
    for ending, sentence in _ENDINGS.items():
        names = [file.file for file in outcome.files if file.ending is ending]
        if names:
            shown = "`, `".join(names[:_MOST_SHOWN])
            yield say(sentence, files=number_of(len(names), "file"), names=shown)


def _parts(outcome: PortOutcome) -> tuple[tuple[str, Sequence[Remark]], ...]:
    review, left = outcome.review, outcome.left
    return (
        (say("Left as torch: {places}", places=number_of(len(left), "place")), left),
        (say("To review: {places}", places=number_of(len(review), "place")), review),
    )


def _grouped(remarks: Sequence[Remark]) -> list[tuple[str, list[Remark]]]:
    """The places of each message, the worst and most frequent first."""
    groups: dict[str, list[Remark]] = {}
    for remark in remarks:
        groups.setdefault(remark.message, []).append(remark)
    return sorted(groups.items(), key=lambda item: (item[1][0].severity != "error", -len(item[1])))


def _places(remarks: Sequence[Remark], most: int) -> str:
    """`train.py:12` by the line of the original, with that of the port where it is another one."""
    shown = []
    for remark in remarks[:most]:
        place = remark.place
        cell = "" if place.cell is None else say("cell {cell}:", cell=place.cell)
        moved = "" if place.line == place.written_line else f" -> {place.written_line}"
        shown.append(f"{place.file}:{cell}{place.line}{moved}")
    more = len(remarks) - most
    return ", ".join(shown) + (say(" and {count} more", count=more) if more > 0 else "")
