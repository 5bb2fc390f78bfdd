"""Scripts that no file of their project imports: what they bind is nobody's but theirs."""

from __future__ import annotations

from mindport.check.helper_places import found_imports, is_script
from mindport.usage.project import Project


def lone_scripts(project: Project) -> frozenset[str]:
    """The paths of these files."""
    paths = frozenset(project.paths())
    imported = {
        one.target for path in paths for one in found_imports(project, path) if one.importer != one.target
    }
    return frozenset(path for path in paths - imported if is_script(project.text(path), does_anything=True))
