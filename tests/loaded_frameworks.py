"""Runs programs in copies of a process that has loaded the frameworks: loading them takes longer than most programs.

`run_python` is called as one would start Python. The first call with some frameworks starts a process that loads these
and nothing else; each program then has a copy of it, in which nothing ran yet, with arguments, folder, streams and
process group of its own. Where a copy would not be whole, because a framework has started threads, a fresh process
runs the program."""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any

FRAMEWORKS = ("torch", "mindspore")  # in the order that works on every build
# One thread each, as the workers of the oracle have it: no result depends on how sums are split.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "GLOG_v": "4",
    "MS_ENABLE_NUMA": "0",
}


def run_python(
    arguments: list[str],
    folder: Path,
    *frameworks: str,
    seconds: float = 300,
    interpreter: str = sys.executable,
) -> subprocess.CompletedProcess[str]:
    """What `python ARGUMENTS` gives in a folder: a path with arguments, `-c` and code, or `-m` and a module. Where
    nobody says which frameworks it imports, they are those that it and the files of the folder name. Raises
    subprocess.TimeoutExpired."""
    loaded = None
    if interpreter == sys.executable and arguments[0] != "-m":
        loaded = _loaded(*(frameworks or _imported_by(arguments, folder)))
    if loaded is None or not loaded.can_copy:
        command = [interpreter, *arguments]
        environment = {**os.environ, **ENVIRONMENT}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    return loaded.run(arguments, folder, seconds)


def _imported_by(arguments: list[str], folder: Path) -> list[str]:
    """The frameworks that code and files import, in the order in which both can be loaded."""
    texts = [arguments[1]] if arguments[0] == "-c" else [(folder / arguments[0]).read_text("utf-8")]
    texts += [file.read_text("utf-8") for file in folder.rglob("*.py")]
    named = [re.compile(rf"^\s*(?:from |import [^#\n]*?\b){name}\b", re.MULTILINE) for name in FRAMEWORKS]
    pairs = zip(FRAMEWORKS, named, strict=True)
    return [name for name, pattern in pairs if any(pattern.search(text) for text in texts)]


class _Loaded:
    """The process that is copied."""

    def __init__(self, frameworks: tuple[str, ...]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, *frameworks],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
            text=True,
        )
        atexit.register(self._end)
        self.can_copy: bool = self._answer()["can_copy"]

    def run(self, arguments: list[str], folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
        """Run one program in a copy."""
        with tempfile.TemporaryDirectory() as streams:
            output, errors = Path(streams, "output"), Path(streams, "errors")
            request = {"arguments": arguments, "folder": str(folder)}
            self._ask({**request, "output": str(output), "errors": str(errors)})
            copy = self._answer()["process"]
            timer = threading.Timer(seconds, os.killpg, (copy, signal.SIGKILL))
            timer.start()
            code = self._answer()["code"]
            is_late = not timer.is_alive()
            timer.cancel()
            if is_late:
                raise subprocess.TimeoutExpired(arguments, seconds)
            return subprocess.CompletedProcess(arguments, code, output.read_text(), errors.read_text())

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _ask(self, request: dict[str, str | list[str]]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


_loaded = functools.cache(lambda *frameworks: _Loaded(frameworks))


def _serve(frameworks: list[str]) -> None:
    """Load the frameworks, and run each program that a line of standard input asks for in a copy."""
    # Programs that write where nobody listens, and frameworks that do so while they are loaded, answer nothing.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in frameworks:
        importlib.import_module(name)
    _tell(answers, can_copy=hasattr(os, "fork") and len(list(Path("/proc/self/task").iterdir())) == 1)
    for line in sys.stdin:
        request = json.loads(line)
        copy = os.fork()
        if not copy:
            os._exit(_run(**request))
        _tell(answers, process=copy)
        _tell(answers, code=os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]))


def _tell(answers: Any, **content: object) -> None:
    answers.write(json.dumps(content) + "\n")
    answers.flush()


def _run(arguments: list[str], folder: str, output: str, errors: str) -> int:
    """Be the program; the code it ends with."""
    os.setsid()
    os.chdir(folder)
    for stream, file in ((1, output), (2, errors)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    code = 0
    try:
        main = sys.modules["__main__"] = type(sys)("__main__")
        if arguments[0] == "-c":
            sys.argv, sys.path[0] = ["-c", *arguments[2:]], ""
            exec(compile(arguments[1], "<string>", "exec"), vars(main))
        else:
            # Not by `runpy`: MindSpore reads the source of every frame below, and frozen modules have none.
            sys.argv, sys.path[0] = list(arguments), str(Path(arguments[0]).resolve().parent)
            main.__file__ = arguments[0]
            program = Path(arguments[0]).read_bytes()
            if b"import torchaudio" in program:
                from mindport.probes.oracle.torchaudio_import import import_torchaudio

                import_torchaudio()  # as it loads beside a torch without CUDA
            exec(compile(program, arguments[0], "exec"), vars(main))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001  whatever ends the program
        traceback.print_exc()
        code = 1
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    _serve(sys.argv[1:])
