"""The comments of a text."""

from __future__ import annotations

import tokenize

from mindport.source.lines import lines_with_ends
from mindport.source.syntax import SYNTAX_ERRORS


def without_comments(text: str) -> str:
    """The text with nothing where its comments are; as it is, where it is no Python."""
    lines = lines_with_ends(text)
    try:
        for token in tokenize.generate_tokens(iter(lines.copy()).__next__):
            if token.type == tokenize.COMMENT:
                (number, start), (_, end) = token.start, token.end
                lines[number - 1] = lines[number - 1][:start] + lines[number - 1][end:]
    except (tokenize.TokenError, *SYNTAX_ERRORS):
        return text
    return "".join(lines)
