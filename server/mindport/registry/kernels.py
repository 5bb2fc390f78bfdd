"""Which devices MindSpore registers kernels for, read from the plugins in its wheel by scripts/collect_kernels.py: more
than what is documented, less than a run. Which primitives an API runs as was read from its source. Branches are not
told apart there: what has a kernel for some of its primitives only is not known."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

import msgspec

from mindport.model.language import listing, say
from mindport.model.target import Device, Version
from mindport.registry.location import frameworks_folder

# Where the names are that may run kernels; dtypes, data sets, schedules and the like are elsewhere.
_PLACES = ("mindspore.Tensor.", "mindspore.mint.", "mindspore.nn.", "mindspore.numpy.", "mindspore.ops.")

Ways = tuple[tuple[str, ...], ...]


class _File(msgspec.Struct, frozen=True):
    version: str
    kernels: dict[str, frozenset[str]]  # device.kind -> primitives; of `any`, on each device
    aicpu_types: dict[str, tuple[str, ...]]
    apis: dict[str, Ways]


class KernelFacts:
    """The registries of one MindSpore version."""

    def __init__(self, source: Path) -> None:
        content = msgspec.json.decode(source.read_bytes(), type=_File)
        self.version = Version.parse(content.version)
        self._apis = content.apis
        self._types = content.aicpu_types
        self._kinds: dict[Device, dict[str, frozenset[str]]] = {device: {} for device in Device}
        for place, names in content.kernels.items():
            name, _, kind = place.partition(".")
            for device in Device if name == "any" else (Device(name),):
                self._kinds[device][kind] = names
        self._registered: dict[Device, frozenset[str]] = {
            device: frozenset().union(*kinds.values()) for device, kinds in self._kinds.items()
        }

    def names(self) -> Iterable[str]:
        """The APIs whose primitives are known."""
        return self._apis.keys()

    def ways(self, name: str) -> Ways:
        """The alternatives that an API runs as, each the primitives of one; empty where nobody knows."""
        return self._apis.get(name, ())

    def kinds(self, primitive: str, device: Device) -> tuple[str, ...]:
        """The kinds of kernels that a primitive has on a device: `aclnn`, `aclop`, `aicpu` and `pyboost` (called op by
        op) on Ascend, `native` on GPU and CPU, `host` on each."""
        return tuple(kind for kind, names in self._kinds[device].items() if primitive in names)

    def types(self, primitive: str) -> tuple[str, ...]:
        """The types of the first input that Ascend's AI CPU takes; empty where no table says so."""
        return self._types.get(primitive, ())

    def has(self, name: str, device: Device) -> bool | None:
        """Whether all primitives of one alternative have a kernel on the device (true), none of any has one (false), or
        something between: what branch a call takes is not known."""
        ways = self.ways(name)
        if not ways:
            return None
        registered = self._registered[device]
        if any(registered.issuperset(way) for way in ways):
            return True
        return False if all(registered.isdisjoint(way) for way in ways) else None

    def has_all(self, names: Iterable[str], device: Device) -> bool | None:
        """The same of several APIs, which are as good as the weakest. Names that run no kernel do not count."""
        answers = [self.has(name, device) for name in names if name.startswith(_PLACES)]
        if False in answers:
            return False
        return True if answers and None not in answers else None

    def words(self, name: str, device: Device) -> str:
        """What is registered for the primitives of an API, in words."""
        missing = {one for way in self.ways(name) for one in way} - self._registered[device]
        if missing:
            return say("no kernel is registered for {names}", names=listing(sorted(missing)))
        return say("kernels are registered")


def kernel_facts(version: Version) -> KernelFacts | None:
    """The registries of the newest collected version that is not newer; None where there is none."""
    fitting = [one for one in _files() if one <= version]
    return _load(max(fitting)) if fitting else None


@functools.cache
def _files() -> dict[Version, Path]:
    folder = frameworks_folder() / "kernels"
    return {Version.parse(path.stem.partition("-")[2]): path for path in folder.glob("mindspore-*.json")}


@functools.cache
def _load(version: Version) -> KernelFacts:
    return KernelFacts(_files()[version])
