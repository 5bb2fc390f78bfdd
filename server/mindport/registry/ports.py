"""Which models exist for MindSpore already: collected by scripts/collect_ports.py from the repositories that hold them.
That a model has the same name does not say that it is the same model; it is a place to start."""

from __future__ import annotations

import functools
import re

import msgspec

from mindport.registry.location import mappings_folder


class KnownPort(msgspec.Struct, frozen=True):
    """A family of models in a repository, at the commit it was read from."""

    family: str
    repository: str
    path: str
    commit: str


class _PortsFile(msgspec.Struct, frozen=True):
    ports: tuple[KnownPort, ...]


# Names that say a task or a building block rather than a model.
_TOO_COMMON = frozenset(
    ("transformer", "lstm", "east", "user", "final", "dict", "bit", "mass", "trex", "aria", "phi")
)
# The first are maintained; the last is the old model zoo, much of it for MindSpore 1.
_BEST_FIRST = ("mindspore-lab/", "mindspore-ai/")


@functools.cache
def _by_name() -> dict[str, tuple[KnownPort, ...]]:
    data = (mappings_folder() / "_ports" / "ports.json").read_bytes()
    found: dict[str, list[KnownPort]] = {}
    for port in msgspec.json.decode(data, type=_PortsFile).ports:
        found.setdefault(plain(port.family), []).append(port)
    return {name: tuple(sorted(ports, key=_rank)) for name, ports in found.items()}


def ports_of(name: str) -> tuple[KnownPort, ...]:
    """The ports of the family that a name stands for (`YOLOX`, `resnet50`), best repository first; empty for none."""
    whole = plain(name)
    for key in (whole, whole.rstrip("0123456789")):
        if len(key) >= 3 and key not in _TOO_COMMON and key in _by_name():
            return _by_name()[key]
    return ()


def plain(name: str) -> str:
    """A name without signs and case: YOLO-X and yolox are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _rank(port: KnownPort) -> tuple[int, str, str]:
    owner = next((index for index, start in enumerate(_BEST_FIRST) if port.repository.startswith(start)), 9)
    return owner, port.repository, port.path
