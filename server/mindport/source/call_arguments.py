"""Arguments as a call writes them."""

from __future__ import annotations

import ast


def written_argument(call: ast.Call, name: str, place: int | None = None) -> ast.expr | None:
    """The argument that a call passes by this name or at this place; None where it passes neither."""
    if place is not None and place < len(call.args):
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
