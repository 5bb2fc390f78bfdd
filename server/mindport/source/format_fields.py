"""Finds the replacement fields of f-strings in their text, because before Python 3.12 the parser does not know where
they are."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"([A-Za-z]{0,2})(\"\"\"|'''|\"|')")
_COMMENT = re.compile(r"#[^\r\n]*")
_NAMED_CHARACTER = re.compile(r"\\N\{[^}]*\}")
_WORD = re.compile(r"\w+")
_OPENING, _CLOSING = "([{", ")]}"


def format_fields(text: str) -> list[tuple[int, int]] | None:
    """Where the expressions in the fields of an f-string stand, in their order, by offsets; `text` is the whole
    literal, or several that stand beside each other. Fields inside of formats do not count. None where the text is no
    such thing."""
    found: list[tuple[int, int]] = []
    position = 0
    while position < len(text):
        comment = _COMMENT.match(text, position)
        literal = _LITERAL.match(text, position)
        if comment is not None:
            position = comment.end()
        elif literal is None:
            position += 1
        else:
            prefix, quote = literal.groups()
            end = _behind_literal(text, literal.end(), prefix.lower(), quote, found)
            if end is None:
                return None
            position = end
    return found


def _behind_literal(
    text: str, position: int, prefix: str, quote: str, found: list[tuple[int, int]]
) -> int | None:
    """The offset behind the end of a literal whose content begins at `position`; adds its fields to `found`."""
    is_format = "f" in prefix
    while position < len(text):
        sign = text[position]
        if text.startswith(quote, position):
            return position + len(quote)
        named = None if "r" in prefix else _NAMED_CHARACTER.match(text, position)
        if named is not None:
            position = named.end()
        elif sign == "\\":
            position += 1 if text[position + 1 : position + 2] in ("{", "}") else 2
        elif is_format and text[position : position + 2] in ("{{", "}}"):
            position += 2
        elif is_format and sign == "{":
            field = _field(text, position + 1)
            if field is None:
                return None
            found.append((position + 1, field[0]))
            position = field[1]
        else:
            position += 1
    return None


def _field(text: str, position: int) -> tuple[int, int] | None:
    """The end of the expression that begins at `position`, and the offset behind its field."""
    depth = 0
    while position < len(text):
        sign = text[position]
        literal = _LITERAL.match(text, position)
        if literal is not None:
            end = _behind_literal(text, literal.end(), literal[1].lower(), literal[2], [])
            if end is None:
                return None
            position = end
            continue
        is_conversion = sign == "!" and text[position + 1 : position + 2] != "="
        if depth == 0 and (sign in ":}" or is_conversion):
            end = _behind_format(text, position)
            return None if end is None else (position, end)
        depth += (sign in _OPENING) - (sign in _CLOSING)
        # Letters before a quote that belong to a name are no prefix: a name is gone over as a whole.
        word = _WORD.match(text, position)
        position = word.end() if word is not None else position + 1
    return None


def _behind_format(text: str, position: int) -> int | None:
    depth = 1
    while position < len(text):
        depth += (text[position] == "{") - (text[position] == "}")
        position += 1
        if depth == 0:
            return position
    return None
