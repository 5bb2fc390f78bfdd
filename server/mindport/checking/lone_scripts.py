"""Scripts that no file of their project imports: what they bind is nobody's but theirs."""

from __future__ import annotations

import functools

from mindport.checking.helper_places import found_imports, is_script
from mindport.usage.project import Project


class LoneScripts:
    """Tells these files of a project. Its imports are looked through once, when the first one is asked for."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def has(self, path: str) -> bool:
        """Whether the file at a full path is one."""
        return path not in self._imported and is_script(self._project.text(path), does_anything=True)

    @functools.cached_property
    def _imported(self) -> frozenset[str]:
        return frozenset(
            one.target
            for path in self._project.paths()
            for one in found_imports(self._project, path)
            if one.importer != one.target
        )
