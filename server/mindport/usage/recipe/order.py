"""In which order to port the files of a project: what others import comes first."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mindport.usage.recipe.code import Code


class PortingStep(msgspec.Struct, frozen=True):
    """One file in the order of porting. `level` is 0 for files that import no other file of the project; `imports` are
    those that it needs, `together` the files that import each other in a circle with it."""

    path: str
    level: int
    imports: tuple[str, ...] = ()
    together: tuple[str, ...] = ()


def porting_order(code: Code) -> tuple[PortingStep, ...]:
    """Every file once, each after those that it imports, and by its path where nothing else decides."""
    edges = code.imports
    groups = _groups(edges)
    group_of = {path: group for group in groups for path in group}
    levels: dict[tuple[str, ...], int] = {}
    for group in groups:  # what a group imports comes before it
        below = {group_of[other] for path in group for other in edges[path]} - {group}
        levels[group] = 1 + max((levels[other] for other in below), default=-1)
    steps = [
        PortingStep(
            path,
            levels[group_of[path]],
            tuple(sorted(edges[path] - {path})),
            tuple(other for other in group_of[path] if other != path),
        )
        for path in edges
    ]
    return tuple(sorted(steps, key=lambda step: (step.level, step.path)))


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
