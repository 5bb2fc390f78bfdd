"""From what a process did to what it means: a failure of the port, or something that is missing beside it."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.prove.trial_outcome import Status, TracebackCall, TrialStage
from mindport.prove.trial_server import TaskAnswer, TaskEvent
from mindport.registry.libraries import library_of
from mindport.registry.probe_process import PROBES

_STAGES = {
    "build": TrialStage.BUILD,
    "forward": TrialStage.FORWARD,
    "train": TrialStage.TRAIN,
    "import": TrialStage.IMPORT,
}
_FILE_ERRORS = frozenset(("FileNotFoundError", "NotADirectoryError", "PermissionError", "IsADirectoryError"))
_NETWORK_ERRORS = frozenset(
    ("URLError", "HTTPError", "gaierror", "ConnectionError", "NewConnectionError", "MaxRetryError")
)
_MISSING_DATA = re.compile(
    r"does not exist or is not a directory|no such file or directory|dataset not found|file .* does not exist",
    re.IGNORECASE,
)
_GRAPH_FRAME = re.compile(r"^# \d+ In file (.+?):(\d+)", re.MULTILINE)
_DIAGNOSTICS = re.compile(r"\n+-{20,}\n")
_FRAMEWORKS = frozenset(("mindspore", "torch", "torchvision", "torchaudio", "torchtext"))


class TaskOutcome(msgspec.Struct, frozen=True):
    """What became of a task: see `Attempt` for the fields of the same names."""

    status: Status
    reached: tuple[TrialStage, ...] = ()
    stage: TrialStage | None = None
    reason: str = ""
    error: str = ""
    calls: tuple[TracebackCall, ...] = ()


class Surroundings(msgspec.Struct, frozen=True):
    """What tells a thing of the port from one beside it: `is_own(module)` whether the port has (or its original had) a
    module of that name, `line_text(file, line)` a line of a file, `seconds` and `memory` the limits."""

    is_own: Callable[[str], bool]
    line_text: Callable[[str, int], str]
    seconds: float
    memory: float


def judge_answer(answer: TaskAnswer, is_entry: bool, around: Surroundings) -> TaskOutcome:
    """What the answer of the serving process means."""
    reached = tuple(
        stage
        for word, stage in _STAGES.items()
        if any(event.kind == word for event in answer.events) and (stage is TrialStage.IMPORT) != is_entry
    )
    reached = tuple(stage for stage in TrialStage if stage in reached)
    order = (TrialStage.BUILD, TrialStage.FORWARD, TrialStage.TRAIN) if is_entry else (TrialStage.IMPORT,)
    next_stage = next((stage for stage in order if stage not in reached), order[-1])
    last = answer.events[-1] if answer.events else TaskEvent("")
    is_slow = answer.ending == "time" and TrialStage.TRAIN in reached  # what follows a step may take its time
    if last.kind == "end" or (last.kind == "exit" and last.code == 0) or is_slow:
        return TaskOutcome(Status.RUNS, reached)
    if last.kind == "error":
        stage = _STAGES.get(last.stage, next_stage) if is_entry else TrialStage.IMPORT
        calls = _calls(last.frames + _graph_frames(last.message))
        error = _as_printed(last)
        missing = _missing(last, around)
        if missing:
            return TaskOutcome(Status.NEEDS, reached, stage, missing, error, calls)
        return TaskOutcome(Status.FAILS, reached, stage, _ended_by(last), error, calls)
    if last.kind == "exit":
        reason = say("it ended itself by os._exit({code})", code=last.code)
        return TaskOutcome(Status.FAILS, reached, next_stage, reason, reason)
    reason = _killed(answer, around)
    return TaskOutcome(Status.FAILS, reached, next_stage, reason, reason, _calls(answer.trace))


def _missing(error: TaskEvent, around: Surroundings) -> str:
    """What the program needs that the port does not bring; empty where the error is none of that kind."""
    classes = frozenset(error.classes)
    text = _as_printed(error)
    place = error.frames[-1] if error.frames else ("", 0, "")
    if error.is_entry:
        return say("needs another entry: {error}", error=text)
    if "ImportError" in classes:
        return _missing_package(error, around)
    if error.asks_for:
        return say("needs arguments: {error}; give them with --args or --entry", error=error.asks_for)
    if "EOFError" in classes and "input(" in around.line_text(*place[:2]):
        return say("needs somebody who answers it: {error}", error=text)
    if "KeyError" in classes and Path(place[0]).name == "os.py":
        return say("needs the environment variable {name}", name=error.message)
    if classes & _NETWORK_ERRORS:
        return say("needs a connection: {error}", error=text)
    if classes & _FILE_ERRORS or _MISSING_DATA.search(_DIAGNOSTICS.split(error.message)[0]):
        return say("needs data: {error}; give --args or --entry", error=text)
    return ""


def _missing_package(error: TaskEvent, around: Surroundings) -> str:
    """Another package that is to be installed; what stands on torch the port has to do without."""
    root = (error.module or "").partition(".")[0]
    if not root or root in _FRAMEWORKS or library_of(root) is not None or around.is_own(root):
        return ""
    if "ModuleNotFoundError" not in error.classes:
        return say(
            "needs another version of the package {name}: {error}", name=root, error=_as_printed(error)
        )
    return say("needs the package {name}: install it for the interpreter", name=root)


def _ended_by(error: TaskEvent) -> str:
    return (
        say("it ended itself with exit code {code}", code=error.code) if "SystemExit" in error.classes else ""
    )


def _killed(answer: TaskAnswer, around: Surroundings) -> str:
    if answer.ending == "time":
        return say("it took longer than {seconds:g} s (--seconds)", seconds=around.seconds)
    if answer.ending == "memory":
        return say("it took more than {memory:g} GB of memory (--memory)", memory=around.memory)
    if answer.ending == "signal":
        return say("it was ended by the signal {name}", name=_signal_name(answer.code))
    if answer.ending == "lost":
        return say("it ended the process that watches it")
    return say("its process ended with exit code {code} and told nothing", code=answer.code)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _as_printed(error: TaskEvent) -> str:
    """The last line that Python prints, without what MindSpore adds for its own developers."""
    text = " ".join(_DIAGNOSTICS.split(error.message)[0].split())
    kind = error.classes[0] if error.classes else "Exception"
    return f"{kind}: {text}" if text else kind


def _graph_frames(message: str) -> tuple[tuple[str, int, str], ...]:
    """The places in the code of a compiled function, which no traceback has."""
    return tuple((file, int(line), "") for file, line in _GRAPH_FRAME.findall(message))


def _calls(frames: tuple[tuple[str, int, str], ...]) -> tuple[TracebackCall, ...]:
    own = str(PROBES)
    return tuple(
        TracebackCall(file, line, name)
        for file, line, name in frames
        if not file.startswith((own, "<frozen")) and not file.endswith(("/runpy.py", "\\runpy.py"))
    )
