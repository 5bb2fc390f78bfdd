"""NamedTuple and Enum: order, defaults, _replace, aliases, lookup by name and value."""

from enum import Enum, IntEnum, auto
from typing import NamedTuple


class Size(NamedTuple):
    width: int
    height: int = 2

    def area(self):
        return self.width * self.height


class Mode(Enum):
    TRAIN = "train"
    EVAL = "eval"
    TEST = "eval"

    @property
    def short(self):
        return self.value[0]


class Level(IntEnum):
    LOW = auto()
    HIGH = auto()


s = Size(3)
w, h = s._replace(height=10)
answer = (tuple(s), s.area(), w, h, s == (3, 2), Size._fields, s._asdict())
answer_enum = ([m.name for m in Mode], Mode.TEST is Mode.EVAL, Mode("train").name, Mode["TEST"].short)
answer_level = (Level.HIGH + 1, Level.LOW < 2, max(Level).value, Mode.TRAIN == "train")
