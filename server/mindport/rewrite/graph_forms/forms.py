"""Puts the forms of this package into a converted text."""

from __future__ import annotations

from mindport.rewrite.graph_forms.deleted_names import deleted_names
from mindport.rewrite.graph_forms.devices_in_tuples import devices_in_tuples
from mindport.rewrite.graph_forms.edit import TextEdit
from mindport.rewrite.graph_forms.late_names import late_names
from mindport.rewrite.graph_forms.mapped_functions import mapped_functions
from mindport.rewrite.graph_forms.network_functions import functions_of_module, functions_of_networks
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


def with_graph_forms(text: str) -> str:
    """A converted text with what graph mode refuses written otherwise in what is compiled with its networks, as far as
    the file tells. The same text where there is nothing of that, or where it does not parse."""
    if "mindspore" not in text:
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    edits: set[TextEdit] = set()
    for function in functions_of_networks(tree):
        edits.update(deleted_names(function, lines), late_names(function, lines))
    # Another file may import any function of this one, and the new form is as plain as the old one.
    for function in (*functions_of_networks(tree), *functions_of_module(tree)):
        edits.update(mapped_functions(function, lines), devices_in_tuples(function, lines))
    changed = text
    for edit in sorted(edits, reverse=True):
        changed = changed[: edit.start] + edit.new + changed[edit.end :]
    try:
        parse_tree(changed)
    except SYNTAX_ERRORS:
        return text
    return changed
