"""From settings, project and machine to the one target of a run, with the reason for each part of it.

Nothing is imported or run for this: installed packages are known by the names of their metadata folders."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from mindport.config.interpreter import InstalledMindSpore, installed_mindspore
from mindport.config.requirement import Requirement, required_mindspore
from mindport.config.settings import Settings
from mindport.model.language import say
from mindport.model.target import Device, Mode, Target, Version

NEWEST_KNOWN = Version(2, 10, 0)
# The newest patch of every release that an upper bound of a requirement can lead to.
KNOWN_VERSIONS = tuple(Version(2, minor) for minor in range(11))

_ASCEND_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_ASCEND_PLACES = ("/usr/local/Ascend", "~/Ascend")
_CUDA_DRIVER_PLACES = ("/dev/nvidiactl", "/proc/driver/nvidia/version", "/dev/dxg")


class HostMachine(msgspec.Struct, frozen=True):
    """What of the machine the choice depends on; tests and editors give another one."""

    environment: Mapping[str, str]
    ascend_places: tuple[str, ...] = _ASCEND_PLACES
    cuda_places: tuple[str, ...] = _CUDA_DRIVER_PLACES


def resolve_target(
    settings: Settings, root: str | os.PathLike[str], machine: HostMachine | None = None
) -> tuple[Target, tuple[str, ...]]:
    """The target of the project at `root`, and one sentence for each part on why it is that. Never raises:
    the settings were validated, and what cannot be read counts as not there."""
    machine = machine or HostMachine(os.environ)
    installed = installed_mindspore(settings.interpreter, Path(root), machine.environment)
    version, version_reason = _version(settings, Path(root), installed)
    device, device_reason = _device(settings, machine, installed)
    return Target(version, device, Mode(settings.mode)), (version_reason, device_reason)


def _version(settings: Settings, root: Path, installed: InstalledMindSpore | None) -> tuple[Version, str]:
    if settings.target_version != "auto":
        return _told(Version.parse(settings.target_version), say("set by target-version"))
    requirement = required_mindspore(root)
    if requirement is not None:
        chosen = _allowed(requirement)
        if chosen is not None:
            return chosen
    if installed is not None:
        return _told(installed.version, say("installed in {place}", place=installed.place))
    return _told(NEWEST_KNOWN, say("the newest known, as the project requires none and none is installed"))


def _allowed(requirement: Requirement) -> tuple[Version, str] | None:
    """The version that a requirement stands for: the one it pins, the oldest it allows (the code has to run
    there too), or the newest below its upper bound."""
    if requirement.exact is not None:
        return _told(requirement.exact, say("pinned by {place}", place=requirement.place))
    allowed = sorted({one for one in (*KNOWN_VERSIONS, *requirement.named) if requirement.allows(one)})
    if not allowed:  # as a requirement on the patches of one release alone
        later = [Version(one.major, one.minor, one.patch + 1) for one in requirement.named]
        allowed = sorted(filter(requirement.allows, later))
    if not allowed:
        return None
    if requirement.has_lower_bound:
        return _told(allowed[0], say("the oldest that {place} allows", place=requirement.place))
    return _told(allowed[-1], say("the newest that {place} allows", place=requirement.place))


def _told(version: Version, reason: str) -> tuple[Version, str]:
    return version, say("version {version}: {reason}", version=version, reason=reason)


def _device(
    settings: Settings, machine: HostMachine, installed: InstalledMindSpore | None
) -> tuple[Device, str]:
    if settings.device != "auto":
        return Device(settings.device), say("device {device}: set by device", device=settings.device)
    for name in _ASCEND_VARIABLES:
        if machine.environment.get(name):
            return Device.ASCEND, say("device Ascend: {name} is set", name=name)
    for place in machine.ascend_places:
        if os.path.isdir(os.path.expanduser(place)):  # noqa: PTH111, PTH112
            return Device.ASCEND, say("device Ascend: the toolkit is in {place}", place=place)
    if installed is not None and installed.for_cuda:
        for place in machine.cuda_places:
            if os.path.exists(place):  # noqa: PTH110
                return (
                    Device.GPU,
                    say(
                        "device GPU: MindSpore in {place} can use CUDA, and there is a driver",
                        place=installed.place,
                    ),
                )
    return Device.CPU, say("device CPU: no Ascend toolkit and no MindSpore that can use CUDA found")
