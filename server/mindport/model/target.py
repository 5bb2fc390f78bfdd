"""What a verdict speaks of: a MindSpore version, a device and an execution mode."""

from __future__ import annotations

import enum
import re

import msgspec


class Device(enum.Enum):
    """Where the ported code is to run."""

    ASCEND = "Ascend"
    GPU = "GPU"
    CPU = "CPU"


class Mode(enum.Enum):
    """How MindSpore executes: op by op, or as a compiled graph."""

    PYNATIVE = "pynative"
    GRAPH = "graph"


class Version(msgspec.Struct, frozen=True, order=True):
    """A release of MindSpore, compared by number: 2.10 is newer than 2.9."""

    major: int
    minor: int
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read `2.10`, `2.10.0`, `r2.3` or `2.10.0rc1`; raises ValueError with what was expected."""
        match = re.fullmatch(r"r?(\d+)\.(\d+)(?:\.(\d+))?(?:[.-]?(?:rc|post|dev|a|b)\d*)?", text.strip())
        if match is None:
            raise ValueError(f"not a MindSpore version: {text!r} (expected for example 2.10.0)")
        return cls(int(match[1]), int(match[2]), int(match[3] or 0))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


class Target(msgspec.Struct, frozen=True):
    """The one target that every verdict, card and fix of a run speaks of."""

    version: Version
    device: Device
    mode: Mode = Mode.PYNATIVE

    def __str__(self) -> str:
        mode = "PyNative" if self.mode is Mode.PYNATIVE else "graph mode"
        return f"MindSpore {self.version} on {self.device.value}, {mode}"
