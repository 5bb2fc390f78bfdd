"""Makes the calls that a traced run in torch kept (`mindport trace --calls`) again in the port, and tells which is the
first that gives something else."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.model.target import Target
from mindport.registry.probe import ProbeFailure, run_probe

CALLS = "calls.npz"
"""The file of kept calls, beside that of the trace."""
AGREE = ("same", "random")


class ReplayedCall(msgspec.Struct, frozen=True):
    """A call of a function of the project: its place in the original, which call of it, and how it went in the port:
    `same`, `differs`, `fails`, `random` (it draws random numbers: only shapes were compared), `absent` (the port cannot
    be called so), `unkept` (what goes in or out cannot be kept)."""

    file: str
    line: int
    name: str
    turn: int
    status: str
    what: str = ""


class Replayed(msgspec.Struct, frozen=True):
    """All calls in the order in which they ended in torch, so that what a function calls comes before it; `problem`
    says why there are none."""

    calls: tuple[ReplayedCall, ...] = ()
    problem: str = ""

    @property
    def first_to_part(self) -> ReplayedCall | None:
        """The first call that gives something else, or fails."""
        return next((one for one in self.calls if one.status in ("differs", "fails")), None)

    def count(self, *statuses: str) -> int:
        """How many calls went so."""
        return sum(one.status in statuses for one in self.calls)


def replay_calls(kept: Path, port: Path, target: Target, interpreter: Path, seconds: float) -> Replayed:
    """Run the port in the folder `port` with the calls of the file `kept`. Never raises for what the port does."""
    request: dict[str, object] = {
        "root": str(port.absolute()),
        "calls": str(kept.absolute()),
        "mode": target.mode.value,
        "device": target.device.value,
    }
    answer = run_probe(interpreter, "replay_calls", request, seconds)
    if isinstance(answer, ProbeFailure):
        return Replayed(problem=say("the port: {reason}", reason=answer.reason))
    return msgspec.convert(answer.content, Replayed)
