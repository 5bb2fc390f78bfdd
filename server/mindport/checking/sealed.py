"""What is written to be read by a later run, with a digest in front: a disk, a network or a store of artifacts may give
it back damaged, and what it says then must not be believed."""

from __future__ import annotations

import hashlib

_BYTES = 20


def sealed(content: bytes) -> bytes:
    """The content as it is written."""
    return _digest(content) + content


def unsealed(data: bytes) -> memoryview | None:
    """The content of what was written; None where it is damaged, or something else."""
    content = memoryview(data)[_BYTES:]
    return content if data[:_BYTES] == _digest(content) else None


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=_BYTES).digest()
