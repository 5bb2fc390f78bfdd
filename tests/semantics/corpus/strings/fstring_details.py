"""f-strings: conversions, own __format__, nested quotes, lambda, dict access, expressions, dates."""

from datetime import date


class Own:
    def __format__(self, spec):
        return f"<{spec or 'none'}>"

    def __repr__(self):
        return "Own()"


own, d, key = Own(), {"a": 1.5}, "a"
answer = [
    f"{own}",
    f"{own:x{key}y}",
    f"{own!r:>8}",
    f"{d['a']:>6}",
    f"{(lambda x: x * 2)(4)}",
    f"{[*range(3)]!s}",
]
answer_more = [
    f"{date(2024, 2, 9):%d.%m.%y}",
    f"{key!r}{key!s}",
    f"{3 if d else 4:03}",
    f"{ {'k': 1}['k'] }",
    f"{own = }",
]
answer_format = (
    "{0}-{1}-{0}".format("a", "b"),
    "{x.year}".format(x=date(1999, 1, 1)),
    "{:>{w}}".format(1, w=3),
)
answer_template = "{name}_{n:02d}".format_map({"name": "layer", "n": 7})
