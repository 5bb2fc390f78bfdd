"""Sequence patterns match lists and tuples, but never strings; a star takes what is left."""


def describe(value):
    match value:
        case []:
            return "empty"
        case [x]:
            return ("one", x)
        case [x, y]:
            return ("two", x, y)
        case [first, *middle, last]:
            return ("many", first, middle, last)
        case _:
            return "other"


answer = [describe(v) for v in ([], (1,), [1, 2], range(4), "ab", {1: 2}, b"xy")]
