"""A terminal with an editor in it, for those that cannot do without: what is typed, and what is on the screen."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pyte

_ROWS, _COLUMNS = 40, 160
_LIMIT = 90.0  # seconds; only an editor that hangs gets there
_WHO_ARE_YOU, _A_VT220 = b"\x1b[c", b"\x1b[?62;22c"


class _Screen(pyte.Screen):  # type: ignore[misc]
    """pyte's screen, without the private sequences that it does not know."""

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in ("report_device_status", "report_device_attributes", "select_graphic_rendition"):
            return found
        return lambda *values, private=False: None if private else found(*values)


class Terminal:
    """Runs a command until the `with` block ends."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], cwd: Path) -> None:
        self._screen = _Screen(_COLUMNS, _ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.chdir(cwd)
            os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color"})
        size = struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._terminal)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def wait(self, what: str, condition: Callable[[], bool]) -> None:
        """Show what the editor draws until a condition holds."""
        end = time.monotonic() + _LIMIT
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}:\n{self.text}"
            self._show()

    def _show(self) -> None:
        ready, _, _ = select.select([self._terminal], [], [], 0.05)
        if not ready:
            return
        try:
            data = os.read(self._terminal, 65_536)
        except OSError:  # the editor has ended
            time.sleep(0.05)
            return
        if _WHO_ARE_YOU in data:
            os.write(self._terminal, _A_VT220)
        self._stream.feed(data)
