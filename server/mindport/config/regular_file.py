"""Reads files of a project. A folder from elsewhere may have anything under their names: a pipe that nobody writes to,
a device without an end, terabytes."""

from __future__ import annotations

import errno
import os
import stat

LONGEST = 1_000_000  # bytes; what people write by hand is shorter
_AT_ONCE = 1 << 20


class NotRegular(OSError):
    """What is there is a pipe, a socket or a device."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "not a regular file")


class TooLarge(OSError):
    """The file has more bytes than are read: `size`."""

    def __init__(self, size: int) -> None:
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG))
        self.size = size


def read_regular(path: str | os.PathLike[str], most: int | None = LONGEST) -> bytes:
    """The bytes of a regular file of no more than `most` bytes. Raises OSError, also for what is none or is larger, and
    never waits for anybody."""
    if "\0" in os.fspath(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    _refuse(os.stat(path), most)  # noqa: PTH116  opening a device may do something already
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        _refuse(os.fstat(handle), most)  # it may be another one by now
        if most is None:
            return stream.read()
        parts, size = [], 0
        # What is asked for at once is kept free at once, and the limit may be far beyond what there is.
        while size <= most and (part := stream.read(min(_AT_ONCE, most + 1 - size))):
            parts.append(part)
            size += len(part)
    if size > most:
        raise TooLarge(size)
    return b"".join(parts)


def _refuse(status: os.stat_result, most: int | None) -> None:
    """Raise OSError for what is not to be read."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular
    if most is not None and status.st_size > most:
        raise TooLarge(status.st_size)
