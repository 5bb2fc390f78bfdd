"""The curves of several trainings as one picture: a panel for each program, a line for each seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

Curve = list[tuple[int, float]]
COLOURS = {"torch": "#d9480f", "MindSpore": "#1864ab"}
_WIDTH, _HEIGHT, _GAP, _MARGIN = 260, 160, 56, 40


def picture(programs: Mapping[str, Mapping[str, Iterable[Curve]]]) -> str:
    """The picture as SVG; `programs` has for each program the curves of each side."""
    width = _MARGIN + len(programs) * (_WIDTH + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT + 2 * _MARGIN}"'
        ' font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for number, (side, colour) in enumerate(COLOURS.items()):
        parts.append(f'<text x="{_MARGIN + 70 * number}" y="14" fill="{colour}">{escape(side)}</text>')
    for number, (name, sides) in enumerate(programs.items()):
        parts += _panel(name, sides, _MARGIN + number * (_WIDTH + _GAP))
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, sides: Mapping[str, Iterable[Curve]], left: int) -> Iterable[str]:
    curves = [(side, curve) for side, several in sides.items() for curve in several]
    values = [value for _, curve in curves for _, value in curve]
    steps = [step for _, curve in curves for step, _ in curve]
    low, high = min(values), max(values)
    yield f'<text x="{left}" y="{_MARGIN - 8}" fill="#343a40">{escape(name)}</text>'
    yield f'<rect x="{left}" y="{_MARGIN}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#adb5bd"/>'
    for value, y in ((high, _MARGIN + 10), (low, _MARGIN + _HEIGHT)):
        yield f'<text x="{left - 4}" y="{y}" text-anchor="end" fill="#868e96">{value:.3g}</text>'
    yield (
        f'<text x="{left + _WIDTH}" y="{_MARGIN + _HEIGHT + 14}" text-anchor="end" fill="#868e96">{max(steps)}</text>'
    )
    for side, curve in curves:
        points = " ".join(
            f"{left + _WIDTH * step / max(steps):.1f},"
            f"{_MARGIN + _HEIGHT * (high - value) / ((high - low) or 1.0):.1f}"
            for step, value in curve
        )
        yield f'<polyline points="{points}" fill="none" stroke="{COLOURS[side]}" stroke-opacity="0.7"/>'
