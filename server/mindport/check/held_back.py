"""Which files belong to a training step that stays torch's, so that they are not changed without it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mindport.usage.modules import ModuleFinder
from mindport.usage.project import Project


def files_of_steps(project: Project, with_steps: Collection[str]) -> frozenset[str]:
    """The files of all programs that run one of `with_steps`, and what these import: a network that became MindSpore's
    cannot be trained by a step of torch, nor one of torch by an optimizer of MindSpore's. Paths are full ones."""
    found = set(with_steps)
    finder = ModuleFinder(project.root, frozenset(project.paths()))
    pending = list(with_steps)
    while pending:
        new = set(_imported(project, finder, pending.pop())) - found
        found |= new
        pending += new
    programs = project.programs()
    for path in project.paths():
        if programs.is_program(path):
            files = frozenset(programs.follow(path).files)
            if not files.isdisjoint(with_steps):
                found |= files
    return frozenset(found)


def _imported(project: Project, finder: ModuleFinder, path: str) -> Iterator[str]:
    for binding in project.imports(path):
        dotted = binding.module.lstrip(".")
        level = len(binding.module) - len(dotted)
        for name in (dotted, f"{dotted}.{binding.name}".strip(".")):
            module = finder.find(path, name, level)
            if module is not None:
                yield module
