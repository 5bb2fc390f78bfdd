"""Gives torch's arguments the name that they have since `async` is a keyword of Python: `x.cuda(non_blocking=True)`. A
file with `x.cuda(async=True)` is no Python any more, and nothing else in it could be rewritten. The result is torch,
still."""

from __future__ import annotations

import io
import token
import tokenize
from collections.abc import Iterator

from mindport.model.span import Position
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.former_keywords import ASYNC_ARGUMENT
from mindport.source.lines import LineIndex
from mindport.source.syntax import parses

# The methods of torch 0.3 that had the argument, and `to`, which got it with 0.4.
_METHODS = frozenset(("copy_", "cuda", "to", "type"))


def arguments_called_async(text: str) -> list[TextEdit]:
    """The edits that write today's name; none where the text parses, or where it is no Python with them either."""
    if not ASYNC_ARGUMENT.search(text) or parses(text):
        return []
    lines = LineIndex(text)
    starts = (lines.offset(start) for start in _places(text))
    edits = [TextEdit(start, start + len("async"), "non_blocking") for start in starts]
    return edits if parses(with_edits(text, edits)) else []


def _places(text: str) -> Iterator[Position]:
    """Where `async` stands as the name of an argument of one of torch's methods, as far as the text has tokens."""
    calls: list[bool] = []  # of each bracket that is open, whether it is that of such a method
    before = ["", ""]
    name: Position | None = None
    try:
        for one in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if name is not None and one.string == "=":
                yield name
            name = Position(*one.start) if one.string == "async" and calls and calls[-1] else None
            if one.type == token.OP and one.string in "([{":
                calls.append(one.string == "(" and before[0] == "." and before[1] in _METHODS)
            elif one.type == token.OP and one.string in ")]}" and calls:
                calls.pop()
            before = [before[1], one.string]
    except (tokenize.TokenError, SyntaxError):
        return
