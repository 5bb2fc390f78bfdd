"""Enum members, constants of modules, sets of types and strings in patterns; a bare name always matches."""

import math
from enum import Enum


class Mode(Enum):
    TRAIN = 1
    EVAL = 2


class Constants:
    LIMIT = 10


def f(value):
    match value:
        case Mode.TRAIN | Mode.EVAL as mode:
            return mode.name
        case Constants.LIMIT:
            return "limit"
        case math.pi:
            return "pi"
        case (int(a), float(b)) | [str(a), bool(b)]:
            return ("pair", a, b)
        case {"items": [{"id": first}, *_]}:
            return first
        case dict(items) if len(items) > 1:
            return len(items)
        case set() | frozenset():
            return "set"
        case complex(real=r, imag=0):
            return r
        case other:
            return type(other).__name__


answer = [f(v) for v in (Mode.EVAL, 10, math.pi, (1, 2.0), ["x", True], (True, 1.5), {"items": [{"id": 7}]})]
answer_more = [f(v) for v in ({1: 2, 3: 4}, {1}, complex(3, 0), 3j, {}, [1, 2.0], "xy")]
