"""The torch names that need a verdict: the public ones of the namespaces that model code uses."""

from __future__ import annotations

import functools

import msgspec

from mindport.registry.location import frameworks_folder


class _Source(msgspec.Struct, frozen=True):
    core: dict[str, tuple[str, ...]]


@functools.cache
def core_names() -> tuple[str, ...]:
    """Every core name of the newest collected torch, sorted by the module or class that it belongs to. What is
    reachable in two places stands once."""
    newest = max(frameworks_folder().glob("torch-*.json"), key=lambda path: _release(path.stem))
    groups = msgspec.json.decode(newest.read_bytes(), type=_Source).core
    return tuple(f"{owner}.{name}" for owner in sorted(groups) for name in groups[owner])


def _release(stem: str) -> tuple[int, ...]:
    return tuple(int(part) for part in stem.partition("-")[2].split("."))
