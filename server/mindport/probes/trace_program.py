"""Runs a program in torch for a few steps and keeps what was seen of it.

Called with the name of a file that holds the request: `root` (the folder of the project), `arguments` (the program
with its own, `train.py --epochs 1`), `as_module` (whether the first is the name of a module), `steps`, `seconds`,
`keep` (the file to write) and `calls` (the file for calls with their values, empty for none). The program has this
process's standard streams and folder. The file is written whole or not at all, also where the program fails or is
interrupted: `torch`, `python`, `has_columns`, `ending` (`exit`, `steps`, `time`, `error`, `interrupted`), `error`,
`steps`, `seconds`, `is_full`, `files`."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import runpy
import sys
import threading
import time
from typing import Any

_OWN = sys.path.pop(0)  # the folder of the probes: its names are not the program's
_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120


class Run:
    """One run of a program."""

    def __init__(self, request: dict[str, Any]) -> None:
        import torch

        sys.path.insert(0, _HERE)
        from tracing.places import CodePlaces
        from tracing.watch import TraceWatch

        if request["calls"]:
            from tracing.kept_calls import KeptCalls  # needs NumPy, which torch does without

        sys.path.remove(_HERE)
        for name in [name for name in sys.modules if name.partition(".")[0] == "tracing"]:
            del sys.modules[name]  # the program may have a module of that name
        places = CodePlaces(request["root"], os.path.dirname(torch.__file__))  # noqa: PTH120
        self._torch = torch
        self._request = request
        self._calls = KeptCalls(torch, places, request["root"]) if request["calls"] else None
        self._watch = TraceWatch(torch, places, request["steps"], self.finish)
        self._started = time.monotonic()
        self._is_written = False
        self._lock = threading.RLock()

    def go(self) -> None:
        """Run the program to one of its ends. Raises what it raises, after everything is written."""
        timer = threading.Timer(self._request["seconds"], self.finish, ("time",))
        timer.daemon = True
        timer.start()
        ending, error = "exit", ""
        try:
            with self._watch.mode():
                sys.settrace(self._watch.called)
                if self._calls is not None:
                    sys.setprofile(self._calls.profile)
                try:
                    self._run()
                finally:
                    sys.settrace(None)
                    sys.setprofile(None)
        except SystemExit as problem:
            if problem.code not in (None, 0):
                ending, error = "error", f"SystemExit: {problem.code}"
            raise
        except KeyboardInterrupt:
            ending = "interrupted"
            raise
        except BaseException as problem:
            ending, error = "error", f"{type(problem).__name__}: {problem}"[:500]
            raise
        finally:
            timer.cancel()
            self._write(ending, error)

    def _run(self) -> None:
        arguments = self._request["arguments"]
        sys.argv = list(arguments)
        if self._request["as_module"]:
            sys.path.insert(0, os.getcwd())  # noqa: PTH109
            runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))  # noqa: PTH100, PTH120
            runpy.run_path(arguments[0], run_name="__main__")

    def finish(self, ending: str) -> None:
        """End the process here, from whichever thread, with all that was seen."""
        sys.settrace(None)
        sys.setprofile(None)
        self._watch.note_running()
        with contextlib.suppress(
            RuntimeError, OSError
        ):  # the program goes on in another thread than the timer's
            self._write(ending, "")
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        import multiprocessing

        for child in multiprocessing.active_children():
            child.terminate()
        os._exit(0)

    def _write(self, ending: str, error: str) -> None:
        with self._lock:
            if self._is_written:
                return
            self._is_written = True
            content = self._content(ending, error)
            keep = self._request["keep"]
            with open(f"{keep}.part", "w", encoding="utf-8") as file:  # noqa: PTH123
                json.dump(content, file, ensure_ascii=True)
            os.replace(f"{keep}.part", keep)  # noqa: PTH105
            if self._calls is not None:
                self._calls.write(self._request["calls"])

    def _content(self, ending: str, error: str) -> dict[str, Any]:
        return {
            "torch": self._torch.__version__,
            "python": platform.python_version(),
            "has_columns": sys.version_info >= (3, 11),
            "ending": ending,
            "error": error,
            "steps": self._watch.steps_taken,
            "seconds": round(time.monotonic() - self._started, 2),
            "is_full": self._watch.record.is_full,
            "files": self._watch.record.files(),
        }


def main() -> None:
    """Read the request and run."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
        request = json.load(file)
    # What compiles code would go through our look-out, too, and there is nothing to see in what is compiled.
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    Run(request).go()


if __name__ == "__main__":
    main()
