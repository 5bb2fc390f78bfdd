"""How gradients are limited in a recorded program, and the limit that a setting chooses:
`getattr(torch.nn.utils, f"clip_grad_{mode}_")(net.parameters(), most)`."""

from __future__ import annotations

import ast

from mindport.rewrite.pieces import HelperName, Piece
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse, Form

LIMITS = {
    "torch.nn.utils.clip_grad_norm_": "torch_clip_grad_norm_",
    "torch.nn.utils.clip_grad_norm": "torch_clip_grad_norm_",
    "torch.nn.utils.clip_grad_value_": "torch_clip_grad_value_",
}


def chooses_limit(use: ApiUse | None) -> bool:
    """Whether a use looks a name up that may be one of these limits."""
    if use is None or use.form is not Form.DYNAMIC:
        return False
    return any(f"{use.api}.{name}" in LIMITS for name in use.names)


def limits_written_out(node: ast.expr, use: ApiUse | None, lines: LineIndex) -> tuple[Piece, ...]:
    """What is put in the place of an expression that looks up one of several limits and nothing else: a dictionary of
    the functions, with the name as its key. Empty for any other expression."""
    if use is None or use.form is not Form.DYNAMIC or not use.names:
        return ()
    helpers = {name: LIMITS.get(f"{use.api}.{name}") for name in use.names}
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name], keywords=[]) if all(helpers.values()):
            pieces: list[Piece] = []
            for one, helper in helpers.items():
                pieces += ["{" if not pieces else ", ", f'"{one}": ', HelperName(helper or "")]
            return (*pieces, "}[", span_of(name, lines), "]")
    return ()
