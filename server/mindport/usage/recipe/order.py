"""In which order to port the files of a project: what others import comes first."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from mindport.usage.recipe.code import Code, SourceFile


class Step(msgspec.Struct, frozen=True):
    """One file in the order of porting. `level` is 0 for files that import no other file of the project; `imports` are
    those that it needs, `together` the files that import each other in a circle with it."""

    path: str
    level: int
    imports: tuple[str, ...] = ()
    together: tuple[str, ...] = ()


def porting_order(code: Code) -> tuple[Step, ...]:
    """Every file once, each after those that it imports, and by its path where nothing else decides."""
    edges = {file.path: _imports(file, code) for file in code.all_files}
    groups = _groups(edges)
    group_of = {path: group for group in groups for path in group}
    levels: dict[tuple[str, ...], int] = {}
    for group in groups:  # what a group imports comes before it
        below = {group_of[other] for path in group for other in edges[path]} - {group}
        levels[group] = 1 + max((levels[other] for other in below), default=-1)
    steps = [
        Step(
            path,
            levels[group_of[path]],
            tuple(sorted(edges[path] - {path})),
            tuple(other for other in group_of[path] if other != path),
        )
        for path in edges
    ]
    return tuple(sorted(steps, key=lambda step: (step.level, step.path)))


def _imports(file: SourceFile, code: Code) -> set[str]:
    paths = {other.path for other in code.all_files}
    folder = file.path.split("/")[:-1]
    found: set[str] = set()
    for node in file.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found |= _files_of(alias.name.split("."), folder, paths)
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else None
            parts = node.module.split(".") if node.module else []
            if base is not None:
                found |= _absolute([*base, *parts], paths)
                for alias in node.names:
                    found |= _absolute([*base, *parts, alias.name], paths)
            else:
                found |= _files_of(parts, folder, paths)
                for alias in node.names:
                    found |= _files_of([*parts, alias.name], folder, paths)
    return found - {file.path}


def _files_of(parts: list[str], folder: list[str], paths: set[str]) -> set[str]:
    """Packages are found from the root of the project or from `src`, modules beside a script from its folder."""
    for start in ([], ["src"], *(folder[:depth] for depth in range(len(folder), 0, -1))):
        found = _absolute([*start, *parts], paths)
        if found:
            return found
    return set()


def _absolute(parts: list[str], paths: set[str]) -> set[str]:
    if not parts:
        return set()
    stem = "/".join(parts)
    return {path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in paths}


def _groups(edges: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """The files by circles of imports, each group after those that it imports (Tarjan, with a stack of its own)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    groups: list[tuple[str, ...]] = []
    for start in sorted(edges):
        if start in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(edges[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            path, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(edges[other]))))
                    break
                if other in on_stack:
                    low[path] = min(low[path], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[path])
                if low[path] == index[path]:
                    cut = stack.index(path)
                    group = tuple(sorted(stack[cut:]))
                    on_stack -= set(group)
                    del stack[cut:]
                    groups.append(group)
    return groups
