"""Tries a port: imports its files and runs its entries without torch, each in a process of its own with limits, and
says how far they come, by place of the original."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from mindport.model.language import say
from mindport.model.target import Target
from mindport.prove.trial_entries import dotted_name, names_neighbour, port_files, root_of_folder
from mindport.prove.trial_judgement import Surroundings, TaskOutcome, judge_answer
from mindport.prove.trial_lines import LineMap
from mindport.prove.trial_outcome import Attempt, FileLine, Status, TracebackCall, TrialOutcome, TrialStage
from mindport.prove.trial_server import CannotTry, TrialServer
from mindport.source.discovery import discover
from mindport.source.problem import Problem
from mindport.source.text import read_source
from mindport.source.trees import every_node

GIGABYTE = 10**9
_MANIFEST = ".mindport/port.json"
_SOURCE_FOLDERS = ("src", "lib")


class TrialEntry(msgspec.Struct, frozen=True):
    """One entry to try: a file of the port that is run with `arguments`, or, with `code`, an expression in the names of
    the file. A network that it gives is called with `inputs`, texts like `randn(2, 3)`, and trained."""

    file: str
    arguments: tuple[str, ...] = ()
    code: str = ""
    inputs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As it is shown."""
        if self.code:
            return f"{self.file}: {self.code}"
        return " ".join((self.file, *self.arguments))


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What to try: the folder of a port. Without `entries` they are found, and get `arguments`; `original` is the
    folder that it was made of, empty where its manifest says it or nobody knows. `seconds` is the limit of each
    process, `memory` the one in gigabytes (0 for none). With `only` other files are neither imported nor found."""

    folder: Path
    entries: tuple[TrialEntry, ...] = ()
    arguments: tuple[str, ...] = ()
    original: Path | None = None
    steps: int = 1
    seconds: float = 120.0
    memory: float = 0.0
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class PortOrigin(msgspec.Struct, frozen=True):
    """What `mindport port` writes beside a port: where the original lies, seen from the folder of the port. The files
    have the same names there."""

    format: int
    source: str


def try_port(
    trial: Trial,
    target: Target,
    interpreter: Path,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> TrialOutcome:
    """Import every file of the port and run its entries with `interpreter`, for the device and mode of the target.

    `progress` takes how many attempts are done, and of how many; what it raises ends the trial and its processes. Never
    raises for what the files do."""
    folder = Path(os.path.abspath(trial.folder))  # noqa: PTH100 - links stay as they are
    texts = dict(_texts(folder, trial.exclude))
    files = port_files(texts)
    entries = trial.entries or (
        *(TrialEntry(file, trial.arguments) for file in files.entries),
        *(TrialEntry(file, trial.arguments, f"{name}()") for file, name in files.commands.items()),
    )
    if trial.only:
        entries = tuple(entry for entry in entries if entry.file in trial.only)
    modules = [file for file in files.modules if not trial.only or file in trial.only]
    tasks = [(TrialEntry(file), False) for file in modules] + [(entry, True) for entry in entries]
    try:
        server = TrialServer(interpreter, target.device.value)
    except CannotTry as error:
        return TrialOutcome(problem=str(error))
    try:
        sight = _Sight(folder, texts, trial)
        attempts = []
        for number, (entry, is_entry) in enumerate(tasks):
            progress(number, len(tasks))
            task = _task(entry, is_entry, folder, trial, target, texts)
            attempts.append(sight.attempt(entry, is_entry, server, task))
        progress(len(tasks), len(tasks))
    except CannotTry as error:  # started anew, it does not come
        return TrialOutcome(problem=str(error))
    finally:
        server.stop()
    greeting = server.greeting
    return TrialOutcome(attempts=tuple(attempts), python=greeting.python, mindspore=greeting.mindspore or "")


def _texts(folder: Path, exclude: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The Python files of the port with their texts, by the path relative to its folder."""
    for file in discover([folder], exclude, folder, respect_gitignore=False).python_files:
        if not file.endswith(".py"):
            continue
        source = read_source(file)
        relative = Path(file).relative_to(folder).as_posix()
        yield relative, "" if isinstance(source, Problem) else source.text


def _task(
    entry: TrialEntry, is_entry: bool, folder: Path, trial: Trial, target: Target, texts: Mapping[str, str]
) -> dict[str, object]:
    top, module = _module_name(entry.file, folder, texts)
    is_script = is_entry and not entry.code
    path = [str((folder / entry.file).parent)] if is_script else []
    path += [
        str(top),
        str(folder),
        *(str(folder / name) for name in _SOURCE_FOLDERS if (folder / name).is_dir()),
    ]
    return {
        "kind": "script" if is_script else "call" if is_entry else "import",
        "file": str(folder / entry.file),
        "module": module,
        "as_module": is_script and _has_relative_import(texts.get(entry.file, "")),
        "path": list(dict.fromkeys(path)),
        "folder": str(folder),
        "directory": str(folder),  # to run it in
        "arguments": list(entry.arguments),
        "entry": entry.code,
        "inputs": list(entry.inputs),
        "steps": trial.steps,
        "mode": target.mode.value,
        "device": target.device.value,
        "seconds": trial.seconds,
        "memory": int(trial.memory * GIGABYTE),
    }


def _module_name(file: str, folder: Path, texts: Mapping[str, str]) -> tuple[Path, str]:
    """The folder to import from and the name: that of a package where the file lies in one, else the way from the
    folder of the port. A file that names its neighbours as scripts do is imported as they are."""
    place = folder / file
    if "/" in file and names_neighbour(file, texts):
        return place.parent, place.stem
    package = place.parent
    while (package / "__init__.py").is_file():
        package = package.parent
    if package != place.parent:
        return package, dotted_name(place.relative_to(package).as_posix())
    if "/" not in file or _has_relative_import(texts.get(file, "")):
        return folder, dotted_name(file)
    root = root_of_folder(file, texts)
    if root is None:
        return place.parent, place.stem
    return folder / root, dotted_name(place.relative_to(folder / root).as_posix())


def _has_relative_import(text: str) -> bool:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level for node in every_node(tree))


def _may_lack_data(verdict: TaskOutcome) -> bool:
    """Whether a script found no data, or behaved as one does that finds none: it built networks and called none."""
    return verdict.status is Status.NEEDS or verdict.reached == (TrialStage.BUILD,)


class _Sight:
    """Runs tasks and tells their outcome in terms of the port and its original."""

    def __init__(self, folder: Path, texts: Mapping[str, str], trial: Trial) -> None:
        self._folder = folder
        self._texts = texts
        self._original = original_of(folder, trial.original)
        self._maps: dict[str, LineMap | None] = {}
        self._modules = {part for file in texts for part in dotted_name(file).split(".")}
        self._around = Surroundings(self._is_own, self._line_text, trial.seconds, trial.memory)

    def attempt(
        self, entry: TrialEntry, is_entry: bool, server: TrialServer, task: dict[str, object]
    ) -> Attempt:
        """Have a task done."""
        answer = server.ask(task, self._around.seconds)
        verdict = judge_answer(answer, is_entry, self._around)
        if task["kind"] == "script" and "/" in entry.file and _may_lack_data(verdict):
            # Its data may lie where it does: `../data` of a script that is run in its own folder.
            inside = {**task, "directory": str(Path(str(task["file"])).parent)}
            again = server.ask(inside, self._around.seconds)
            other = judge_answer(again, is_entry, self._around)
            is_new = verdict.status is Status.NEEDS and other.status is not Status.NEEDS
            if is_new or len(other.reached) > len(verdict.reached):
                task, answer, verdict = inside, again, other
        if task["kind"] == "script" and verdict.status is Status.NEEDS and not verdict.reached:
            # Its networks may do without what is missing.
            again = server.ask({**task, "kind": "rest"}, self._around.seconds)
            rest = judge_answer(again, is_entry, self._around)
            if rest.status is Status.FAILS:
                answer, verdict = again, rest
            elif rest.status is Status.NEEDS and rest.reached:
                reason = say(
                    "{reason} (its networks were built without; for more: --entry '{file}: CODE' --input TEXT)",
                    reason=verdict.reason,
                    file=entry.file,
                )
                verdict = msgspec.structs.replace(verdict, reached=rest.reached, reason=reason)
        calls = tuple(
            TracebackCall(self._relative(call.file) or call.file, call.line, call.name)
            for call in verdict.calls
        )
        own = [FileLine(call.file, call.line) for call in calls if call.file in self._texts]
        return Attempt(
            name=entry.name,
            file=entry.file,
            is_entry=is_entry,
            status=verdict.status,
            reached=verdict.reached,
            stage=verdict.stage,
            reason=verdict.reason,
            error=verdict.error,
            port=own[-1] if own else None,
            original=next(filter(None, map(self._in_original, reversed(own))), None),
            calls=calls,
            printed=answer.printed,
            seconds=answer.seconds,
        )

    def _in_original(self, place: FileLine) -> FileLine | None:
        """None for what mindport added, such as a module of helpers."""
        if place.file not in self._maps:
            self._maps[place.file] = self._line_map(place.file)
        lines = self._maps[place.file]
        return FileLine(place.file, lines.original_line(place.line)) if lines is not None else None

    def _line_map(self, file: str) -> LineMap | None:
        if self._original is None:
            return None
        source = read_source(self._original / file)
        return None if isinstance(source, Problem) else LineMap(source.text, self._texts[file])

    def _is_own(self, module: str) -> bool:
        if module in self._modules:
            return True
        folders = [self._folder, *([self._original] if self._original is not None else [])]
        return any((one / module).is_dir() or (one / f"{module}.py").is_file() for one in folders)

    def _line_text(self, file: str, line: int) -> str:
        lines = self._texts.get(self._relative(file), "").splitlines()
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def _relative(self, file: str) -> str:
        """The path in the port; empty for one outside of it."""
        place = Path(os.path.abspath(self._folder / file))  # noqa: PTH100
        return place.relative_to(self._folder).as_posix() if self._folder in place.parents else ""


def usual_memory() -> float:
    """Three quarters of the memory that is free, in gigabytes; 0, which is no limit, where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    free = next((int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), 0)
    return round(0.75 * free * 1024 / GIGABYTE, 1)


def original_of(folder: Path, named: Path | None) -> Path | None:
    """The folder of the original: the one that was named, else that of the manifest of the port. None where neither is
    there."""
    if named is not None:
        return Path(os.path.abspath(named))  # noqa: PTH100
    try:
        manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=PortOrigin)
    except (OSError, msgspec.DecodeError):
        return None
    source = folder / manifest.source
    if not source.is_dir():
        return None
    plain = Path(os.path.normpath(source))  # without `..`, unless links make that another place
    return plain if plain.is_dir() and plain.samefile(source) else source
