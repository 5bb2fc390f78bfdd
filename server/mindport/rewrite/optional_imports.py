"""Lets a converted file be imported without torch, where torch, or a library that needs it, is left over in parts that
are not used when the file is imported: what needs it says so when it is called, and the rest of the file works."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator, Sequence

from mindport.mapping.helper_source import helper_source
from mindport.model.span import Position
from mindport.registry.libraries import needs_torch
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.torch_model import TORCH_ROOTS

STAND_IN = "TorchMissing"
"""The helper that stands for a name of torch which is only mentioned when the file is imported."""

_Import = ast.Import | ast.ImportFrom
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def with_optional_torch(text: str, own: Collection[str] = ()) -> str:
    """`text` with its unconditional torch imports in `try`, as far as nothing that runs when the file is imported
    needs more of them than a name: a base class, a decorator, a default, an annotation. A script, which nothing
    imports, may only need them in branches. `own` are packages of the project, which may be such a library itself. The
    same text where there is none, or where it does not parse."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    defines = _is_library(tree)
    at_import = _names_at_import(tree) if defines else {}
    needed = {name for name, is_more in at_import.items() if is_more}
    if not defines:
        needed = _names_outside_branches(tree)
    tested = _names_in_class_tests(tree)
    read = {node.id for node in every_node(tree) if isinstance(node, ast.Name)}
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    shared = {one.lineno for one, other in itertools.pairwise(tree.body) if one.end_lineno == other.lineno}
    first = len(text)
    has_stand_in = False
    places = {id(node): statement.lineno for statement in tree.body for node in every_node(statement)}
    for node in reversed(list(_imports(tree))):
        of_torch, others = _parted(node, own)
        if not of_torch:
            continue
        bound = _bound(node, of_torch)
        if node.lineno in shared or "*" in bound or needed.intersection(bound):
            continue
        if not defines and not read.intersection(bound):
            continue  # kept for others, which need it
        # What nobody reads here is kept for other files.
        named = [name for name in bound if name in at_import or name in tested or name not in read]
        last = node.end_lineno or node.lineno
        start = lines.line_start(node.lineno)
        end = lines.line_start(last + 1) if last < lines.line_count else len(text)
        statement, beside = text[start:end], ""
        if others:  # they are imported for certain, and keep the comment
            column = lines.column_of_byte(last, node.end_col_offset or 0)
            comment = text[lines.offset(Position(last, column)) : end]
            indent = statement[: node.col_offset]
            beside = f"{indent}{ast.unparse(ast.Import(others))}{comment}"
            statement = f"{indent}{ast.unparse(ast.Import(of_torch))}"
        optional = _optional(statement, node.col_offset, bound, named, newline)
        text = text[:start] + beside + optional + text[end:]
        outermost = lines.line_start(places[id(node)])
        has_stand_in, first = has_stand_in or bool(named), min(first, outermost)
    if has_stand_in and STAND_IN not in {getattr(node, "name", "") for node in tree.body}:
        definition = helper_source(STAND_IN).replace("\n", newline)
        gap = "" if not text[:first].strip() else newline * 2
        text = text[:first] + gap + definition + newline * 2 + text[first:]
    return text


def is_library(text: str) -> bool:
    """Whether a text defines something that others import, so that it can do without torch where that is left over."""
    try:
        return _is_library(parse_tree(text))
    except SYNTAX_ERRORS:
        return False


def mentions_at_import(text: str) -> dict[Position, bool]:
    """The places of the names that are read when the file is imported, each with whether the name, or the dotted one
    that it begins, is only mentioned there."""
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return {}
    lines = LineIndex(text)
    return {
        Position(node.lineno, lines.column_of_byte(node.lineno, node.col_offset)): is_mention
        for node, is_mention in _read_at_import(tree)
    }


def _is_library(tree: ast.Module) -> bool:
    """Whether the file defines something that others import: classes, functions, names of types and constants, or what
    it imports itself, as a package's face does."""
    if any(isinstance(node, _Definition) for node in tree.body):
        return True
    running = [
        node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom, ast.If, ast.Try))
    ]
    named = [node for node in running if isinstance(node, (ast.Assign, ast.AnnAssign))]
    texts = [node for node in running if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    calls = [call for node in named for call in every_node(node) if isinstance(call, ast.Call)]
    is_plain = all(isinstance(call.func, ast.Name) and call.func.id[:1].isupper() for call in calls)
    if all(isinstance(node, (ast.Import, ast.ImportFrom)) or node in texts for node in tree.body):
        return any(isinstance(node, ast.ImportFrom) and node.level for node in tree.body)
    return bool(named) and is_plain and len(running) == len(named) + len(texts)


def _imports(tree: ast.Module) -> Iterator[_Import]:
    """The unconditional imports, and those that are the last resort of an import in `try`."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.Try) and any(
            isinstance(one, ast.ImportFrom | ast.Import) for one in node.body
        ):
            for handler in node.handlers:
                yield from (one for one in handler.body if isinstance(one, (ast.Import, ast.ImportFrom)))


def _parted(node: _Import, own: Collection[str]) -> tuple[list[ast.alias], list[ast.alias]]:
    """What an import takes from torch or of what needs it, and what else it imports (`import os, torch`)."""
    if isinstance(node, ast.ImportFrom):
        return (node.names, []) if not node.level and _is_torch(node.module or "", own) else ([], node.names)
    of_torch = [alias for alias in node.names if _is_torch(alias.name, own)]
    return of_torch, [alias for alias in node.names if alias not in of_torch]


def _is_torch(module: str, own: Collection[str]) -> bool:
    root = module.partition(".")[0]
    return root in TORCH_ROOTS or (needs_torch(module) and root not in own)


def _bound(node: _Import, of_torch: Sequence[ast.alias]) -> dict[str, str]:
    """The names that an import binds of torch, each with what it stands for there."""
    if isinstance(node, ast.ImportFrom):
        return {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in of_torch}
    return {
        alias.asname or alias.name.split(".")[0]: alias.name if alias.asname else alias.name.split(".")[0]
        for alias in of_torch
    }


def _optional(statement: str, column: int, bound: dict[str, str], named: Sequence[str], newline: str) -> str:
    indent, body = statement[:column], statement.strip()
    missing = [f'    {name} = {STAND_IN}("{bound[name]}")' for name in named]
    nothing = [name for name in bound if name not in named]
    if nothing:
        missing.append(f"    {' = '.join([*nothing, 'None'])}  # not ported yet")
    lines = ["try:", f"    {body}", "except ImportError:", *missing]
    return "".join(f"{indent}{line}{newline}" for line in lines)


def _names_at_import(tree: ast.Module) -> dict[str, bool]:
    """The names that are read when the file is imported, each with whether more is done for certain than to mention it
    or a part of it."""
    found: dict[str, bool] = {}
    for node, is_mention in _read_at_import(tree):
        found[node.id] = found.get(node.id, False) or not is_mention
    return found


def _names_outside_branches(tree: ast.Module) -> set[str]:
    """The names that a script reads whatever its conditions are."""
    parents = {child: node for node in every_node(tree) for child in children(node)}
    names = (node for node in every_node(tree) if isinstance(node, ast.Name))
    return {name.id for name in names if not _is_in_branch(name, parents)}


def _read_at_import(tree: ast.Module) -> Iterator[tuple[ast.Name, bool]]:
    """The names that are read when the file is imported, each time with whether that only mentions them."""
    parents = {child: node for node in every_node(tree) for child in children(node)}
    for node in _run_at_import(tree):
        if isinstance(node, ast.Name):
            top: ast.AST = node
            while isinstance(parents[top], ast.Attribute):
                top = parents[top]
            yield node, _is_mention(top, parents) or _is_in_branch(node, parents)


def _is_in_branch(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether code runs only where a condition says so, as what is for several processes, or builds kernels where there
    is a GPU: until then nothing is missing."""
    while not isinstance(node, ast.Module):
        parent = parents[node]
        if isinstance(parent, ast.BoolOp) and node is not parent.values[0]:
            return True
        if isinstance(parent, (ast.If, ast.IfExp)) and node is not parent.test and not _is_main_guard(parent):
            return True
        node = parent
    return False


def _names_in_class_tests(tree: ast.Module) -> set[str]:
    """The names that stand for classes in `isinstance` and `issubclass`: nothing is an instance of a missing class, but
    None is no class to ask for."""
    calls = (node for node in every_node(tree) if isinstance(node, ast.Call) and len(node.args) > 1)
    tests = (call.args[1] for call in calls if ast.unparse(call.func) in ("isinstance", "issubclass"))
    return {name.id for test in tests for name in every_node(test) if isinstance(name, ast.Name)}


def _is_mention(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a dotted name is only handed on: not called, computed with, compared or changed."""
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return False
    parent = parents[node]
    if isinstance(parent, ast.Call):
        return node is not parent.func and ast.unparse(parent.func) not in (
            "isinstance",
            "issubclass",
            "hasattr",
        )
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.BitOr):
        return _is_annotation(parent, parents)
    if isinstance(parent, ast.Subscript):
        return _is_annotation(parent, parents)
    mentioning = (
        *(ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.arguments, ast.arg, ast.keyword),
        *(ast.Dict, ast.Tuple, ast.List, ast.Assign, ast.AnnAssign),
    )
    return isinstance(parent, mentioning)


def _is_annotation(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    while isinstance(parents.get(node), (ast.BinOp, ast.Subscript, ast.Tuple, ast.List)):
        node = parents[node]
    parent = parents.get(node)
    return isinstance(parent, (ast.arg, ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign))


def _run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below `node` that is not in the body of a function, or run as a script only."""
    for name, value in ast.iter_fields(node):
        if name == "body" and (isinstance(node, _Function) or _is_main_guard(node)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _run_at_import(child)


def _is_main_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
