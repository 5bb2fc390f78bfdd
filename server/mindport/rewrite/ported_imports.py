"""Puts helpers in the place of functions that a converted file imports from a library built on torch, where
mindport has them (`registry.libraries.PORTED`): the calls stay as they are."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from mindport.mapping.helper_source import needed_helpers
from mindport.model.span import Position
from mindport.registry.libraries import PORTED
from mindport.rewrite.defined_helpers import definitions_in
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

_ROOTS = frozenset(name.partition(".")[0] for name in PORTED)


def is_replaced(library: str, ported: str) -> bool:
    """Whether helpers stand in `ported`, a text as `with_ported_libraries` gives it, in the place of all that the
    original imports of a library, such as `einops.layers.torch`."""
    root = library.partition(".")[0]
    imported = rf"^[ \t]*(?:from|import)[ \t]+{re.escape(root)}\b"
    return root in _ROOTS and re.search(imported, ported, re.MULTILINE) is None


def with_ported_libraries(text: str) -> str:
    """`text` with its imports of such functions replaced, and the members of a library that is imported as a whole. The
    same text where there is none, or where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    bound: dict[str, str] = {}  # local name -> helper
    place = 0
    edits: list[TextEdit] = []
    for node in tree.body:
        if not _is_heading(node):
            break
        start, place = lines.line_start(node.lineno), _line_behind(node, lines)
        if not isinstance(node, ast.ImportFrom) or node.level or node.col_offset:
            continue
        ported = {
            alias.asname or alias.name: PORTED.get(f"{node.module}.{alias.name}", "") for alias in node.names
        }
        if any(ported.values()):
            left = [alias for alias in node.names if not ported[alias.asname or alias.name]]
            kept = ast.unparse(ast.ImportFrom(node.module, left, 0)) + newline if left else ""
            edits.append(TextEdit(start, place, kept))
            bound.update({local: helper for local, helper in ported.items() if helper})
    inner: dict[str, str] = {}  # the helpers that are named where they are imported or called
    for part in every_node(tree):
        if isinstance(part, ast.ImportFrom) and not part.level and not _covers(edits, lines, part):
            ported = {
                one.asname or one.name: PORTED.get(f"{part.module}.{one.name}", "") for one in part.names
            }
            if any(ported.values()):
                edits.append(_assigned(part, ported, lines))
                place = min(place, _line_of_top(part, tree, lines))
                inner.update({helper: helper for helper in ported.values() if helper})
    calls, imports = _members(tree, lines)
    edits += [*calls.values(), *imports]
    inner.update({edit.new: edit.new for edit in calls.values()})
    bound.update(inner)
    guarded = [one for node in tree.body if (one := _guarded_import(node)) is not None]
    bound.update({helper: helper for _, helper in guarded})
    if not bound:
        return text
    for value, helper in guarded:
        start, end = (lines.offset(one) for one in _ends(value, lines))
        edits.append(TextEdit(start, end, f"{helper}, True"))
    edits.append(TextEdit(place, place, _block(text, bound).replace("\n", newline)))
    return with_edits(text, edits)


def _covers(edits: Iterable[TextEdit], lines: LineIndex, node: ast.stmt) -> bool:
    start = start_of(node, lines)
    return any(edit.start <= start < edit.end for edit in edits)


def _line_of_top(node: ast.stmt, tree: ast.Module, lines: LineIndex) -> int:
    """Where the statement of the file begins that a node is in: a `try:` around it runs before what is below it."""
    around = (one for one in tree.body if one.lineno <= node.lineno <= (one.end_lineno or one.lineno))
    return lines.line_start(next(around).lineno)


def _assigned(node: ast.ImportFrom, ported: Mapping[str, str], lines: LineIndex) -> TextEdit:
    """An import inside of something, `from einops import rearrange`, as `rearrange = einops_transform`."""
    names = [local for local, helper in ported.items() if helper]
    left = [alias for alias in node.names if not ported[alias.asname or alias.name]]
    indent = " " * node.col_offset
    kept = f"{ast.unparse(ast.ImportFrom(node.module, left, 0))}\n{indent}" if left else ""
    value = f"{', '.join(names)} = {', '.join(ported[name] for name in names)}"
    return TextEdit(start_of(node, lines), end_of(node, lines), kept + value)


def _members(tree: ast.Module, lines: LineIndex) -> tuple[dict[int, TextEdit], list[TextEdit]]:
    """The helpers for what is called as a member, `einops.repeat(x, ...)`, by their places, and the edits of imports
    of the library that nothing needs any more."""
    imports = [
        (node, alias)
        for node in every_node(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name.partition(".")[0] in _ROOTS
    ]
    local = {alias.asname or alias.name.partition(".")[0]: alias for _, alias in imports}
    uses = [node for node in every_node(tree) if isinstance(node, ast.Name) and node.id in local]
    calls: dict[int, TextEdit] = {}
    replaced: Counter[str] = Counter()
    for node in every_node(tree):
        if not isinstance(node, ast.Attribute):
            continue
        root, _, rest = ast.unparse(node).partition(".")
        if root in local:
            alias = local[root]
            helper = PORTED.get(f"{alias.name if alias.asname else root}.{rest}", "")
            if helper:
                start = start_of(node, lines)
                calls[start] = TextEdit(start, end_of(node, lines), helper)
                replaced[root] += 1
    counted = Counter(node.id for node in uses)
    gone = {name for name, count in counted.items() if replaced[name] == count}
    edits = []
    for node in dict.fromkeys(node for node, _ in imports):
        left = [one for one in node.names if (one.asname or one.name.partition(".")[0]) not in gone]
        if len(left) == len(node.names):
            continue
        if left or node.col_offset:
            text = ast.unparse(ast.Import(left)) if left else "pass"
            edits.append(TextEdit(start_of(node, lines), end_of(node, lines), text))
        else:
            edits.append(TextEdit(lines.line_start(node.lineno), _line_behind(node, lines), ""))
    return calls, edits


def _guarded_import(node: ast.stmt) -> tuple[ast.expr, str] | None:
    """The call in `Rearrange, has_it = optional_import("einops.layers.torch", name="Rearrange")`, and the helper."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    call, (target, *others) = node.value, node.targets
    is_pair = not others and isinstance(target, ast.Tuple) and len(target.elts) == 2
    if not is_pair or not isinstance(call.func, ast.Name) or call.func.id != "optional_import":
        return None
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    asked = (call.args[0] if call.args else None, keywords.get("name"))
    parts = [one.value for one in asked if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    helper = PORTED.get(".".join(parts), "") if len(parts) == 2 else ""
    return (call, helper) if helper else None


def _ends(node: ast.expr, lines: LineIndex) -> tuple[Position, Position]:
    end = node.end_lineno or node.lineno
    return (
        Position(node.lineno, lines.column_of_byte(node.lineno, node.col_offset)),
        Position(end, lines.column_of_byte(end, node.end_col_offset or 0)),
    )


def _is_heading(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, (ast.Import, ast.ImportFrom, ast.Try))


def _line_behind(node: ast.stmt, lines: LineIndex) -> int:
    last = node.end_lineno or node.lineno
    return lines.line_start(last + 1) if last < lines.line_count else len(lines.text)


def _block(text: str, bound: dict[str, str]) -> str:
    """The imports and definitions of the helpers, as far as the file lacks them, and their names in this file."""
    present = text.splitlines()
    needed = dict.fromkeys(one for helper in bound.values() for one in needed_helpers(helper))
    lacking = [
        name
        for name in needed
        if not any(line.startswith((f"def {name}(", f"class {name}(")) for line in present)
    ]
    statements, definitions = definitions_in(text, lacking)
    block = "".join(f"{statement}\n" for statement in statements if statement not in present)
    block += "".join(f"\n\n{one}" for one in definitions)
    names = "".join(f"{local} = {helper}\n" for local, helper in bound.items() if local != helper)
    return f"{block}\n\n{names}"
