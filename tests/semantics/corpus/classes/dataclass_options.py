"""Frozen and ordered dataclasses, keyword-only fields, ClassVar, InitVar and replace."""

from dataclasses import FrozenInstanceError, InitVar, asdict, dataclass, replace
from typing import ClassVar


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


@dataclass(kw_only=True)
class Job:
    count: ClassVar[int] = 7
    name: str
    scale: InitVar[int] = 2
    size: int = 1

    def __post_init__(self, scale):
        self.size *= scale


v = Version(1, 2)
try:
    v.major = 5
except FrozenInstanceError:
    frozen = True
job = Job(name="x", size=3)
answer = (
    v < Version(1, 3),
    max(Version(0, 9), v).minor,
    frozen,
    len({v, Version(1, 2)}),
    replace(v, minor=9).minor,
)
answer_job = (asdict(job), Job.count, repr(job))
