"""Puts rewrites together: nested ones in one pass, with the imports they need, and never a result that does
not parse.

Works on spans of the original text and not on a concrete syntax tree: the spans are known from the analysis,
and what no rewrite touches is never printed again, so every other byte stays.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from mindport.mapping.converters import is_atom
from mindport.mapping.helper_source import needed_helpers
from mindport.model.finding import Fix
from mindport.model.span import Edit, Span
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.feature_tests import feature_rewrites
from mindport.rewrite.imports import added_imports
from mindport.rewrite.module_classes import class_rewrites
from mindport.rewrite.names import NameScope
from mindport.rewrite.pieces import HelperName, ImportedName, Piece, Rewrite, Shift
from mindport.rewrite.unused_imports import is_package_face, unused_torch_imports
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree, parses
from mindport.source.trees import every_node
from mindport.usage.api_use import FileUsage


class _Node(msgspec.Struct):
    """A rewrite with its names written out and the rewrites inside its holes."""

    rewrite: Rewrite
    pieces: tuple[str | Span, ...]
    inner: dict[Span, list[_Node]]
    statements: tuple[str, ...]
    helpers: tuple[str, ...] = ()

    def alone(self) -> _Node:
        """The same rewrite with nothing in its holes."""
        return msgspec.structs.replace(self, inner={})

    def all_helpers(self) -> set[str]:
        found = set(self.helpers)
        for nodes in self.inner.values():
            for node in nodes:
                found |= node.all_helpers()
        return found

    def all_statements(self) -> set[str]:
        found = set(self.statements)
        for nodes in self.inner.values():
            for node in nodes:
                found |= node.all_statements()
        return found


def compose(
    text: str,
    rewrites: Iterable[Rewrite],
    usage: FileUsage,
    path: str = "",
    kept: Collection[str] = (),
    *,
    is_whole: bool = False,
) -> tuple[Edit, ...]:
    """The edits that make all rewrites at once, with imports added, and torch imports that became unused
    removed, except of the names in `kept`, which other files import from this one. A rewrite that overlaps
    another outside its holes, needs a name the file uses otherwise, or would break the file, is left out.
    Where the file is converted as a whole (`is_whole`), what it asks torch for is answered, too, and torch imports go
    that nothing used before. Empty for a text that does not parse."""
    tree = _tree_of(text)
    if tree is None:
        return ()
    lines = LineIndex(text)
    rewrites = tuple(rewrites)
    classes = class_rewrites(text, rewrites, usage.classes)
    features = feature_rewrites(tree, lines) if is_whole else ()
    scope = NameScope(text, usage)
    roots = _nested((*rewrites, *classes, *features), scope, lines)
    if not roots:
        return ()
    # Without the imports first: this text shows what is still referred to.
    new = apply_edits(text, _expression_edits(roots, lines))
    if not parses(new):
        roots = [root for root in roots if parses(apply_edits(text, _expression_edits([root], lines)))]
        new = apply_edits(text, _expression_edits(roots, lines))
        if not parses(new):
            return ()
    edits = _edits(roots, lines, usage, scope)
    # What a package's `__init__` imports and does not use is its public face.
    also_unused_before = (is_whole or bool(classes)) and not is_package_face(path)
    inserted = {edit.span.line for edit in edits if edit.span.start == edit.span.end and "\n" in edit.text}
    gone = unused_torch_imports(
        lines, tree, new, kept, also_unused_before=also_unused_before, inserted=inserted
    )
    without = _merged([*edits, *gone])
    if gone and parses(apply_edits(text, without)):
        return _expecting(without, lines)
    return _expecting(edits, lines) if parses(apply_edits(text, edits)) else ()


def as_fix(rewrite: Rewrite, text: str, usage: FileUsage) -> Fix | None:
    """One rewrite as a fix of its own, import edits included; None where its names cannot be had in this
    file."""
    lines = LineIndex(text)
    scope = NameScope(text, usage)
    roots = _nested([rewrite], scope, lines)
    if not roots:
        return None
    return Fix(rewrite.title, rewrite.applicability, _expecting(_edits(roots, lines, usage, scope), lines))


def _expecting(edits: Iterable[Edit], lines: LineIndex) -> tuple[Edit, ...]:
    """The edits with the text that they were made for."""
    return tuple(Edit(one.span, one.text, lines.slice(one.span)) for one in edits)


def _tree_of(text: str) -> ast.Module | None:
    try:
        return parse_tree(text)
    except SYNTAX_ERRORS:
        return None


def _nested(rewrites: Iterable[Rewrite], scope: NameScope, lines: LineIndex) -> list[_Node]:
    """Sort the rewrites into each other's holes. The outer one wins; one that is not in a hole of it is left
    out."""
    roots: list[_Node] = []
    ordered = sorted(rewrites, key=lambda one: (one.span.start, (-one.span.end_line, -one.span.end_column)))
    for rewrite in ordered:
        if rewrite.applicability is Applicability.DISPLAY:
            continue
        node = _written(rewrite, scope)
        if node is None or not _is_sound(node, lines):
            continue
        _place(node, roots)
    for root in roots:
        _parenthesise(root, lines)
    return roots


def _parenthesise(node: _Node, lines: LineIndex) -> None:
    """Put parentheses around inner rewrites that fill a hole: the outer one saw a call there, which needs
    none, and the inner one may have made a sum of it."""
    for nodes in node.inner.values():
        for inner in nodes:
            _parenthesise(inner, lines)
    pieces: list[str | Span] = []
    for number, piece in enumerate(node.pieces):
        filling = node.inner.get(piece, []) if isinstance(piece, Span) else []
        fills = len(filling) == 1 and filling[0].rewrite.span == piece
        new = _rendered(filling[0], lines) if fills and not _stands_alone(node.pieces, number) else ""
        if new and not is_atom(new) and parses(f"({new})"):  # an assignment is no operand
            pieces += ("(", piece, ")")
        else:
            pieces.append(piece)
    node.pieces = tuple(pieces)


def _stands_alone(pieces: Sequence[str | Span], number: int) -> bool:
    """Whether brackets, commas or `=` are on both sides of a hole."""
    before = pieces[number - 1] if number else ""
    behind = pieces[number + 1] if number + 1 < len(pieces) else ""
    opened = isinstance(before, str) and before.rstrip()[-1:] in tuple("(,[=")
    closed = isinstance(behind, str) and behind.lstrip()[:1] in tuple("),]")
    return opened and closed


def _place(node: _Node, siblings: list[_Node]) -> bool:
    """Add a rewrite to those before it, or to a hole of the last of them: they come in the order of the text."""
    span = node.rewrite.span
    if siblings and siblings[-1].rewrite.span.overlaps(span):
        sibling = siblings[-1]
        # A rewrite may write a part of the text twice, once more and once less of it: `x.data` and `x`.
        holes = {hole for hole in sibling.rewrite.holes if hole.encloses(span)}
        placed = [_place(node.alone(), sibling.inner.setdefault(hole, [])) for hole in holes]
        return bool(placed) and all(placed)
    siblings.append(node)
    return True


def _written(rewrite: Rewrite, scope: NameScope) -> _Node | None:
    pieces: list[str | Span] = []
    statements: list[str] = []
    helpers: list[str] = []
    for piece in rewrite.pieces:
        if isinstance(piece, ImportedName):
            found = scope.resolve(piece)
            if found is None:
                return None
            pieces.append(found[0])
            if found[1]:
                statements.append(found[1])
        elif isinstance(piece, HelperName):
            for name in () if scope.imports_helper(piece) else needed_helpers(piece.local):
                imported = scope.resolve_helper(HelperName(name))
                if imported is None:
                    return None
                statements += imported
            pieces.append(piece.local)
            helpers.append(piece.local)
        else:
            pieces.append(piece)
    return _Node(rewrite, tuple(pieces), {}, tuple(statements), tuple(helpers))


def _is_sound(node: _Node, lines: LineIndex) -> bool:
    """Whether the new text is one expression by itself, or statements."""
    # A further statement may be in the line.
    text = textwrap.dedent(_rendered(node, lines)).strip().removeprefix("; ")
    if parses(f"(\n{text}\n)") or parses(f"async def f():\n return (\n{text}\n)") or parses(text):
        return True
    start = node.rewrite.span.start
    indent = lines.line_text(start.line)[: start.column]
    if indent.strip():
        return False
    # Statements of a block, or a clause of one: `else:` where its first statement goes.
    around = "if True:\n" if indent else ""
    openings = ("", *(f"{indent}{opening}:\n{indent} pass\n" for opening in ("if True", "try")))
    return any(parses(f"{around}{opening}{indent}{text}") for opening in openings)


def _rendered(node: _Node, lines: LineIndex) -> str:
    return "".join(
        piece if isinstance(piece, str) else _hole(piece, node.inner.get(piece, ()), lines)
        for piece in node.pieces
    )


def _hole(hole: Span, inner: Sequence[_Node], lines: LineIndex) -> str:
    parts: list[str] = []
    position = lines.offset(hole.start)
    for node in inner:
        start, end = lines.offset(node.rewrite.span.start), lines.offset(node.rewrite.span.end)
        parts += (lines.text[position:start], _rendered(node, lines))
        position = end
    parts.append(lines.text[position : lines.offset(hole.end)])
    return "".join(parts)


def _edits(roots: Sequence[_Node], lines: LineIndex, usage: FileUsage, scope: NameScope) -> list[Edit]:
    statements: set[str] = set()
    helpers: set[str] = set()
    for root in roots:
        statements |= root.all_statements()
        helpers |= root.all_helpers()
    lacking = sorted(helpers - usage.module_names)
    needed = dict.fromkeys(one for name in lacking for one in needed_helpers(name))
    definitions = [scope.definition(name) for name in needed if name not in usage.module_names]
    added = added_imports(lines, usage, statements, definitions)
    # Imports may belong where the first expression begins: before what is inserted there.
    return sorted([*added, *_expression_edits(roots, lines)], key=lambda edit: edit.span)


def _expression_edits(roots: Sequence[_Node], lines: LineIndex) -> list[Edit]:
    edits: list[Edit] = []
    for root in roots:
        _collect(root, lines, edits)
    shifts = [shift for root in roots for shift in root.rewrite.shifts if root.rewrite.is_in_order]
    return [*edits, *_shifted(shifts, edits, lines)] if shifts else edits


def _shifted(shifts: Iterable[Shift], edits: Iterable[Edit], lines: LineIndex) -> Iterator[Edit]:
    """The edits that move the further lines of statements with their first one, but for what stands in texts over
    several lines, and what another edit writes anew."""
    written = {
        number
        for edit in edits
        for number in range(edit.span.line + bool(edit.span.column), edit.span.end_line + 1)
    }
    texts = _lines_in_texts(parse_tree(lines.text))
    for shift in shifts:
        for number in range(shift.hole.line + 1, shift.hole.end_line + 1):
            line = lines.line_text(number)
            if number in written or number in texts or not line.strip():
                continue
            if shift.columns > 0:
                yield Edit(Span(number, 0, number, 0), shift.character * shift.columns)
            elif line.startswith(shift.character * -shift.columns):
                yield Edit(Span(number, 0, number, -shift.columns), "")


def _lines_in_texts(tree: ast.Module) -> set[int]:
    """The lines that begin within a text."""
    return {
        number
        for node in every_node(tree)
        if isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))
        for number in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }


def _collect(node: _Node, lines: LineIndex, edits: list[Edit]) -> None:
    """The edits of one rewrite: only what is between the holes where they are in order, the whole span where
    not."""
    if not node.rewrite.is_in_order:
        edits.append(Edit(node.rewrite.span, _rendered(node, lines)))
        return
    position = node.rewrite.span.start
    pending = ""
    for piece in (*node.pieces, None):
        if isinstance(piece, str):
            pending += piece
            continue
        end = node.rewrite.span.end if piece is None else piece.start
        gap = Span(position.line, position.column, end.line, end.column)
        if lines.slice(gap) != pending:
            edits.append(Edit(gap, pending))
        pending = ""
        if piece is not None:
            for inner in node.inner.get(piece, ()):
                _collect(inner, lines, edits)
            position = piece.end


def _merged(edits: Sequence[Edit]) -> list[Edit]:
    """Sorted, with what is inserted into a stretch that is removed moved behind it."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    out: list[Edit] = []
    for edit in ordered:
        last = out[-1] if out else None
        if last is not None and last.span.start <= edit.span.start < last.span.end:
            out[-1] = Edit(last.span, last.text + edit.text.lstrip(", "))
            continue
        out.append(edit)
    return out


__all__ = ["Piece", "as_fix", "compose"]
