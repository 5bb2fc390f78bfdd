"""What the collected MindSpore versions offer: names, signatures, documented devices, kernels on CPU, deprecations."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from mindport.model.target import Device, Version
from mindport.registry.compiled import load_compiled
from mindport.registry.location import frameworks_folder
from mindport.registry.signature import Signature, parse_signature

_MOST_REFERENCES = 4
_T = TypeVar("_T")


class Deprecation(msgspec.Struct, frozen=True, array_like=True):
    """That a name is on its way out: since when, what to use instead, after which version it may be gone;
    empty where the documentation does not say."""

    since: str = ""
    instead: str = ""
    removal: str = ""


class _SourceDeprecation(msgspec.Struct, frozen=True):
    since: str = ""
    instead: str = ""
    removal: str = ""


class _SourceEntry(msgspec.Struct, frozen=True):
    kind: str
    signatures: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    see: str = ""
    same_object: str = ""
    deprecated: _SourceDeprecation | None = None


class _Lacking(msgspec.Struct, frozen=True):
    names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    cpu: tuple[str, ...] = ()


class _Source(msgspec.Struct, frozen=True):
    """Collected facts: in full, or what sets them apart from those of the version `base`."""

    version: str
    names: dict[str, _SourceEntry]
    classes: dict[str, tuple[str, ...]]
    cpu: dict[str, bool] = {}
    base: str = ""
    lacking: _Lacking = _Lacking()


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    kind: str
    devices: tuple[str, ...]
    see: str
    same_object: str
    deprecated: Deprecation | None
    signatures: tuple[Signature, ...]


class _Facts(msgspec.Struct, frozen=True, array_like=True):
    version: str
    names: dict[str, msgspec.Raw]
    classes: dict[str, tuple[str, ...]]
    cpu: dict[str, bool]


_ENTRY = msgspec.msgpack.Decoder(_Entry)


class Availability(msgspec.Struct, frozen=True, array_like=True):
    """Where a name that one version lacks is found: the first collected version after it that has the name, and the
    last one before it; at least one of them."""

    since: Version | None
    until: Version | None


def compile_mindspore(source: Path, newer: Sequence[Path] = ()) -> dict[str, object]:
    """The compiled facts, from the file of a version and those of newer versions that it may refer to."""
    content = _read_source(source, newer)
    names = {}
    for name, entry in content.names.items():
        old = entry.deprecated
        packed = _Entry(
            entry.kind,
            entry.devices,
            entry.see,
            entry.same_object,
            Deprecation(old.since, old.instead, old.removal) if old is not None else None,
            tuple(parse_signature(text) for text in entry.signatures),
        )
        names[name] = msgspec.Raw(msgspec.msgpack.encode(packed))
    return {"facts": _Facts(content.version, names, content.classes, content.cpu)}


def _read_source(source: Path, newer: Sequence[Path]) -> _Source:
    """The facts in full."""
    content = msgspec.json.decode(source.read_bytes(), type=_Source)
    if not content.base:
        return content
    base = next(path for path in newer if path.stem == f"mindspore-{content.base}")
    whole = _read_source(base, newer)
    lacking = content.lacking
    return _Source(
        content.version,
        _overlaid(whole.names, lacking.names, content.names),
        _overlaid(whole.classes, lacking.classes, content.classes),
        _overlaid(whole.cpu, lacking.cpu, content.cpu),
    )


def _overlaid(whole: dict[str, _T], lacking: Iterable[str], own: dict[str, _T]) -> dict[str, _T]:
    for name in lacking:
        whole.pop(name, None)
    return whole | own


class MindSporeFacts:
    """The public names of one MindSpore version. Names are dotted from `mindspore`; members of base classes
    are found under the derived class too."""

    def __init__(self, source: Path, newer: Sequence[Path] = ()) -> None:
        """`newer`: the files of newer versions, which `source` may refer to."""
        self._facts = load_compiled(source, "facts", _Facts, lambda: compile_mindspore(source, newer), newer)
        self._entries: dict[str, _Entry | None] = {}
        self.collected_version = Version.parse(self._facts.version)
        self.build = self._facts.version
        """The version as the wheel names itself: of a nightly build with its date."""

    def names(self) -> Iterable[str]:
        """Every name, members under the class that defines them."""
        return self._facts.names.keys()

    def has(self, name: str) -> bool:
        """Whether this version has the name."""
        return self._entry(name) is not None

    def kind(self, name: str) -> str | None:
        """`function`, `class`, `cell_class`, `primitive_class`, `optimizer_class`, `tensor_class`, `method`,
        `attribute`, `instance_attribute`, `dtype`, `constant` or `module`; None if there is no such name."""
        entry = self._entry(name)
        return entry.kind if entry is not None else None

    def signatures(self, name: str) -> tuple[Signature, ...]:
        """The overloads of a function, method (without self) or constructor; empty if they are not known."""
        entry = self._entry(name)
        return entry.signatures if entry is not None else ()

    def devices(self, name: str) -> frozenset[Device] | None:
        """The devices the documentation names, or the page it refers to names; None where nothing is said.

        Documented is not proved: some of them have no kernel for a device they name."""
        for _ in range(_MOST_REFERENCES):
            entry = self._entry(name)
            if entry is None:
                return None
            if entry.devices:
                return frozenset(Device(word) for word in entry.devices if word in _DEVICES)
            if not entry.see:
                return None
            name = entry.see
        return None

    def has_kernel(self, name: str, device: Device) -> bool | None:
        """Whether a call of the function ran on the device, or failed for want of a kernel; None where nobody
        tried or no simple arguments were found. Only CPU has been tried."""
        return self._facts.cpu.get(name) if device is Device.CPU else None

    def deprecation(self, name: str) -> Deprecation | None:
        """Since when the name is deprecated and what replaces it; None if it is not deprecated."""
        entry = self._entry(name)
        return entry.deprecated if entry is not None else None

    def _entry(self, name: str) -> _Entry | None:
        if name not in self._entries:
            self._entries[name] = self._find(name)
        return self._entries[name]

    def _find(self, name: str) -> _Entry | None:
        raw = self._facts.names.get(name)
        if raw is not None:
            return _ENTRY.decode(raw)
        head, _, member = name.rpartition(".")
        owner = self._entry(head) if head else None
        if owner is None:
            return None
        home = owner.same_object or head
        candidates = (home, *self._facts.classes.get(home, ()))
        return next(
            (found for base in candidates if base != head and (found := self._entry(f"{base}.{member}"))),
            None,
        )


_DEVICES = frozenset(device.value for device in Device)


def collected_versions() -> tuple[Version, ...]:
    """The MindSpore versions there are facts of, oldest first."""
    return tuple(sorted(_files()))


def mindspore_facts(version: Version | None = None) -> MindSporeFacts:
    """The facts of the newest collected version that is not newer than `version`, else of the oldest one; the
    newest without `version`. `collected_version` says which it is. Of releases that cannot be installed any more, the
    nightly builds speak that can be: they tell names and signatures, and of no call whether it runs."""
    known = all_versions()
    fitting = [each for each in known if version is None or each <= version]
    return _load(fitting[-1] if fitting else known[0])


def availability(name: str, version: Version) -> Availability | None:
    """Where a name is found that the facts of `version` lack; None if no collected version has it, or this one does."""
    facts = mindspore_facts(version)
    if facts.has(name):
        return None
    known = all_versions()
    later = (each for each in known if each > facts.collected_version and _load(each).has(name))
    earlier = (each for each in reversed(known) if each < facts.collected_version and _load(each).has(name))
    found = Availability(next(later, None), next(earlier, None))
    return found if found.since or found.until else None


@functools.cache
def _files() -> dict[Version, Path]:
    return {
        Version.parse(path.stem.partition("-")[2]): path
        for path in frameworks_folder().glob("mindspore-*.json")
    }


@functools.cache
def _builds() -> dict[Version, Path]:
    """The nightly builds of releases before the first collected one."""
    found = (frameworks_folder() / "builds").glob("mindspore-*.json")
    return {Version.parse(path.stem.partition("-")[2]): path for path in found}


def all_versions() -> tuple[Version, ...]:
    """The versions there are facts or builds of, oldest first."""
    return (*sorted(_builds()), *collected_versions())


@functools.cache
def _load(version: Version) -> MindSporeFacts:
    files = {**_builds(), **_files()}
    return MindSporeFacts(files[version], [files[each] for each in sorted(files) if each > version])
