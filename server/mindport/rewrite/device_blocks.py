"""Opens blocks under `with torch.device("cuda"):`, which put what is made in them on a device. Where tensors lie is
MindSpore's affair, and it has no such blocks. The result is torch, still."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree, with_edits
from mindport.source import trees
from mindport.source.lines import LineIndex
from mindport.source.syntax import parses
from mindport.source.written_names import dotted_text


def device_blocks(text: str) -> list[TextEdit]:
    """The edits that write the bodies of such blocks in their place, and leave devices out among other contexts; none
    where the text does not parse. They only take text away."""
    if "torch" not in text or "with " not in text:
        return []
    edits = edits_of_tree(text, _edits)
    return sorted(edits) if parses(with_edits(text, edits)) else []


def _edits(tree: ast.Module, lines: LineIndex) -> list[TextEdit]:
    devices = _devices(tree)
    edits: list[TextEdit] = []
    columns: Counter[int] = Counter()  # by line: how many are taken away at its start
    for node in trees.every_node(tree):
        if not isinstance(node, ast.With):
            continue
        left = [item for item in node.items if not _is_device(item, devices)]
        if not left:
            edits.append(_head(node, lines))
            columns.update(_moved(node, lines))
        elif len(left) < len(node.items):
            edits += _without_items(node, left, lines)
    gone = {edit.start for edit in edits}
    for line, count in columns.items():
        start = lines.line_start(line)
        if start not in gone:
            edits.append(TextEdit(start, start + count, ""))
    return edits


def _devices(tree: ast.Module) -> set[str]:
    """The names and attributes that hold a device of torch wherever the file binds them."""
    found: set[str] = set()
    others: set[str] = set()
    for node in trees.every_node(tree):
        match node:
            case ast.Assign(targets=[target], value=value) if name := dotted_text(target):
                is_device = dotted_text(value) in found or _makes_device(value)
                (found if is_device else others).add(name)
            case ast.arg(arg=name, annotation=annotation):
                (found if dotted_text(annotation) == "torch.device" else others).add(name)
    return found - others


def _makes_device(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=called):
            return dotted_text(called) == "torch.device"
        case ast.IfExp(body=one, orelse=other):
            return _makes_device(one) and _makes_device(other)
    return False


def _is_device(item: ast.withitem, devices: set[str]) -> bool:
    context = item.context_expr
    return item.optional_vars is None and (_makes_device(context) or dotted_text(context) in devices)


def _head(node: ast.With, lines: LineIndex) -> TextEdit:
    """The edit that takes the head of a block away: its lines, or what stands before a comment or its only line."""
    colon = lines.text.index(":", end_of(node.items[-1].context_expr, lines))
    last = lines.position(colon).line
    behind = lines.text[colon + 1 : lines.line_start(last) + len(lines.line_text(last))]
    if behind.strip():
        return TextEdit(start_of(node, lines), colon + 1 + len(behind) - len(behind.lstrip()), "")
    return TextEdit(lines.line_start(node.lineno), lines.line_start(last + 1), "")


def _moved(node: ast.With, lines: LineIndex) -> dict[int, int]:
    """By line of the body: by how many columns it comes to stand further left. The inside of a text stays."""
    colon = lines.text.index(":", end_of(node.items[-1].context_expr, lines))
    first, last = lines.position(colon).line + 1, node.end_lineno or node.lineno
    inside = {
        line
        for one in trees.every_node(node)
        if isinstance(one, (ast.Constant, ast.JoinedStr)) and one.end_lineno
        for line in range(one.lineno + 1, one.end_lineno + 1)
    }
    step = node.body[0].col_offset - node.col_offset
    moved: dict[int, int] = {}
    for line in range(first, last + 1):
        text = lines.line_text(line)
        if line not in inside and text.strip():
            moved[line] = min(step, len(text) - len(text.lstrip()))
    return moved


def _without_items(node: ast.With, left: list[ast.withitem], lines: LineIndex) -> Iterator[TextEdit]:
    """The edits that leave some contexts of a block out, each with the comma before it, or behind the first ones."""
    kept = [any(item is one for one in left) for item in node.items]
    first = kept.index(True)
    if first:
        start = start_of(node.items[0].context_expr, lines)
        yield TextEdit(start, start_of(node.items[first].context_expr, lines), "")
    for at in range(first + 1, len(node.items)):
        if not kept[at]:
            before, item = node.items[at - 1], node.items[at]
            start = end_of(before.optional_vars or before.context_expr, lines)
            yield TextEdit(start, end_of(item.context_expr, lines), "")
