"""Imports: files of the project run when they are first imported, everything else is a name outside."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mindport.semantics.flow.frame import Frame, Path, Unreachable
from mindport.semantics.flow.objects import Namespace, Thing
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import OUTSIDE, UNKNOWN, Dotted, Ref

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine


class ProjectFiles(Protocol):
    """The files of a project."""

    trees: Mapping[str, ast.Module]

    def find(self, importer: str, dotted: str, level: int) -> str | None:
        """The path of the file that an import in `importer` names, with so many dots before it; None for none."""

    def is_folder(self, importer: str, dotted: str) -> bool:
        """Whether an absolute import names a folder of the project that needs no `__init__.py`."""


class NoSources:
    """Code that stands by itself: all that it imports is outside."""

    trees: Mapping[str, ast.Module] = {}

    def find(self, importer: str, dotted: str, level: int) -> str | None:
        """No file."""
        return None

    def is_folder(self, importer: str, dotted: str) -> bool:
        """No folder."""
        return False


def run_import(m: Machine, frame: Frame, node: ast.Import) -> None:
    """`import a.b`, `import a.b as c`."""
    for alias in node.names:
        found = _chain(m, frame.path, alias.name, 0)
        m.bind(frame, alias.asname or alias.name.partition(".")[0], found[-1] if alias.asname else found[0])


def run_import_from(m: Machine, frame: Frame, node: ast.ImportFrom) -> None:
    """`from a import b`, `from . import b`, `from a import *`."""
    module = load(m, frame.path, node.module or "", node.level)
    for alias in node.names:
        if alias.name == "*":
            _take_all(m, frame, module)
        else:
            m.bind(frame, alias.asname or alias.name, _taken(m, module, alias.name))


def _taken(m: Machine, module: Any, name: str) -> Any:
    """What `from module import name` gives."""
    if not isinstance(module, Ref):
        return m.domain.named(f"{module.name}.{name}") if isinstance(module, Dotted) else module
    thing: Namespace = m.heap.read(module)
    if name in thing.names:
        return thing.names[name]
    inner = submodule(m, thing, name)
    if inner is not None:
        m.heap.write(module).names.setdefault(name, inner)
        return inner
    if "__getattr__" in thing.names:
        return UNKNOWN
    return m.missing_name(thing, name, "ImportError")


def _take_all(m: Machine, frame: Frame, module: Any) -> None:
    names = m.heap.write(frame.names)
    if not isinstance(module, Ref):
        names.is_open = True
        if isinstance(module, Dotted):
            m.stars.setdefault(frame.path, []).append(module.name)
        return
    thing: Namespace = m.heap.read(module)
    offered = thing.names.get("__all__")
    wanted = m.items_of(offered) if offered is not None else [
        one for one in thing.names if not one.startswith("_")
    ]  # fmt: skip
    if wanted is None or any(not isinstance(one, str) for one in wanted) or thing.is_open:
        names.is_open = True
        m.stars.setdefault(frame.path, []).extend(m.stars.get(thing.path, ()))
    for name in wanted or ():
        if isinstance(name, str):
            m.bind(frame, name, _taken(m, module, name))


def load(m: Machine, importer: str, dotted: str, level: int) -> Any:
    """The module that an import names: a file of the project, run if it has not been, or a name outside."""
    if level and not dotted:
        path = m.sources.find(importer, "", level)
        return module(m, path) if path is not None else _bare_folder(m, _folder(importer, level))
    return _chain(m, importer, dotted, level)[-1]


def _chain(m: Machine, importer: str, dotted: str, level: int) -> list[Any]:
    """The module that an import names and the packages around it, from the outside in. The whole name decides where
    they are: a file beside the importer may be called as a package is."""
    parts = dotted.split(".")
    path = m.sources.find(importer, dotted, level)
    if path is None and not level and not m.sources.is_folder(importer, dotted):
        m.may_raise()
        return [m.domain.named(".".join(parts[:count])) for count in range(1, len(parts) + 1)]
    if path is None:
        place = posixpath.join(_folder(importer, level), *parts)
        if level and not _has_files(m, place):
            m.may_raise()
            return [UNKNOWN] * len(parts)
        found = _bare_folder(m, place)
    else:
        found = module(m, path)
        place = path.removesuffix(".py").removesuffix("/__init__")
    chain: list[Any] = [found]
    for part in reversed(parts[1:]):
        place = posixpath.dirname(place)
        package = posixpath.join(place, "__init__.py")
        around = module(m, package) if package in m.sources.trees else _bare_folder(m, place)
        m.heap.write(around).names[part] = chain[0]
        chain.insert(0, around)
    return chain


def _folder(importer: str, level: int) -> str:
    folder = posixpath.dirname(importer)
    for _ in range(max(level - 1, 0)):
        folder = posixpath.dirname(folder)
    return folder


def _has_files(m: Machine, folder: str) -> bool:
    start = f"{folder}/"
    return any(path.startswith(start) for path in m.sources.trees)


def _bare_folder(m: Machine, folder: str) -> Ref:
    """A folder of modules without an `__init__.py`."""
    path = f"{folder}/"
    known = m.heap.read(m.loaded).names.get(path)
    if not isinstance(known, Ref):
        known = m.new(Namespace(path))
        m.heap.write(m.loaded).names[path] = known
    return known


def submodule(m: Machine, thing: Namespace, name: str) -> Ref | None:
    """The module of a name in a package."""
    folder, _, file = thing.path.rpartition("/")
    if file not in ("", "__init__.py"):
        return None
    for path in (posixpath.join(folder, name, "__init__.py"), posixpath.join(folder, f"{name}.py")):
        if path in m.sources.trees:
            return module(m, path)
    inner = posixpath.join(folder, name)
    return _bare_folder(m, inner) if _has_files(m, inner) else None


class Kept(NamedTuple):
    """What running a file made, where it changed nothing else: every path may have it without another run."""

    namespace: Ref
    objects: dict[int, Thing]
    loaded: dict[str, Any]


def module(m: Machine, path: str, name: str = "") -> Ref:
    """The namespace of a file. The file runs when it is asked for first; names that an import in a circle asks for
    before they are there are missing, as in Python. `name` is its `__name__`."""
    known = m.heap.read(m.loaded).names.get(path)
    if isinstance(known, Ref):
        return known
    if path in m.kept:
        kept = m.kept[path]
        m.heap.install(kept.objects)
        m.heap.write(m.loaded).names.update(kept.loaded)
        return kept.namespace
    if name != "__main__":
        _load_packages(m, path)
        known = m.heap.read(m.loaded).names.get(path)
        if isinstance(known, Ref):
            return known  # a package around it imports it
    before = m.heap.fork()
    ref = _run(m, path, name)
    made = m.heap.made_since(before, except_for={m.loaded})
    if made is not None:
        old, new = before.read(m.loaded).names, m.heap.read(m.loaded).names
        m.kept[path] = Kept(ref, made, {key: one for key, one in new.items() if key not in old})
    return ref


def _load_packages(m: Machine, path: str) -> None:
    """The packages around a file come first, from the outside in."""
    folder, _, file = path.rpartition("/")
    if file == "__init__.py":
        folder = posixpath.dirname(folder)
    around = []
    while folder and f"{folder}/__init__.py" in m.sources.trees:
        around.append(f"{folder}/__init__.py")
        folder = posixpath.dirname(folder)
    for package in reversed(around):
        if package != path:
            module(m, package)


def _run(m: Machine, path: str, name: str) -> Ref:
    tree = m.sources.trees[path]
    thing = Namespace(path, bound=scope_of(tree).bound)
    stem = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    thing.names = {
        "__name__": name or stem,
        "__file__": OUTSIDE,
        "__doc__": ast.get_docstring(tree, clean=False),
    }
    ref = m.new(thing)
    m.heap.write(m.loaded).names[path] = ref
    outer, m.frame = m.frame, Frame(path, ref, ref)
    m.rebound |= m.rebound_in(path)
    raised: list[Path] = []
    m.catchers.append(raised)
    try:
        m.run(m.frame, tree.body)
    except Unreachable:
        # The file fails, as far as anybody can tell: what it defines before that is all that is known of it.
        m.heap = raised[0][0] if raised else m.heap
        m.heap.write(ref).is_open = True
    finally:
        m.catchers.pop()
        m.frame = outer
    _hand_on(m, path, raised)
    return ref


def _hand_on(m: Machine, path: str, raised: list[Path]) -> None:
    """What a file raises goes to whoever imports it and is prepared for that; the file counts as not imported then."""
    if m.is_watched and raised:
        here = m.heap
        for heap, what in raised:
            heap.write(m.loaded).names.pop(path, None)
            m.catchers[-1].append((heap, what))
        if any(heap is here for heap, _ in raised):
            raise Unreachable
