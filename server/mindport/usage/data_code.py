"""Tells code that only prepares data from the network and its training, by who refers to whom in the project.

Data code begins at datasets, samplers, collate functions and what is passed on as a transform. What these alone reach
belongs to it; what anything else reaches, too, does not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Set

import msgspec

from mindport.source.trees import every_node
from mindport.source.units import Unit, UnitKind
from mindport.source.written_names import dotted_name
from mindport.usage.files import FileState
from mindport.usage.types import Tag
from mindport.usage.variables import MODULE_LEVEL_NAMES, ImportRecord, Op, UnitSummary, Variable

# Importing file, dotted module, level -> the file of the project.
FindModule = Callable[[str, str, int], "str | None"]

_DATA_BASES = ("torch.utils.data.", "torchvision.datasets.", "mindspore.dataset.")
_DATA_KEYWORDS = frozenset(
    (
        "collate_fn",
        "worker_init_fn",
        "transform",
        "transforms",
        "target_transform",
        "preproc",
        "batch_transform",
    )
)
_COLLATE = "collate"
_HANDS_ON = (*(f"{word}{mark}" for word in sorted(_DATA_KEYWORDS) for mark in "=("), "Compose(")
# Without one of these words no text has a base, a name or a keyword of those above, or Compose.
_SIGNS = (
    "utils.data",
    "torchvision.datasets",
    "mindspore.dataset",
    _COLLATE,
    "worker_init",
    "transform",
    "preproc",
    "Compose",
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOST_REEXPORTS = 5
MODULE = ""  # the name of what a module does when it is loaded


def has_signs(text: str) -> bool:
    """Whether a text may hold where data code begins; without any such text in a project there is none."""
    return any(sign in text for sign in _SIGNS)


class Definition(msgspec.Struct, frozen=True):
    """A function, method or class of one unit: what it refers to, and what it hands on as data code. Classes refer to
    their bases; their methods are definitions of their own."""

    name: str
    is_class: bool
    refers: tuple[str, ...]
    hands_on: tuple[str, ...] = ()


# What the units of a file define, and what that depends on besides.
_Units = tuple[tuple[object, ...], dict[UnitSummary, tuple[Definition, ...]]]


class DataCode:
    """The data code of a project. `refresh` brings it up to date."""

    def __init__(self, find: FindModule) -> None:
        self._find = find
        self._files: dict[str, tuple[FileState, tuple[Definition, ...]]] = {}
        self._units: dict[str, _Units] = {}
        self._functions: dict[str, frozenset[str]] = {}
        self._definitions: dict[str, dict[str, Definition]] = {}
        self._members: dict[str, dict[str, list[str]]] = {}
        self._meanings: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}

    def functions(self, path: str) -> frozenset[str]:
        """The qualified names of the functions and classes in a file that only prepare data."""
        return self._functions.get(path, frozenset())

    def is_data(self, path: str, scope: str) -> bool:
        """Whether a function or class, or one around it, only prepares data."""
        names = self.functions(path)
        parts = scope.split(".")
        return any(".".join(parts[:count]) in names for count in range(1, len(parts) + 1))

    def refresh(self, states: Mapping[str, FileState]) -> frozenset[str]:
        """Take the present files; the paths whose answers changed."""
        changed = self._files.keys() != states.keys()
        files = {}
        for path, state in states.items():
            before = self._files.get(path)
            if before is not None and before[0] is state:
                files[path] = before
                continue
            definitions = self._read(path, state)
            files[path] = (state, definitions)
            changed = changed or before is None or before[1] != definitions
        self._files = files
        if not changed:
            return frozenset()
        functions = self._conclude()
        paths = functions.keys() | self._functions.keys()
        different = {path for path in paths if functions.get(path) != self._functions.get(path)}
        self._functions = functions
        return frozenset(different)

    def defines(self, path: str, name: str) -> bool:
        """Whether a file defines something of this qualified name; MODULE is what it does when it is loaded."""
        return name in self._definitions.get(path, ())

    def is_class(self, path: str, name: str) -> bool:
        """Whether a definition is a class."""
        return self._definitions[path][name].is_class

    def referred(self, path: str, name: str) -> Iterator[tuple[str, str]]:
        """The definitions of the project that one names, as path and qualified name."""
        for dotted in self._definitions[path][name].refers:
            yield from self._resolved(path, name, dotted)

    def members(self, path: str, name: str) -> tuple[str, ...]:
        """The qualified names of the methods of a class."""
        return tuple(self._members[path].get(name, ()))

    # -- reading

    def _read(self, path: str, state: FileState) -> tuple[Definition, ...]:
        """What the file defines; units that were read before are not read again, while their names mean the same."""
        hands_on = any(word in state.text for word in _HANDS_ON)
        own = frozenset(function.name for function in state.functions.values())
        context = (hands_on, bool(state.stars), own, frozenset(state.table.names))
        before, known = self._units.get(path, ((), {}))
        if before != context:
            known = {}
        present: dict[UnitSummary, tuple[Definition, ...]] = {}
        found: list[Definition] = []
        for unit, summary in zip(state.module.units, state.summaries, strict=True):
            definitions = known.get(summary)
            if definitions is None:
                definitions = tuple(_known_names(_definitions(unit, summary, hands_on), own, state))
            present[summary] = definitions
            found += definitions
        self._units[path] = (context, present)
        return tuple(found)

    # -- concluding

    def _conclude(self) -> dict[str, frozenset[str]]:
        self._definitions = {path: _by_name(definitions) for path, (_, definitions) in self._files.items()}
        self._members = {}
        self._meanings = {}
        for path, definitions in self._definitions.items():
            members = self._members[path] = {}
            for name in definitions:
                owner, _, method = name.rpartition(".")
                if method:
                    members.setdefault(owner, []).append(name)
        roots = set(self._roots())
        if not roots:
            return {}
        nodes = {(path, name) for path, definitions in self._definitions.items() for name in definitions}
        data = self._reached(roots, frozenset())
        other = self._reached(nodes - data, frozenset(roots))
        found: dict[str, set[str]] = {}
        for path, name in data - (other - roots):
            if name:
                found.setdefault(path, set()).add(name)
        return {path: frozenset(names) for path, names in found.items()}

    def _roots(self) -> Iterator[tuple[str, str]]:
        for path, definitions in self._definitions.items():
            for name, definition in definitions.items():
                if definition.is_class and self._derives_from_data(path, name):
                    yield from self._whole(path, name)
                elif not definition.is_class and _COLLATE in name.rpartition(".")[2]:
                    yield path, name
                for handed in definition.hands_on:
                    for target, found in self._resolved(path, name, handed):
                        yield from self._whole(target, found)

    def _whole(self, path: str, name: str) -> Iterator[tuple[str, str]]:
        """A function, or a class with its methods."""
        yield path, name
        for member in self._members[path].get(name, ()):
            yield path, member

    def _derives_from_data(self, path: str, name: str, depth: int = 0) -> bool:
        state = self._files[path][0]
        for base in self._definitions[path][name].refers:
            first, _, rest = base.partition(".")
            dotted = state.table.dotted.get(first, "") or state.mindspore_names.get(first, "")
            if dotted and f"{dotted}.{rest}".rstrip(".").startswith(_DATA_BASES):
                return True
            if depth < _MOST_REEXPORTS and any(
                self._definitions[target][found].is_class
                and self._derives_from_data(target, found, depth + 1)
                for target, found in self._resolved(path, name, base)
                if (target, found) != (path, name)
            ):
                return True
        return False

    def _reached(
        self, start: Iterable[tuple[str, str]], closed: frozenset[tuple[str, str]]
    ) -> set[tuple[str, str]]:
        """Everything that some definitions refer to, with themselves; `closed` is not entered."""
        pending = list(start)
        reached = set(pending)
        while pending:
            path, name = pending.pop()
            definition = self._definitions[path][name]
            nodes = [node for one in definition.refers for node in self._resolved(path, name, one)]
            if definition.is_class:
                nodes += [(path, member) for member in self._members[path].get(name, ())]
            for node in nodes:
                if node not in reached and node not in closed:
                    reached.add(node)
                    pending.append(node)
        return reached

    def _resolved(self, path: str, name: str, dotted: str) -> tuple[tuple[str, str], ...]:
        """The definitions that a dotted name in a definition means."""
        first, _, rest = dotted.partition(".")
        if first == "self":
            member = f"{name.rpartition('.')[0]}.{rest}"
            return ((path, member),) if member in self._definitions[path] else ()
        key = (path, dotted)
        found = self._meanings.get(key)
        if found is None:
            found = self._meanings[key] = tuple(self._named(path, first, rest, 0))
        return found

    def _named(self, path: str, first: str, rest: str, depth: int) -> Iterator[tuple[str, str]]:
        definitions = self._definitions.get(path)
        if definitions is None or depth > _MOST_REEXPORTS:
            return
        if first in definitions:
            yield path, f"{first}.{rest}" if f"{first}.{rest}" in definitions else first
            return
        state = self._files[path][0]
        for record in (*state.imports.get(first, ()), *state.stars):
            yield from self._imported(path, record, first, rest, depth)

    def _imported(
        self, path: str, record: ImportRecord, first: str, rest: str, depth: int
    ) -> Iterator[tuple[str, str]]:
        if not record.name:
            module = self._find(path, record.module, 0)
            if module is not None and rest:
                yield from self._named(module, *_parted(rest), depth + 1)
            return
        module = self._find(path, record.module, record.level)
        name = first if record.name == "*" else record.name
        if module is not None and module != path:
            yield from self._named(module, name, rest, depth + 1)
        dotted = f"{record.module}.{name}" if record.module else name
        submodule = self._find(path, dotted, record.level)
        if submodule is not None and submodule != path and rest:
            yield from self._named(submodule, *_parted(rest), depth + 1)


def _parted(dotted: str) -> tuple[str, str]:
    first, _, rest = dotted.partition(".")
    return first, rest


def _by_name(definitions: tuple[Definition, ...]) -> dict[str, Definition]:
    """By name; of several with one name, all that any of them says."""
    found: dict[str, Definition] = {}
    for one in definitions:
        before = found.get(one.name)
        if before is not None:
            one = Definition(
                one.name,
                before.is_class or one.is_class,
                (*before.refers, *one.refers),
                (*before.hands_on, *one.hands_on),
            )
        found[one.name] = one
    return found


def _definitions(unit: Unit, summary: UnitSummary, hands_on: bool) -> Iterator[Definition]:
    """What a unit defines, and what the module does in it."""
    if unit.kind is UnitKind.CLASS:
        yield from (_class(node) for node in unit.statements if isinstance(node, ast.ClassDef))
        return
    refers = tuple(sorted(set(_referred(summary))))
    handed = tuple(sorted(_all_handed_on(unit))) if hands_on else ()
    names: dict[str, bool] = {}  # -> whether it is a class
    for node in unit.statements:
        if unit.kind is UnitKind.MEMBER:
            name = f"{unit.owner}.{node.name}" if isinstance(node, _FUNCTIONS) else unit.owner
            names[name] = name == unit.owner
        elif isinstance(node, _DEFINITIONS):
            names[node.name] = isinstance(node, ast.ClassDef)
        else:
            names[MODULE] = False
    for name, is_class in names.items():
        yield Definition(name, is_class, refers, handed)


def _class(node: ast.ClassDef) -> Definition:
    bases = (dotted_name(base) for base in node.bases)
    return Definition(node.name, True, tuple(".".join(parts) for parts in bases if parts))


def _known_names(definitions: Iterable[Definition], own: Set[str], state: FileState) -> Iterator[Definition]:
    """The definitions with only those names that may mean something of the project: an edit that changes others changes
    nothing here. `own` are the names of the file's functions and methods."""
    bound = state.table.names
    for one in definitions:
        kept = tuple(
            name
            for name in one.refers
            if (
                (name[5:] in own)
                if name.startswith("self.")
                else bool(state.stars) or _parted(name)[0] in bound
            )
        )
        yield msgspec.structs.replace(one, refers=kept)


def _referred(summary: UnitSummary) -> Iterator[str]:
    """The names that a unit reads, and the attributes of self and of modules in it."""
    yield from summary.names
    for variable in summary.variables:
        if variable.op is Op.ATTRIBUTE:
            base = variable.base
            if isinstance(base, Variable):
                if base.op in MODULE_LEVEL_NAMES:
                    yield f"{base.name}.{variable.name}"
            elif base.tag is Tag.PROJECT_INSTANCE:
                yield f"self.{variable.name}"


def _all_handed_on(unit: Unit) -> set[str]:
    calls = (node for tree in unit.statements for node in every_node(tree) if isinstance(node, ast.Call))
    return {name for call in calls for name in _handed_on(call)}


def _is_called_so(made: ast.Call) -> bool:
    """Whether what makes a value is called as transforms are."""
    parts = dotted_name(made.func)
    return parts is not None and parts[-1] in _DATA_KEYWORDS


def _handed_on(call: ast.Call) -> Iterator[str]:
    """What a call passes on as a transform or the like: Compose([A(), b]), DataLoader(..., collate_fn=f),
    Faces(folder, preproc(64))."""
    given: list[ast.expr] = [one.value for one in call.keywords if one.arg in _DATA_KEYWORDS]
    given += [one for one in call.args if isinstance(one, ast.Call) and _is_called_so(one)]
    parts = dotted_name(call.func)
    if parts is not None and parts[-1] == "Compose":
        given += call.args
    for node in given:
        items = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        for item in items:
            names = dotted_name(item.func if isinstance(item, ast.Call) else item)
            if names is not None:
                yield ".".join(names[:2])
