"""Puts helpers in the place of functions that a converted file imports from a library built on torch, where
mindport has them (`registry.libraries.PORTED`): the calls stay as they are."""

from __future__ import annotations

import ast

from mindport.mapping.helper_source import helper_imports, helper_source, needed_helpers
from mindport.model.span import Position
from mindport.registry.libraries import PORTED
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


def with_ported_libraries(text: str) -> str:
    """`text` with its unconditional imports of such functions replaced. The same text where there is none, or where it
    does not parse."""
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
    guarded = [one for node in tree.body if (one := _guarded_import(node)) is not None]
    bound.update({helper: helper for _, helper in guarded})
    if not bound:
        return text
    for value, helper in guarded:
        start, end = (lines.offset(one) for one in _ends(value, lines))
        edits.append(TextEdit(start, end, f"{helper}, True"))
    edits.append(TextEdit(place, place, _block(text, bound).replace("\n", newline)))
    return with_edits(text, edits)


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
    statements = dict.fromkeys(statement for name in needed for statement in helper_imports(name))
    block = "".join(f"{statement}\n" for statement in statements if statement not in present)
    for name in needed:
        if not any(line.startswith((f"def {name}(", f"class {name}(")) for line in present):
            block += f"\n\n{helper_source(name)}"
    names = "".join(f"{local} = {helper}\n" for local, helper in bound.items() if local != helper)
    return f"{block}\n\n{names}"
