"""Positional class patterns follow __match_args__; keywords read attributes; builtins match themselves."""


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y, self.size = x, y, x + y


def describe(value):
    match value:
        case Point(0, 0):
            return "origin"
        case Point(x, 0) | Point(0, x):
            return ("axis", x)
        case Point(size=10) as point:
            return ("ten", point.x)
        case bool():
            return "bool"
        case int(number) if number > 5:
            return ("big", number)
        case int() | float():
            return "number"
        case str(text):
            return text[::-1]


answer = [
    describe(v) for v in (Point(0, 0), Point(3, 0), Point(0, 4), Point(4, 6), True, 7, 2, 1.5, "abc", None)
]
