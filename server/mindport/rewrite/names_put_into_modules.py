"""Lets a module read a name of torch where others of the project put their own there, `learner.DataLoader = in_order`:
what the module imported from torch becomes a function of its own, so that the name is no longer torch's anywhere. The
result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from mindport.rewrite.imports import behind_imports, names_in_strings, used_names
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node

# setattr(learner, "DataLoader", f), mock.patch.object(learner, "DataLoader")
_SETTERS = ("setattr", "object")


def names_put_into_modules(texts: Mapping[str, str]) -> dict[str, list[TextEdit]]:
    """The edits of the texts of a project, by their paths; none for a module that does anything but call the name."""
    put: dict[str, set[str]] = {}
    for text in texts.values():
        for module, name in _put(text):
            put.setdefault(module, set()).add(name)
    found = {path: _edits(text, put.get(module_name(path), set())) for path, text in texts.items()}
    return {path: edits for path, edits in found.items() if edits}


def module_name(path: str) -> str:
    """What a file is called at the end of the name that it is imported by."""
    found = PurePath(path)
    return found.parent.name if found.name == "__init__.py" else found.stem


def _put(text: str) -> Iterator[tuple[str, str]]:
    """The modules that a text puts something into, each by the last part of its name, and the names it puts there."""
    tree = parsed(text)
    if tree is None:
        return
    modules = imported_names(tree)
    modules |= _gone_through(tree, modules)
    for node in every_node(tree):
        match node:
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store()):
                pass
            case ast.Call(
                func=ast.Name(id=setter) | ast.Attribute(attr=setter),
                args=[owner, ast.Constant(value=str(name)), *_],
            ) if setter in _SETTERS:
                pass
            case ast.Call(
                func=ast.Name(id="patch") | ast.Attribute(attr="patch" | "setattr"),
                args=[ast.Constant(value=str(whole)), *_],
            ) if whole.count("."):
                yield whole.split(".")[-2], whole.split(".")[-1]
                continue
            case _:
                continue
        yield from ((module, name) for module in modules.get(ast.unparse(owner), ()))


def imported_names(tree: ast.Module) -> dict[str, set[str]]:
    """What a file calls what it imports -> the last part of its name."""
    found: dict[str, set[str]] = {}
    for node in every_node(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, set()).add(alias.name.rpartition(".")[2])
    return found


def _gone_through(tree: ast.Module, modules: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The names that a loop over modules gives them: `for module in (reader, writer):`."""
    found: dict[str, set[str]] = {}
    for node in every_node(tree):
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=items) | ast.List(elts=items)):
                for item in items:
                    found.setdefault(name, set()).update(modules.get(ast.unparse(item), ()))
    return found


def _edits(text: str, names: set[str]) -> list[TextEdit]:
    """The edits that make functions of the module of those of `names` that it has from torch and calls only."""
    tree = parsed(text) if names else None
    if tree is None:
        return []
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    place, functions, edits = behind_imports(text), "", []
    for statement, alias in _from_torch(tree.body):
        name = alias.asname or alias.name
        if name not in names or not _is_only_called(tree, name):
            continue
        end = lines.line_start(alias.end_lineno or alias.lineno) + lines.column_of_byte(
            alias.end_lineno or alias.lineno, alias.end_col_offset or 0
        )
        start = end - len(name) if alias.asname else end
        edits.append(TextEdit(start, end, f"_{name}" if alias.asname else f" as _{name}"))
        place = max(place, _line_behind(statement, lines))
        functions += newline.join(
            ["", "", f"def {name}(*args, **kwargs):", f"    return _{name}(*args, **kwargs)", ""]
        )
    return [*edits, TextEdit(place, place, functions)] if edits else []


def _line_behind(node: ast.stmt, lines: LineIndex) -> int:
    """Where the line below a statement begins."""
    last = node.end_lineno or node.lineno
    return lines.line_start(last + 1) if last < lines.line_count else len(lines.text)


def _from_torch(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.alias]]:
    """What statements at the top of a module import from torch by name, with the statements."""
    for node in body:
        if (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and (node.module or "").partition(".")[0] == "torch"
        ):
            yield from ((node, alias) for alias in node.names)


def _is_only_called(tree: ast.Module, name: str) -> bool:
    """Whether a module does nothing with a name but call it, and has none that is called as the new one would be."""
    called = {id(node.func) for node in every_node(tree) if isinstance(node, ast.Call)}
    used = [node for node in every_node(tree) if isinstance(node, ast.Name) and node.id == name]
    is_free = not {name, f"_{name}"} & names_in_strings(tree) and f"_{name}" not in used_names(tree)
    return bool(used) and is_free and all(id(node) in called for node in used)


def parsed(text: str) -> ast.Module | None:
    """The tree of a text; None where Python refuses it."""
    try:
        return parse_tree(text)
    except SYNTAX_ERRORS:
        return None
