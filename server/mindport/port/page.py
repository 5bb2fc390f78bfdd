"""PORT.md: what a person who goes on with a port has to look at, most important first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from mindport.model.language import say
from mindport.port.outcome import PortedLine, PortOutcome, Remark, by_message
from mindport.report.text import number_of, target_lines

NAME = "PORT.md"

_MOST_OF_FILE = 8


def page(outcome: PortOutcome) -> str:
    """The page as Markdown."""
    return "\n".join(_lines(outcome)).rstrip() + "\n"


def _lines(outcome: PortOutcome) -> Iterator[str]:
    yield f"# {say('Port to MindSpore')}"
    yield ""
    yield say(
        "{files} converted, {fixes} made by mindport.",
        files=number_of(len(outcome.converted), "file"),
        fixes=number_of(outcome.fixes, "fix"),
    )
    for line in target_lines(outcome.summary):
        yield line + "."
    yield from _section(
        say("Still torch"),
        say("These lines were not converted, and fail when they are reached."),
        outcome.failing,
    )
    yield from _section(
        say("Left as it is"),
        say("These lines run, but not as in torch, or need a look."),
        outcome.differing,
    )
    yield from _section(
        say("To review"),
        say("These lines were written by fixes that are believed right, but were not proved: compare them."),
        outcome.review,
        most_of_file=_MOST_OF_FILE,
    )
    yield from _section(
        say("Advice"),
        say("These lines work as they are; MindSpore's guide does it another way."),
        outcome.advice,
    )
    if outcome.problems:
        yield from ("", f"## {say('Not converted')}", "")
        for problem in outcome.problems:
            yield f"- {_text(str(problem))}"
    if outcome.left_out:
        yield from ("", f"## {say('Not copied')}", "")
        for left_out in outcome.left_out:
            yield f"- {_code(left_out.path)}: {_text(left_out.reason)}"


def _section(
    title: str, explanation: str, remarks: Sequence[Remark], most_of_file: int | None = None
) -> Iterator[str]:
    """What there is to say under a title. More than `most_of_file` places of a file with one message share a line."""
    if not remarks:
        return
    yield from ("", f"## {title} ({len(remarks)})", "", explanation)
    for remark, places in by_message(remarks):
        yield from ("", f"- {remark.rule}: {_text(remark.message)}")
        for file, group in itertools.groupby(places, lambda place: place.file):
            of_file = list(group)
            is_long = most_of_file is not None and len(of_file) > most_of_file
            if is_long and all(place.cell is None for place in of_file):
                yield f"  - {_of_one_file(file, of_file)}"
            else:
                yield from (f"  - {_words(place)}" for place in of_file)


def _words(place: PortedLine) -> str:
    was = "" if place.port == place.original else say(" (was {place})", place=place.original)
    return f"{_code(place.port)}{was}: {_code(place.text)}" if place.written else f"{_code(place.port)}{was}"


def _of_one_file(file: str, places: Sequence[PortedLine]) -> str:
    """Many places of a file with one message, such as each `.cuda()` that is left out, in one line."""
    lines = ", ".join(str(place.written_line) for place in places)
    return say("{file}, {count} places in lines {lines}", file=_code(file), count=len(places), lines=lines)


def _code(text: str) -> str:
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _text(text: str) -> str:
    """A sentence of ours with what it quotes of the user's, which must not become markup."""
    return text.replace("<", "&lt;").replace("\n", " ")
