"""Parses Python text without letting the parser's warnings about the user's code reach the terminal."""

from __future__ import annotations

import ast
import warnings

# What `ast.parse` raises for text that is no Python, or nested too deeply.
SYNTAX_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


def parse_tree(text: str) -> ast.Module:
    """The tree of a text. Raises one of SYNTAX_ERRORS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_statements(text: str) -> list[ast.stmt]:
    """The statements of a text. Raises one of SYNTAX_ERRORS."""
    return parse_tree(text).body


def parse_expression(text: str) -> ast.expr:
    """The expression that a text is. Raises one of SYNTAX_ERRORS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body
