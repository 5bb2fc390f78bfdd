"""What of its files a training reaches: a repository carries along scripts that only try a module out, and makers of
networks that nobody calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name, last_name

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

# Decorators that change what a definition does, but do not hand it to a registry.
_PLAIN_DECORATORS = (
    "torch.",
    "functools.",
    "contextlib.",
    "lru_cache",
    "cache",
    "contextmanager",
    "dataclass",
)
_FOREIGN = frozenset(("nn", "torch", "torchvision", "F", "optim", "np", "numpy", "math", "os"))
_LOADERS = frozenset(
    ("import_module", "__import__", "spec_from_file_location", "instantiate", "get_obj_from_str")
)


class Reaching(Protocol):
    """A file with its syntax."""

    path: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]


def loads_by_name(files: Sequence[Reaching]) -> bool:
    """Whether some file imports modules whose names only a run knows."""
    return any(
        isinstance(node, ast.Call) and last_name(node.func) in _LOADERS
        for file in files
        for node in file.nodes
    )


def unreached(
    files: Sequence[Reaching], starts: Collection[str], imported: Collection[str]
) -> dict[str, list[ast.stmt]]:
    """Path -> statements that no training runs. `starts` are the paths of the scripts that train, `imported` those of
    the files of which these use what they name: of any other file everything counts, as it may be loaded by name."""
    definitions = {
        (file.path, node.name): node
        for file in files
        for node in file.tree.body
        if isinstance(node, _Definition)
    }
    aside: dict[str, list[ast.stmt]] = {
        file.path: [node for node in file.tree.body if is_main_guard(node)] if file.path not in starts else []
        for file in files
    }
    looked_up = {path for file in files for path in _looked_up(file, [one.path for one in files])}
    by_name: dict[str, list[tuple[str, str]]] = {}
    for path, name in definitions:
        by_name.setdefault(name, []).append((path, name))
    unknown = {file.path for file in files} - {*starts, *imported}
    waiting: list[tuple[str, ast.AST]] = []
    for file in files:
        for node in file.tree.body:
            is_start = not isinstance(node, _Definition) or file.path in looked_up or file.path in unknown
            if (is_start or is_registered(node)) and node not in aside[file.path]:
                waiting.append((file.path, node))
    reached = {(path, node.name) for path, node in waiting if isinstance(node, _Definition)}
    while waiting:
        path, reader = waiting.pop()
        for name in _read(reader):
            own = (path, name)
            for key in [own] if own in definitions else by_name.get(name, ()):
                if key not in reached:
                    reached.add(key)
                    waiting.append((key[0], definitions[key]))
    return {
        file.path: aside[file.path]
        + [
            node
            for node in file.tree.body
            if isinstance(node, _Definition) and (file.path, node.name) not in reached
        ]
        for file in files
    }


def is_main_guard(node: ast.AST) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and "__main__" in ast.dump(node.test)


def _read(node: ast.AST) -> Iterator[str]:
    """The names that a statement reads, imports and parts of other libraries' names aside."""
    for inner in every_node(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id
        elif isinstance(inner, ast.Attribute) and (dotted_name(inner) or ("",))[0] not in _FOREIGN:
            yield inner.attr
        elif isinstance(inner, ast.ImportFrom):  # under another name
            yield from (alias.name for alias in inner.names if alias.asname)


def is_registered(node: ast.stmt) -> bool:
    """Whether a decorator may hand a definition to something that finds it by name."""
    return isinstance(node, _Definition) and any(
        not ast.unparse(one).startswith(_PLAIN_DECORATORS) for one in node.decorator_list
    )


def _looked_up(file: Reaching, paths: Sequence[str]) -> Iterator[str]:
    """The files in which a file looks names up at run time: `models.__dict__[name]`, `getattr(models, name)`,
    `globals()[name]`. What is evaluated may name anything."""
    modules = {
        alias.asname or alias.name.partition(".")[0]: alias.name.rpartition(".")[2]
        for node in file.nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in file.nodes:
        if not isinstance(node, ast.Subscript | ast.Call):
            continue
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Name) and function.id in ("eval", "exec"):
            yield from paths
        holder = _holder(node)
        if holder in ("globals", "sys"):
            yield file.path
        elif holder in modules and holder not in _FOREIGN:
            stem = modules[holder]
            yield from (
                path for path in paths if re.search(rf"(^|/){re.escape(stem)}(\.py|/[^/]+\.py)$", path)
            )


def _holder(node: ast.Subscript | ast.Call) -> str:
    """The name of the module in which an expression looks up a name that is not written there; empty for none."""
    if isinstance(node, ast.Subscript):
        value = node.value
        if isinstance(value, ast.Call):
            return last_name(value.func) if last_name(value.func) == "globals" else ""
        if isinstance(value, ast.Attribute) and value.attr == "__dict__":
            return last_name(value.value)
        return "sys" if isinstance(value, ast.Attribute) and ast.unparse(value) == "sys.modules" else ""
    if (
        last_name(node.func) == "getattr"
        and len(node.args) >= 2
        and not isinstance(node.args[1], ast.Constant)
    ):
        return last_name(node.args[0])
    return ""
