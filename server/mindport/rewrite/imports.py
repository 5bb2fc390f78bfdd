"""Import statements: writing the ones new text needs, and taking out those of torch that nothing refers to
any more."""

from __future__ import annotations

import ast
import copy
from collections.abc import Container, Iterable, Sequence

from mindport.model.span import Edit, Position, Span
from mindport.rewrite.apply import apply_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression, parse_statements, parse_tree
from mindport.usage.api_use import FileUsage, ImportBinding


def added_imports(
    lines: LineIndex, usage: FileUsage, statements: Iterable[str], definitions: Sequence[str] = ()
) -> list[Edit]:
    """The edits that import what `statements` say: names join an existing `from x import ...`, the rest go
    below the first block of imports, and `definitions` (of helpers) below them."""
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
    new_lines += [f"\n\n{definition.rstrip()}" for definition in definitions]
    if new_lines:
        edits.append(_inserted(lines, usage, new_lines))
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


def _inserted(lines: LineIndex, usage: FileUsage, new_lines: Sequence[str]) -> Edit:
    text = "".join(f"{line}\n" for line in new_lines)
    line = _line_behind_imports(lines, usage)
    start = lines.line_start(line)
    if start >= len(lines.text) and lines.text and lines.text[-1] not in "\r\n":
        end = lines.position(len(lines.text))
        return Edit(Span(end.line, end.column, end.line, end.column), "\n" + text.rstrip("\n"))
    return Edit(Span(line, 0, line, 0), text)


def _line_behind_imports(lines: LineIndex, usage: FileUsage) -> int:
    """The line below the first block of unconditional imports; below docstring and comments where there is
    none."""
    statements = sorted({binding.statement for binding in usage.imports if binding.statement.column == 0})
    last: Span | None = None
    for statement in statements:
        if last is not None and not _is_blank(lines, last.end, statement.start):
            break
        last = statement
    if last is not None:
        shares_its_line = lines.line_text(last.end_line)[last.end_column :].lstrip().startswith(";")
        return last.line if shares_its_line else last.end_line + 1
    return _line_behind_docstring(lines)


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


def unused_torch_imports(
    lines: LineIndex,
    usage: FileUsage,
    tree: ast.Module,
    new_tree: ast.Module,
    kept: Container[str] = (),
    *,
    also_unused_before: bool = False,
) -> list[Edit]:
    """The edits that take out torch imports which the file (`tree`) used before and the new one does not,
    except of the names in `kept`. A file that is to run without torch loses those that nothing used before, too
    (`also_unused_before`)."""
    candidates = [
        binding
        for binding in usage.imports
        if (binding.used or also_unused_before)
        and binding.name != "*"
        and binding.local not in kept
        and _is_torch(binding.module)
    ]
    if not candidates:
        return []
    used = used_names(new_tree)
    used -= {b.local for b in candidates if b.local in used and not _is_read_as_imported(b.local, new_tree)}
    removable = _removable_statements(tree)
    edits: list[Edit] = []
    by_statement: dict[Span, list[ImportBinding]] = {}
    for binding in usage.imports:
        by_statement.setdefault(binding.statement, []).append(binding)
    for statement, bindings in by_statement.items():
        gone = [b for b in bindings if b in candidates and b.local not in used]
        if not gone or statement.line not in removable:
            continue
        if len(gone) == len(bindings):
            edits.append(_without_statement(lines, statement))
        else:
            edits += _without_names(bindings, gone)
    return edits


def without_unused_torch(text: str, usage: FileUsage, path: str, kept: Container[str]) -> str:
    """`text` without the torch imports that it does not use, except of the names in `kept`. A package's `__init__`
    stays as it is: what it imports is its public face."""
    if is_package_face(path):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    edits = unused_torch_imports(LineIndex(text), usage, tree, tree, kept, also_unused_before=True)
    return apply_edits(text, edits) if edits else text


def is_package_face(path: str) -> bool:
    """Whether a file is the `__init__` of a package."""
    return path.replace("\\", "/").endswith("__init__.py")


def _is_torch(module: str) -> bool:
    return module.split(".")[0] in ("torch", "torchvision", "torchaudio")


def used_names(tree: ast.Module) -> frozenset[str]:
    """Every name the text refers to, in `__all__` and in annotations within quotes too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 400:
            names.update(_names_in_string(node.value))
    return frozenset(names)


def _is_read_as_imported(name: str, tree: ast.Module) -> bool:
    """Whether anything may mean the import by an imported name: where the module defines the name again, as in
    `class Linear(Linear)`, only the definition and what is above it can."""
    for number, node in enumerate(tree.body):
        above = tree.body[:number]
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            header = copy.copy(node)
            header.body = []
            return name in used_names(ast.Module([*above, header], []))
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets):
            return name in used_names(ast.Module([*above, ast.Expr(node.value)], []))
    return True


def _names_in_string(text: str) -> set[str]:
    try:
        tree = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _removable_statements(tree: ast.Module) -> frozenset[int]:
    """The lines of import statements that stand in the module itself, alone on their line: taking one of a
    `try` away would leave an empty block."""
    body = tree.body
    starts: dict[int, int] = {}
    for node in body:
        for line in {node.lineno, node.end_lineno or node.lineno}:
            starts[line] = starts.get(line, 0) + 1
    return frozenset(
        node.lineno
        for node in body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and starts[node.lineno] == 1
        and starts[node.end_lineno or node.lineno] == 1
    )


def _without_statement(lines: LineIndex, statement: Span) -> Edit:
    if statement.end_line >= lines.line_count:
        end = lines.position(len(lines.text))
        return Edit(Span(statement.line, 0, end.line, end.column), "")
    return Edit(Span(statement.line, 0, statement.end_line + 1, 0), "")


def _without_names(bindings: Sequence[ImportBinding], gone: Sequence[ImportBinding]) -> list[Edit]:
    """Take single names out of a statement, each with the comma before it, the first ones with the comma
    behind."""
    ordered = sorted(bindings, key=lambda binding: binding.alias)
    edits: list[Edit] = []
    seen_kept = False
    for number, binding in enumerate(ordered):
        if binding not in gone:
            seen_kept = True
            continue
        if seen_kept:
            start, end = ordered[number - 1].alias.end, binding.alias.end
        else:
            start, end = binding.alias.start, ordered[number + 1].alias.start
        edits.append(Edit(Span(start.line, start.column, end.line, end.column), ""))
    return edits
