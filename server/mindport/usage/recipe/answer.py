"""What is answered of an expression: its value with the line that it is written on, or that it stays open."""

from __future__ import annotations

import msgspec

from mindport.semantics.flow.values import Dotted
from mindport.usage.recipe.entry import SettingLine


class Open(msgspec.Struct, frozen=True):
    """No value; `text` is the expression, or the several that it may be."""

    text: str


class KnownValue(msgspec.Struct, frozen=True):
    """A value (numbers, texts, None, tuples of them; or a name of torch) and the line it is written on."""

    value: object
    place: SettingLine


Answer = KnownValue | Open


def shown(value: object) -> str:
    """A value as a person writes it: 0.0005, not 5e-04 or 0.00050000000001."""
    if isinstance(value, float):
        text = f"{value:.6g}"
        return text if "e" in text or "." in text else f"{text}.0" if abs(value) < 10 and value != 0 else text
    if isinstance(value, tuple):
        return f"({', '.join(shown(item) for item in value)})"
    if isinstance(value, Dotted):
        return value.name
    return value if isinstance(value, str) else repr(value)
