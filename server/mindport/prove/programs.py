"""Compares a program with its port: runs both in processes of their own, with the same weights and inputs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.model.target import Target
from mindport.registry.probe import ProbeFailure, run_probe

# In the order they are reached; each needs the one before.
STAGES = ("import", "build", "weights", "forward", "gradient", "steps")


class ComparedProgram(msgspec.Struct, frozen=True):
    """What to run: `entry` is an expression in the names of the file that builds the model (`Net(10)`), `inputs` are
    texts like `rand(2, 3, 32, 32)`, one for each argument of the call. `path` are further folders to import from;
    without `gradient` the comparison ends with the outputs; `repeats` calls are timed."""

    original: Path
    converted: Path
    entry: str
    inputs: tuple[str, ...]
    steps: int = 0
    seed: int = 1
    path: tuple[str, ...] = ()
    gradient: bool = True
    repeats: int = 0


class Parting(msgspec.Struct, frozen=True):
    """The first layer that gives something else in the port: its `name` in torch, at which `turn` it was called, its
    class in torch and in the port, `what` differs, how many calls before it agree, and whether it has parts (which
    then agree)."""

    name: str
    turn: int
    kinds: tuple[str, str]
    what: str
    agreeing: int
    has_parts: bool


class ProgramOutcome(msgspec.Struct, frozen=True):
    """What was seen. `reached` are the stages that went well, `wanted` those that torch's side has; `problem` says what
    ended it, with `trace`. `errors` are the largest differences: of outputs (over the largest value), gradients and
    losses (relative); `seconds` the medians of the timed calls in torch and in MindSpore; `parting` where the outputs
    part; `renamed` the weights that have another name in the port; `allowed` is the most that the outputs may differ
    by; `original_ended` says what ended the original behind its outputs, so that nothing further is wanted."""

    reached: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    problem: str = ""
    trace: str = ""
    errors: dict[str, float] = {}
    seconds: tuple[float, float] | None = None
    parting: Parting | None = None
    renamed: dict[str, str] = {}
    allowed: float = 0.0
    original_ended: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the port does all that torch does."""
        return not self.problem and bool(self.wanted) and set(self.wanted) <= set(self.reached)


class _Original(msgspec.Struct, frozen=True):
    stages: list[str]
    error: str
    trace: str = ""
    seconds: float = 0.0


class _Port(msgspec.Struct, frozen=True):
    stages: list[str]
    error: str
    trace: str = ""
    seconds: float = 0.0
    parting: Parting | None = None
    renamed: dict[str, str] = {}
    forward: list[float] = []
    gradient: float | None = None
    steps: float | None = None


def compare_programs(
    program: ComparedProgram, target: Target, interpreter: Path, seconds: float
) -> ProgramOutcome:
    """Run the original in torch and the port in MindSpore with `interpreter`, each at most `seconds`. Never raises for
    what the programs do."""
    with tempfile.TemporaryDirectory(prefix="mindport-") as folder:
        kept = str(Path(folder) / "original.npz")
        request: dict[str, object] = {
            "entry": program.entry,
            "inputs": list(program.inputs),
            "seed": program.seed,
            "steps": program.steps,
            "path": list(program.path),
            "gradient": program.gradient,
            "repeats": program.repeats,
        }
        answer = run_probe(
            interpreter, "verify_torch", {**request, "file": str(program.original), "keep": kept}, seconds
        )
        if isinstance(answer, ProbeFailure):
            return ProgramOutcome(
                problem=say("the original: {reason}", reason=answer.reason), trace=answer.output
            )
        original = msgspec.convert(answer.content, _Original)
        if "forward" not in original.stages:
            return ProgramOutcome(
                problem=say("the original: {reason}", reason=original.error), trace=original.trace
            )
        port_request = {
            **request,
            "file": str(program.converted),
            "reference": kept,
            "mode": target.mode.value,
            "device": target.device.value,
        }
        answer = run_probe(interpreter, "verify_mindspore", port_request, seconds)
    wanted = tuple(stage for stage in STAGES if stage in original.stages or stage == "weights")
    if isinstance(answer, ProbeFailure):
        return ProgramOutcome(
            wanted=wanted, problem=say("the port: {reason}", reason=answer.reason), trace=answer.output
        )
    port = msgspec.convert(answer.content, _Port)
    errors = {"forward": port.forward[0]} if port.forward else {}
    errors |= {"gradient": port.gradient} if port.gradient is not None else {}
    errors |= {"steps": port.steps} if port.steps is not None else {}
    return ProgramOutcome(
        tuple(stage for stage in STAGES if stage in port.stages),
        wanted,
        f"the port: {port.error}" if port.error else "",
        port.trace,
        errors,
        (original.seconds, port.seconds) if original.seconds and port.seconds else None,
        port.parting,
        port.renamed,
        port.forward[1] if port.forward else 0.0,
        original.error,
    )
