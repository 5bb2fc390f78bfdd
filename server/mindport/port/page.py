"""PORT.md: what a person who goes on with a port has to look at, most important first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.model.language import say
from mindport.port.outcome import PortedLine, PortOutcome, Remark, by_message
from mindport.report.text import number_of, target_lines

NAME = "PORT.md"


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


def _section(title: str, explanation: str, remarks: Sequence[Remark]) -> Iterator[str]:
    if not remarks:
        return
    yield from ("", f"## {title} ({len(remarks)})", "", explanation)
    for remark, places in by_message(remarks):
        yield from ("", f"- {remark.rule}: {_text(remark.message)}")
        for place in places:
            yield f"  - {_words(place)}"


def _words(place: PortedLine) -> str:
    was = "" if place.port == place.original else say(" (was {place})", place=place.original)
    return f"{_code(place.port)}{was}: {_code(place.text)}" if place.written else f"{_code(place.port)}{was}"


def _code(text: str) -> str:
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _text(text: str) -> str:
    """A sentence of ours with what it quotes of the user's, which must not become markup."""
    return text.replace("<", "&lt;").replace("\n", " ")
