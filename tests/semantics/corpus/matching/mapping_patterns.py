"""Mapping patterns look at the keys they name; ** takes the others; {} matches every mapping."""


def describe(value):
    match value:
        case {"kind": "circle", "r": r}:
            return ("circle", r)
        case {"kind": kind, **rest} if rest:
            return (kind, rest)
        case {1: _, 2: _}:
            return "numbers"
        case {}:
            return "mapping"
        case _:
            return "else"


answer = [
    describe(v)
    for v in (
        {"kind": "circle", "r": 2, "x": 1},
        {"kind": "dot", "y": 3},
        {"kind": "dot"},
        {2: 0, 1: 0},
        {},
        [],
    )
]
