"""What the operating system and Python's parser say when something cannot be read, in the user's language. They have
their own words, in English; what is not known here is left as it comes."""

from __future__ import annotations

import functools
import re

from mindport.model.language import later, say

# As they are written, and with places for what differs.
_REASONS = (
    later("permission denied"),
    later("read-only file system"),
    later("no space left on device"),
    later("input/output error"),
    later("file name too long"),
    later("no such file or directory"),
    later("is a directory"),
    later("not a directory"),
    later("too many levels of symbolic links"),
    later("too many open files"),
    later("invalid syntax"),
    later("invalid syntax. Perhaps you forgot a comma?"),
    later("unexpected indent"),
    later("unindent does not match any outer indentation level"),
    later("inconsistent use of tabs and spaces in indentation"),
    later("unexpected EOF while parsing"),
    later("expected '{expected}'"),
    later("'{bracket}' was never closed"),
    later("unmatched '{bracket}'"),
    later("closing parenthesis '{closing}' does not match opening parenthesis '{opening}'"),
    later(
        "closing parenthesis '{closing}' does not match opening parenthesis '{opening}' on line {line}",
    ),
    later("expected an indented block after '{keyword}' statement on line {line}"),
    later("expected an indented block after function definition on line {line}"),
    later("expected an indented block after class definition on line {line}"),
    later("unterminated string literal (detected at line {line})"),
    later("unterminated triple-quoted string literal (detected at line {line})"),
    later("invalid character '{character}' ({number})"),
    later("invalid non-printable character {number}"),
    later("Missing parentheses in call to '{function}'. Did you mean {function}(...)?"),
)


def _pattern(reason: str) -> re.Pattern[str]:
    """What matches a reason with anything in its places; a place that comes again has the same."""
    seen: set[str] = set()
    parts = []
    for part in re.split(r"(\{\w+\})", reason):
        name = part[1:-1]
        if not part.startswith("{"):
            parts.append(re.escape(part))
        elif name in seen:
            parts.append(f"(?P={name})")
        else:
            seen.add(name)
            parts.append(f"(?P<{name}>.+?)")
    return re.compile("".join(parts), re.DOTALL)


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Made when the first thing cannot be read, which in most runs is never."""
    return tuple((_pattern(reason), reason) for reason in _REASONS)


def said(reason: str) -> str:
    """A reason in the language in force."""
    for pattern, sentence in _patterns():
        match = pattern.fullmatch(reason)
        if match is not None:
            return say(sentence, **match.groupdict())
    return reason


def reason_of(error: Exception) -> str:
    """Why something cannot be read or written, in the words of whoever says so, as it goes into a sentence."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
