"""What the files of a project import from each other. A torch import that a file no longer needs itself may
still serve another one, and must stay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from mindport.usage.project import Project

Taken = Mapping[str, frozenset[str]]


def taken_names(project: Project) -> Taken:
    """Path -> the names that other files import from it. `from a import *` takes what its own file reads, and what is
    taken from that."""
    paths = frozenset(project.paths())
    finder = project.finder
    taken: defaultdict[str, set[str]] = defaultdict(set)
    stars: list[tuple[str, str]] = []
    for importer in sorted(paths):
        for binding in project.imports(importer):
            if not binding.name:
                continue  # `import a` and then `a.nn`: named in place, so the file is seen to use it
            module = finder.find_module(importer, binding.module)
            if module is None or module == importer:
                continue
            if binding.name == "*":
                stars.append((module, importer))
                taken[module] |= project.names_read(importer)
            else:
                taken[module].add(binding.name)
    before = -1
    while before != (before := sum(map(len, taken.values()))):
        for module, importer in stars:
            taken[module] |= taken[importer]
    return {path: frozenset(names) for path, names in taken.items()}
