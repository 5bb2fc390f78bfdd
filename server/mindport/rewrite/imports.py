"""Import statements: writing the ones new text needs."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Mapping, Sequence

from mindport.model.span import Edit, Position, Span
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression, parse_statements
from mindport.source.trees import every_node
from mindport.usage.api_use import FileUsage, ImportBinding

_FRAMEWORKS = ("torch", "torchvision", "torchaudio", "mindspore")
_LONGEST = 400  # string that may be an expression


def added_imports(
    lines: LineIndex, usage: FileUsage, statements: Iterable[str], definitions: Sequence[str] = ()
) -> list[Edit]:
    """The edits that import what `statements` say: names join an existing `from x import ...`, the rest go
    to the imports of torch in the first block of imports, else below that block, as `definitions` (of helpers) do."""
    edits: list[Edit] = []
    new_lines: list[str] = []
    joined: dict[str, list[str]] = {}
    for statement in sorted(set(statements)):
        if not statement.startswith("from "):
            new_lines.append(statement)
            continue
        module, _, name = statement.removeprefix("from ").partition(" import ")
        joined.setdefault(module, []).append(name)
    for module, names in joined.items():
        existing = _from_import(usage, module)
        if existing is not None:
            end = existing.alias.end
            place = Span(end.line, end.column, end.line, end.column)
            edits.append(Edit(place, "".join(f", {name}" for name in names)))
        else:
            new_lines.append(f"from {module} import {', '.join(names)}")
    defined = [f"\n\n{definition.rstrip()}" for definition in definitions]
    block = _first_block(lines, usage)
    behind_torch, behind_all = _line_behind_frameworks(lines, block), _line_behind_imports(lines, block)
    if behind_torch != behind_all and new_lines:
        edits.append(_inserted(lines, behind_torch, new_lines))
        new_lines = []
    if new_lines or defined:
        edits.append(_inserted(lines, behind_all, [*new_lines, *defined]))
    return edits


def _from_import(usage: FileUsage, module: str) -> ImportBinding | None:
    """The last name of an unconditional `from module import ...` of the file."""
    found = [
        binding
        for binding in usage.imports
        if binding.module == module and binding.name not in ("", "*") and binding.statement.column == 0
    ]
    if not found:
        return None
    statement = found[0].statement
    return max((one for one in found if one.statement == statement), key=lambda one: one.alias.end)


def _inserted(lines: LineIndex, line: int, new_lines: Sequence[str]) -> Edit:
    text = "".join(f"{line}\n" for line in new_lines)
    start = lines.line_start(line)
    if start >= len(lines.text) and lines.text and lines.text[-1] not in "\r\n":
        end = lines.position(len(lines.text))
        return Edit(Span(end.line, end.column, end.line, end.column), "\n" + text.rstrip("\n"))
    return Edit(Span(line, 0, line, 0), text)


def _first_block(lines: LineIndex, usage: FileUsage) -> dict[Span, list[ImportBinding]]:
    """The first block of unconditional imports: each statement with the names that it binds."""
    statements: dict[Span, list[ImportBinding]] = {}
    for binding in usage.imports:
        if binding.statement.column == 0:
            statements.setdefault(binding.statement, []).append(binding)
    block: dict[Span, list[ImportBinding]] = {}
    last: Span | None = None
    for statement in sorted(statements):
        if last is not None and not _is_blank(lines, last.end, statement.start):
            break
        block[statement] = statements[statement]
        last = statement
    return block


def _line_behind_frameworks(lines: LineIndex, block: Mapping[Span, list[ImportBinding]]) -> int:
    """The line below the first imports of torch or MindSpore in the block, which stand below each other; the line below
    the whole block where it has none, and where a star may bind below them what is imported there."""
    last: Span | None = None
    for statement, bindings in block.items():
        is_below = last is None or statement.line == last.end_line + 1
        if is_below and all(one.module.partition(".")[0] in _FRAMEWORKS for one in bindings):
            last = statement
        elif any(one.name == "*" for one in bindings):
            return _line_behind_imports(lines, block)
    if last is None or _shares_its_line(lines, last):
        return _line_behind_imports(lines, block)
    return last.end_line + 1


def _line_behind_imports(lines: LineIndex, block: Mapping[Span, list[ImportBinding]]) -> int:
    """The line below the block; below docstring and comments where it is empty."""
    if not block:
        return _line_behind_docstring(lines)
    last = max(block)
    return last.line if _shares_its_line(lines, last) else last.end_line + 1


def _shares_its_line(lines: LineIndex, statement: Span) -> bool:
    return lines.line_text(statement.end_line)[statement.end_column :].lstrip().startswith(";")


def _is_blank(lines: LineIndex, start: Position, end: Position) -> bool:
    between = lines.text[lines.offset(start) : lines.offset(end)]
    return all(not line.strip() or line.lstrip().startswith("#") for line in between.splitlines())


def _line_behind_docstring(lines: LineIndex) -> int:
    try:
        body = parse_statements(lines.text)
    except SYNTAX_ERRORS:
        return 1
    line = 1
    for node in body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not is_docstring and not is_future:
            break
        line = (node.end_lineno or node.lineno) + 1
    if line == 1:
        # Keep a `#!` line and a coding line where they must be.
        while lines.line_text(line).startswith("#"):
            line += 1
    return line


def behind_imports(text: str) -> int:
    """Where the line below the docstring and the first imports begins. Raises one of SYNTAX_ERRORS."""
    lines, last = LineIndex(text), 0
    for node in parse_statements(text):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        last = node.end_lineno or node.lineno
    return lines.line_start(last + 1) if last < lines.line_count else len(text)


def used_names(tree: ast.Module) -> frozenset[str]:
    """Every name the text refers to, in `__all__` and in annotations within quotes too."""
    names = {node.id for node in every_node(tree) if isinstance(node, ast.Name)}
    return frozenset(names | names_in_strings(tree))


def names_in_strings(tree: ast.Module) -> set[str]:
    """The names that short strings may refer to: those of expressions, as in quoted annotations, and single names in
    annotations and lists, as in `__all__`. A single name anywhere else is a word, and `--optim` an option."""
    found: set[str] = set()
    for node in every_node(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _may_be_code(node.value):
            found |= _names_in_string(node.value) - {node.value}
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found |= _single_names(*node.elts)
        elif isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            found |= _single_names(*every_node(node.annotation))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            found |= _single_names(*every_node(node.returns))
    return found


def _may_be_code(text: str) -> bool:
    return len(text) < _LONGEST and not text.startswith("-")


def _single_names(*nodes: ast.AST) -> set[str]:
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier()
    }


@functools.lru_cache(maxsize=4096)  # the texts of a file are looked at before and after it is converted
def _names_in_string(text: str) -> frozenset[str]:
    try:
        tree = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return frozenset()
    return frozenset(node.id for node in every_node(tree) if isinstance(node, ast.Name))
