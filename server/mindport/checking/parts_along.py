"""What a project uses of libraries built on torch, as modules that are fixed with it as if they were its own."""

from __future__ import annotations

import os
import posixpath
from collections import Counter, defaultdict

import msgspec

from mindport.checking.analysis import Sources, is_config, project_of
from mindport.checking.helper_places import HelperPlaces
from mindport.registry.libraries import BUILT_ON_TORCH
from mindport.registry.library_parts import LibraryParts, parts_of
from mindport.rewrite.library_imports import LibraryImports
from mindport.rewrite.text_edits import TextEdit
from mindport.source.discovery import full_path, written_like
from mindport.source.text import SourceText


class PartsAlong(msgspec.Struct, frozen=True):
    """The sources with such modules among them, which are in `modules`, and for the files that use them, by their
    paths, the edits that their fixes begin with."""

    sources: Sources
    modules: frozenset[str] = frozenset()
    edits: dict[str, tuple[TextEdit, ...]] = {}


class _User(msgspec.Struct, frozen=True):
    """A file that uses parts, and how it imports from each of the folders whose module it can have."""

    path: str
    imports: LibraryImports
    packages: dict[str, str]


def parts_along(sources: Sources, root: str, within: str = "") -> PartsAlong:
    """What comes along with these files. No module lies outside of the folder `within`, where that is given, and none
    takes a name that something else has."""
    found = PartsAlong(sources)
    places: HelperPlaces | None = None
    for library in BUILT_ON_TORCH:
        parts = parts_of(library)
        users = _users(sources, parts) if parts is not None else []
        if parts is not None and users:
            places = places or HelperPlaces(project_of(sources, root))
            found = _with_users(found, [_placed(one, sources, places) for one in users], parts, within)
    return found


def _users(sources: Sources, parts: LibraryParts) -> list[tuple[str, LibraryImports]]:
    python = (
        (path, source.text)
        for path, source in sources.files
        if isinstance(source, SourceText) and source.notebook is None and not is_config(path)
    )
    texts = dict(python)
    idle = parts.idle(texts.values())
    imports = [
        (path, LibraryImports(text, parts, idle)) for path, text in texts.items() if parts.library in text
    ]
    return [(path, one) for path, one in imports if one.is_led]


def _placed(user: tuple[str, LibraryImports], sources: Sources, places: HelperPlaces) -> _User:
    path, imports = user
    full = full_path(path)
    text = next(one.text for name, one in sources.files if name == path and isinstance(one, SourceText))
    packages = {folder: places.package(full, text, folder) for folder in places.folders(full)}
    return _User(path, imports, {folder: one for folder, one in packages.items() if one is not None})


def _with_users(found: PartsAlong, users: list[_User], parts: LibraryParts, within: str) -> PartsAlong:
    top = posixpath.commonpath([posixpath.dirname(full_path(path)) for path, _ in found.sources.files])
    users_of = Counter(folder for user in users for folder in user.packages)
    names: defaultdict[str, set[str]] = defaultdict(
        set
    )  # by the path of a module, as those of its users are written
    edits = dict(found.edits)
    edges = dict(found.sources.edges)
    for user in users:
        folders = [one for one in user.packages if _may_be(one, parts.module, top, within)]
        if not folders:
            continue
        folder = max(folders, key=lambda one: users_of[one])
        module = f"{folder}/{parts.module}.py"
        if user.imports.names:
            names[written_like(module, user.path)] |= user.imports.names
        edits[user.path] = (*edits.get(user.path, ()), *user.imports.edits(user.packages[folder]))
        full = full_path(user.path)
        edges[full] = edges.get(full, frozenset()) | {module}
    modules = tuple((path, SourceText(path, parts.source(sorted(needed)))) for path, needed in names.items())
    sources = msgspec.structs.replace(found.sources, files=(*modules, *found.sources.files), edges=edges)
    return PartsAlong(sources, found.modules | names.keys(), edits)


def _may_be(folder: str, module: str, top: str, within: str) -> bool:
    is_inside = all(not around or f"{folder}/".startswith(f"{around}/") for around in (top, within))
    return is_inside and not any(os.path.lexists(f"{folder}/{name}") for name in (module, f"{module}.py"))
