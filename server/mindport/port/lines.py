"""What a port did, as lines for a terminal: first what to look at, cut where it is long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.model.language import later, say, translated
from mindport.port.outcome import Branch, Fate, PortOutcome, Remark, by_message
from mindport.port.write import BESIDE
from mindport.report.text import Painter, number_of, one_line, target_lines

MOST_MESSAGES = 8
MOST_PLACES = 4
MOST_FILES = 8
_MEGABYTE = 1_000_000

# What a person should know of files in the port, in the order in which it is told.
_FATES = (
    (
        Fate.BESIDE,
        later("Edited by hand and changed in the project; the new port is beside it as FILE{suffix}:"),
    ),
    (Fate.EDITED, later("Edited by hand, left alone (--overwrite replaces it):")),
    (Fate.ORPHANED, later("Gone from the project, but edited by hand, so it is still there:")),
    (Fate.REMOVED, later("Removed, as it is gone from the project:")),
)


def port_lines(outcome: PortOutcome, painter: Painter) -> Iterator[str]:
    """The summary of a run."""
    yield from _remark_lines(say("Still torch, fails when reached"), outcome.failing, painter)
    yield from _remark_lines(say("Left as it is"), outcome.differing, painter)
    yield from _remark_lines(say("To review: believed right, but not proved"), outcome.review, painter)
    yield from _remark_lines(say("Advice"), outcome.advice, painter)
    for fate, title in _FATES:
        yield from _listed(
            say(title, suffix=BESIDE) if "{" in title else translated(title), outcome.files(fate)
        )
    yield from _listed(
        say("Not copied:"),
        [
            f"{one.path} ({one.reason}{f', {one.size / _MEGABYTE:.0f} MB' if one.size else ''})"
            for one in outcome.left_out
        ],
    )
    yield painter.bold(conversion_line(outcome))
    yield from target_lines(outcome.summary)
    if outcome.report:
        yield say("All of this with every place: {file}", file=f"{outcome.destination}/{outcome.report}")
    if outcome.branch is not None:
        yield from _branch_lines(outcome.branch)


def conversion_line(outcome: PortOutcome) -> str:
    """How much was converted and written."""
    return say(
        "{files} converted with {fixes}, {written} written to {place}",
        files=number_of(len(outcome.converted), "file"),
        fixes=number_of(outcome.fixes, "fix"),
        written=number_of(len(outcome.files(Fate.WRITTEN)), "file"),
        place=outcome.destination,
    )


def _remark_lines(title: str, remarks: Sequence[Remark], painter: Painter) -> Iterator[str]:
    if not remarks:
        return
    groups = by_message(remarks)
    yield painter.bold(f"{title} ({len(remarks)})")
    for remark, places in groups[:MOST_MESSAGES]:
        yield f"  {painter.severity(remark.rule, remark.severity.label)} {remark.message}"
        for place in places[:MOST_PLACES]:
            was = "" if place.port == place.original else say(" (was {place})", place=place.original)
            yield f"    {place.port}{was}  {painter.dim(place.text)}"
        if len(places) > MOST_PLACES:
            yield "    " + say("… and {count} more", count=len(places) - MOST_PLACES)
    if len(groups) > MOST_MESSAGES:
        yield "  " + say("… and {count} more", count=sum(len(places) for _, places in groups[MOST_MESSAGES:]))
    yield ""


def _listed(title: str, paths: Sequence[str]) -> Iterator[str]:
    if not paths:
        return
    yield title
    for path in paths[:MOST_FILES]:
        yield f"  {one_line(path)}"
    if len(paths) > MOST_FILES:
        yield "  " + say("… and {count} more", count=len(paths) - MOST_FILES)


def _branch_lines(branch: Branch) -> Iterator[str]:
    yield say("On the new branch {branch}, nothing is committed. To keep it:", branch=branch.name)
    yield "  git add -A && git commit"
    yield say("To go back as if nothing had been done:")
    back = (
        f"git switch {branch.before}" if branch.before != branch.commit else f"git checkout {branch.commit}"
    )
    yield f"  git add -A && git reset --hard && {back} && git branch -D {branch.name}"
