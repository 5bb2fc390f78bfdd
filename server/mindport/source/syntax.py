"""Parses Python text without letting the parser's warnings about the user's code reach the terminal."""

from __future__ import annotations

import ast
import sys
import warnings

from mindport.source.format_places import place_format_fields

# What `ast.parse` raises for text that is no Python, or nested too deeply.
SYNTAX_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)

# Whether the parser does not tell where things in f-strings stand.
_PLACES_ARE_LOST = sys.version_info < (3, 12)


def parse_tree(text: str) -> ast.Module:
    """The tree of a text. Raises one of SYNTAX_ERRORS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    if _PLACES_ARE_LOST:
        place_format_fields(tree, text)
    return tree


def parse_statements(text: str) -> list[ast.stmt]:
    """The statements of a text. Raises one of SYNTAX_ERRORS."""
    return parse_tree(text).body


def parse_expression(text: str) -> ast.expr:
    """The expression that a text is. Raises one of SYNTAX_ERRORS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expression = ast.parse(text, mode="eval")
    if _PLACES_ARE_LOST:
        place_format_fields(expression, text)
    return expression.body
