"""Writes a file in one step: into a temporary file beside it, which then takes its place, so that no reader ever
sees half of it. Owner, mode bits and extended attributes of the file that is replaced are kept."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

_NEW_MODE = 0o644
_SUFFIX = ".mindport"
_TEMPORARY = re.compile(r"\.(\d{1,9})\.[0-9a-f]{8}\.mindport")  # the process that made it


def replace_file(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write `content` to `path`, with these mode bits; without any, with those of the file that is replaced. Raises
    OSError when that cannot be done; the old file is then untouched and nothing is left beside it."""

    def write(temporary: Path) -> None:
        # Nobody else reads it before it has the mode that it is to have.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        before = _status(path)
        if before is not None:
            _keep_attributes(path, before, temporary)
        wanted = mode if mode is not None else _NEW_MODE if before is None else stat.S_IMODE(before.st_mode)
        temporary.chmod(wanted)

    replace_by(path, write)


def replace_by(path: Path, make: Callable[[Path], None]) -> None:
    """Put what `make` makes at the place that it is given to `path`, in one step. Raises OSError like replace_file."""
    remove_left_over(path.parent)
    temporary = path.parent / f".{os.getpid()}.{os.urandom(4).hex()}{_SUFFIX}"
    with _nobody_ends_us():
        try:
            make(temporary)
            temporary.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def keep_file(path: Path, content: bytes) -> None:
    """Write what can be made again, and the folders on the way to it. A place that cannot be written is no error: it
    is then made again by the next run."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content, _NEW_MODE)


def write_output(path: Path, content: bytes) -> None:
    """Write what the user asked to have in a file of this name. A link keeps leading there, and what is no regular
    file, such as /dev/stdout or a pipe, gets the bytes instead of being replaced by a file. Raises OSError."""
    status = _status(path)
    if status is None or stat.S_ISREG(status.st_mode):
        replace_file(Path(os.path.realpath(path)), content)
        return
    with path.open("wb") as stream:
        stream.write(content)


def lies_below(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Whether a path leads to `folder` or to something below it, whatever links are on the way to either."""
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real == top or real.startswith(top.rstrip(os.sep) + os.sep)


def is_temporary(name: str) -> bool:
    """Whether a file of this name is one that is about to take another one's place, or was left over by a run."""
    return _TEMPORARY.fullmatch(name) is not None


@functools.lru_cache(maxsize=1024)
def remove_left_over(folder: Path) -> None:
    """Remove the temporary files that processes left in a folder which were killed while they wrote. Once is enough:
    our own are removed when they are done with."""
    if os.name == "nt":
        return  # there is no asking whether a process lives
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208  names, of which hardly any is of interest
            match = _TEMPORARY.fullmatch(name)
            if match is not None and not _is_alive(int(match[1])):
                (folder / name).unlink()


def _is_alive(process: int) -> bool:
    # At worst, what another container writes to the folder at this moment is lost to us, and says so.
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # of another user's
    return True


@contextlib.contextmanager
def _nobody_ends_us() -> Iterator[None]:
    """Around the moments in which a temporary file is there: who asks this process to end is answered afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _keep_attributes(path: Path, before: os.stat_result, new: Path) -> None:
    """Give a new file what the one that it replaces has besides content and mode, as far as the system lets us."""
    if hasattr(os, "chown"):
        for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
            with contextlib.suppress(OSError):
                os.chown(new, owner, group)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(path):
                with contextlib.suppress(OSError):
                    os.setxattr(new, name, os.getxattr(path, name))
