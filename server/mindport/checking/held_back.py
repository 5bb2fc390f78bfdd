"""Which files belong to a training step that stays torch's, so that they are not changed without it."""

from __future__ import annotations

from collections.abc import Collection

from mindport.usage.project import Project


def files_of_steps(project: Project, with_steps: Collection[str]) -> frozenset[str]:
    """The files of all programs that run one of `with_steps`, and what these import: a network that became MindSpore's
    cannot be trained by a step of torch, nor one of torch by an optimizer of MindSpore's. Paths are full ones."""
    found = set(with_steps)
    finder = project.finder
    pending = list(with_steps)
    while pending:
        path = pending.pop()
        leads = (finder.find_all(path, binding) for binding in project.imports(path))
        new = {module for found_there in leads for _, _, module in found_there} - found
        found |= new
        pending += new
    programs = project.programs()
    for path in project.paths():
        if programs.is_program(path):
            files = frozenset(programs.imported_by(path))
            if not files.isdisjoint(with_steps):
                found |= files
    return frozenset(found)
