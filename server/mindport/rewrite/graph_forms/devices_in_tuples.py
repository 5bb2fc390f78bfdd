"""`b, n, device = *x.shape[:2], x.device`: a device in a tuple confuses graph mode, which then refuses what is done
with the other values, or mixes them up. Where nothing reads the device after a conversion it goes, else it gets a
statement of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node


def devices_in_tuples(function: ast.FunctionDef, lines: LineIndex) -> Iterator[TextEdit]:
    """The edits of each assignment of several values in a function, one of them a device."""
    read = {
        node.id
        for node in every_node(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }
    for node in every_node(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                place = _place_of_device(targets, values)
                new = None if place is None else _without_device(targets, values, place, read, lines)
                start, end = start_of(node, lines), end_of(node, lines)
                indentation = lines.text[lines.line_start(node.lineno) : start]
                if new and not indentation.strip() and "#" not in lines.text[start:end]:
                    newline = "\r\n" if "\r\n" in lines.text else "\n"
                    yield TextEdit(start, end, f"{newline}{indentation}".join(new))


def _place_of_device(targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> int | None:
    """Where the only device stands in both tuples, from the end where something before it is starred."""
    places = [
        place for place, one in enumerate(values) if isinstance(one, ast.Attribute) and one.attr == "device"
    ]
    if len(places) != 1:
        return None
    (place,) = places
    if not _are_starred(targets[:place], values[:place]):
        return place
    behind = len(values) - place - 1
    return None if _are_starred(targets[len(targets) - behind :], values[place + 1 :]) else -behind - 1


def _are_starred(*elements: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for part in elements for one in part)


def _without_device(
    targets: Sequence[ast.expr], values: Sequence[ast.expr], place: int, read: set[str], lines: LineIndex
) -> list[str] | None:
    """The statements that stand for the assignment, None where it stays."""

    def texts(elements: Sequence[ast.expr]) -> list[str]:
        return [written_of(one, lines) for one in elements]

    target, value = targets[place], values[place]
    left = [one for one in targets if one is not target]
    right = [one for one in values if one is not value]
    nodes = [node for one in values for node in every_node(one)]
    if not isinstance(target, ast.Name) or any(
        isinstance(node, ast.NamedExpr) or (isinstance(node, ast.Name) and node.id == target.id)
        for node in nodes
    ):
        return None
    if len(right) == 1 and isinstance(right[0], ast.Starred):
        right = [right[0].value]
        if len(left) == 1:
            return None
    if len(left) == 1 and isinstance(left[0], ast.Starred):
        return None
    written = f"{', '.join(texts(left))} = {', '.join(texts(right))}"
    if not left or not right or "\n" in written:
        return None
    own = [f"{target.id} = {texts([value])[0]}"] if target.id in read else []
    return [*own, written]
