"""What `mindport verify` says of calls that were made again in a port."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.model.language import say
from mindport.prove.replayed_calls import AGREE, Replayed, ReplayedCall

_MOST = 20  # further calls that part


def replay_lines(replayed: Replayed) -> Iterator[str]:
    """The first call to part, what was not compared, and the other calls that part."""
    first = replayed.first_to_part
    agreeing = replayed.count(*AGREE)
    if first is None:
        yield say("all {calls} calls that could be made give the same in the port", calls=agreeing)
    else:
        place = replayed.calls.index(first)
        before = sum(one.status in AGREE for one in replayed.calls[:place])
        yield say(
            "first to part: {call}; calls before it that agree: {before}", call=_said(first), before=before
        )
    if replayed.count("random"):
        yield say(
            "{calls} of them draw random numbers: only shapes were compared", calls=replayed.count("random")
        )
    for one in _once(replayed):
        yield say("not compared: {call}", call=_said(one))
    others = [one for one in replayed.calls if one.status in ("differs", "fails") and one is not first]
    for one in others[:_MOST]:
        yield say("also: {call}", call=_said(one))
    if len(others) > _MOST:
        yield say("and {calls} more", calls=len(others) - _MOST)


def _once(replayed: Replayed) -> Iterator[ReplayedCall]:
    """The first call of each function that was not compared."""
    seen: set[tuple[str, str]] = set()
    for one in replayed.calls:
        if one.status in ("absent", "unkept") and (one.file, one.name) not in seen:
            seen.add((one.file, one.name))
            yield one


def _said(call: ReplayedCall) -> str:
    return say(
        "{file}:{line} {name}, call {turn}: {what}",
        file=call.file,
        line=call.line,
        name=call.name,
        turn=call.turn,
        what=call.what,
    )
