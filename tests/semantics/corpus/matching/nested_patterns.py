"""Patterns nest: sequences of mappings of classes, with alternatives inside."""

from dataclasses import dataclass


@dataclass
class Layer:
    kind: str
    size: int = 0


def width(spec):
    match spec:
        case {"layers": [Layer("conv" | "linear", size=first), *_, Layer(size=last)]}:
            return (first, last)
        case {"layers": [Layer(kind=only)]}:
            return only
        case {"layers": [] | None}:
            return "none"
        case {"layers": ([Layer(), *rest] | (rest))}:
            return len(rest)


answer = [
    width({"layers": [Layer("conv", 3), Layer("relu"), Layer("linear", 10)]}),
    width({"layers": (Layer("pool"),)}),
    width({"layers": None}),
    width({"layers": [Layer("x"), Layer("y"), Layer("z")]}),
    width({"layers": "text"}),
    width([]),
]
