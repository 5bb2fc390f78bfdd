"""What an expression that puts a name together says of it: `f"Conv{axes}d"`, `"%s_window" % kind`, `kind + "Loss"`."""

from __future__ import annotations

import ast
import functools
import re

from mindport.source.syntax import SYNTAX_ERRORS, parse_expression

_COMPUTED = r"(\w*)"
_PLACES = re.compile(r"%[sdi]|\{\w*\}")
# Fewer letters fit too many names.
_LETTERS = 3


@functools.cache
def pattern_of_name(expression: str) -> re.Pattern[str] | None:
    """What the name looks like, with a group for each part that is computed; None where nothing of it is written."""
    try:
        node = parse_expression(expression)
    except SYNTAX_ERRORS:
        return None
    if isinstance(node, ast.Constant):
        return None
    pattern = _pattern(node)
    letters = sum(map(str.isalpha, pattern.replace(_COMPUTED, "")))
    return re.compile(pattern) if letters >= _LETTERS else None


def _pattern(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=parts):
            return "".join(map(_pattern, parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _pattern(left) + _pattern(right)
        case (
            ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod())
            | ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"))
        ):
            return _COMPUTED.join(map(re.escape, _PLACES.split(text)))
    return _COMPUTED
