"""Parses Python text without letting the parser's warnings about the user's code reach the terminal."""

from __future__ import annotations

import ast
import contextlib
import functools
import sys
import warnings
from collections.abc import Iterator
from contextvars import ContextVar

from mindport.source.format_places import place_format_fields
from mindport.source.trees import keep, kept_nodes

# What `ast.parse` raises for text that is no Python, or nested too deeply.
SYNTAX_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)

# Whether the parser does not tell where things in f-strings stand.
_PLACES_ARE_LOST = sys.version_info < (3, 12)
_SHARED = 4  # texts whose trees are kept: a file as it was, and as it is now and was a moment ago
_shares: ContextVar[bool] = ContextVar("shares", default=False)


@contextlib.contextmanager
def shared_trees() -> Iterator[None]:
    """Where several look at the same text: in here the last trees of `parse_tree` are given out again."""
    if _shares.get():
        yield
        return
    before = _shares.set(True)
    try:
        with kept_nodes(_SHARED):
            yield
    finally:
        _shares.reset(before)
        _kept.cache_clear()


def parse_tree(text: str) -> ast.Module:
    """The tree of a text, which others may look at as well: it is not to be changed. Raises one of SYNTAX_ERRORS."""
    if not _shares.get():
        return _parsed(text)
    tree = _kept(text)
    keep(tree)
    return tree


def parses(text: str) -> bool:
    """Whether a text is Python."""
    try:
        parse_tree(text)
    except SYNTAX_ERRORS:
        return False
    return True


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    if _PLACES_ARE_LOST:
        place_format_fields(tree, text)
    return tree


_kept = functools.lru_cache(maxsize=_SHARED)(_parsed)


def parse_statements(text: str) -> list[ast.stmt]:
    """The statements of a text, which are the caller's own. Raises one of SYNTAX_ERRORS."""
    return _parsed(text).body


def parse_expression(text: str) -> ast.expr:
    """The expression that a text is. Raises one of SYNTAX_ERRORS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expression = ast.parse(text, mode="eval")
    if _PLACES_ARE_LOST:
        place_format_fields(expression, text)
    return expression.body
