"""Lets a converted file be imported without torch, where torch is left over in bodies of functions only, or is imported
for other files: what needs it says so when it is called, and the rest of the file works."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.usage.torch_model import TORCH_ROOTS

_Import = ast.Import | ast.ImportFrom
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def with_optional_torch(text: str) -> str:
    """`text` with its unconditional torch imports in `try`, as far as nothing that runs when the file is imported
    needs them. The same text where there is none, where the file defines no class, or where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    if not any(isinstance(node, ast.ClassDef) for node in tree.body):
        return text  # a script, or a file that hands torch on
    at_import = {node.id for node in _run_at_import(tree) if isinstance(node, ast.Name)}
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    shared = {one.lineno for one, other in itertools.pairwise(tree.body) if one.end_lineno == other.lineno}
    for node in reversed(tree.body):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or not _is_torch(node):
            continue
        names = [alias.asname or alias.name.split(".")[0] for alias in node.names]
        if node.lineno in shared or "*" in names or at_import.intersection(names):
            continue
        last = node.end_lineno or node.lineno
        start = lines.line_start(node.lineno)
        end = lines.line_start(last + 1) if last < lines.line_count else len(text)
        text = text[:start] + _optional(text[start:end], names, newline) + text[end:]
    return text


def _is_torch(node: _Import) -> bool:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
    return not is_relative and all(module.partition(".")[0] in TORCH_ROOTS for module in modules)


def _optional(statement: str, names: Sequence[str], newline: str) -> str:
    body = statement.rstrip("\r\n")
    nothing = " = ".join([*dict.fromkeys(names), "None"])
    return newline.join(
        ["try:", f"    {body}", "except ImportError:", f"    {nothing}  # not ported yet", ""]
    )


def _run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below `node` that is not in the body of a function."""
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, _Function):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _run_at_import(child)
