"""Puts the forms of this package into a converted text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mindport.rewrite.graph_forms.deleted_names import deleted_names
from mindport.rewrite.graph_forms.devices_in_tuples import devices_in_tuples
from mindport.rewrite.graph_forms.late_names import late_names
from mindport.rewrite.graph_forms.mapped_functions import mapped_functions
from mindport.rewrite.graph_forms.network_functions import functions_of_module, functions_of_networks
from mindport.rewrite.graph_forms.reversed_sequences import reversed_sequences
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


def with_graph_forms(text: str) -> str:
    """A converted text with what graph mode refuses written otherwise in what is compiled with its networks, as far as
    the file tells. The same text where there is nothing of that, or where it does not parse."""
    if "mindspore" not in text:
        return text
    changed = _edited(text, _statements_and_maps)
    return _edited(changed, _reversals) if "reversed(" in changed else changed


def _statements_and_maps(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for function in functions_of_networks(tree):
        yield from deleted_names(function, lines)
        yield from late_names(function, lines)
    # Another file may import any function of this one, and the new form is as plain as the old one.
    for function in (*functions_of_networks(tree), *functions_of_module(tree)):
        yield from mapped_functions(function, lines)
        yield from devices_in_tuples(function, lines)


def _reversals(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    """By themselves, because they may lie inside of the others."""
    for function in functions_of_networks(tree):
        yield from reversed_sequences(function, lines)


def _edited(text: str, edits_of: Callable[[ast.Module, LineIndex], Iterator[TextEdit]]) -> str:
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    changed = with_edits(text, set(edits_of(tree, LineIndex(text))))
    try:
        parse_tree(changed)
    except SYNTAX_ERRORS:
        return text
    return changed
