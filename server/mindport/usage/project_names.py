"""What the names of a project's modules stand for, through imports from file to file: what the resolver asks for."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Collection, Iterator, Mapping

from mindport.usage import python_model
from mindport.usage.dependencies import Dependencies, Key
from mindport.usage.files import FileState
from mindport.usage.modules import ModuleFinder
from mindport.usage.passed_arguments import PassedArguments
from mindport.usage.resolve import Resolver
from mindport.usage.rows_by_name import RowsByName
from mindport.usage.seen.files import SeenFiles
from mindport.usage.types import Tag, Type, make
from mindport.usage.variables import FunctionRecord, ImportRecord, Op, UnitSummary, Value, Variable
from mindport.usage.world import ClassEntry


class _IsProject:
    """Whether an import in the file at `path` leads into the project."""

    __slots__ = ("_finder", "_path")

    def __init__(self, finder: ModuleFinder, path: str) -> None:
        self._finder = finder
        self._path = path

    def __call__(self, module: str, level: int) -> bool:
        is_module = level > 0 or self._finder.find(self._path, module, level) is not None
        return is_module or self._finder.is_folder(self._path, module)


class ProjectNames:
    """The files of one project and the names in them. Keys of classes and functions are `path:name`."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        self._texts: dict[str, str] = {}
        self._files: dict[str, FileState] = {}
        self._finder = ModuleFinder(self.root, self._texts)
        self._dependencies = Dependencies()
        self._globals: dict[tuple[str, str], Variable] = {}
        self._passed = PassedArguments()
        self._resolver = Resolver(self)
        self._seen = SeenFiles(self.root)
        self._methods = RowsByName(self._methods_in)
        self._keepers = RowsByName(self._attributes_in)
        self._heirs = RowsByName(self._named_as_base_in)

    def _keep(self, path: str, state: FileState) -> None:
        """Let a file be as it was read."""
        self._files[path] = state
        self._note_classes(path)

    def _note_classes(self, path: str) -> None:
        """Say that a file may have other classes, or none any more."""
        for rows in (self._methods, self._keepers, self._heirs):
            rows.changed(path)

    def _methods_in(self, path: str) -> Iterator[tuple[str, FunctionRecord]]:
        for entry in self._classes_in(path).values():
            yield from entry.methods.items()

    def _attributes_in(self, path: str) -> Iterator[tuple[str, str]]:
        for key, entry in self._classes_in(path).items():
            yield from ((name, key) for name in entry.attributes)

    def _named_as_base_in(self, path: str) -> Iterator[tuple[str, str]]:
        for name, keys in self._state(path).named_as_base.items() if path in self._texts else ():
            yield from ((name, key) for key in keys)

    def _classes_in(self, path: str) -> Mapping[str, ClassEntry]:
        return self._state(path).classes if path in self._texts else {}

    def note(self, key: Key) -> None:
        """Remember that the unit at hand asked for this."""
        current = self._resolver.current
        if current is not None:
            self._dependencies.note(key, current)

    def _is_project(self, path: str) -> _IsProject:
        return _IsProject(self._finder, path)

    def _state(self, path: str) -> FileState:
        """The file, with all its units walked."""
        state = self._files.get(path)
        if state is None:
            state = self._files[path] = FileState(path, self._texts[path], self._is_project(path))
        return state

    def seen_type(self, variable: Variable) -> Type | None:
        """What the value was in a run of the code as it is; None where none was seen."""
        path = "" if variable.unit is None else variable.unit.path
        state = self._state(path) if self._seen.is_of(path) else None
        if state is None or state.text != self._texts[path]:  # in the middle of an edit
            return None
        return self._seen.places(state).types.get(variable)

    def _global_variable(self, module: str, name: str) -> Variable:
        key = (module, name)
        found = self._globals.get(key)
        if found is None:
            found = self._globals[key] = Variable(Op.GLOBAL, None, name, module)
        return found

    def imported(self, module: str, record: ImportRecord) -> list[Value]:
        """What an import of something of the project binds."""
        if not record.name:
            dotted = record.module if record.alias.asname else record.local
            found = self._finder.find(module, dotted, 0)
            return [make(Tag.PROJECT_MODULE, found)] if found is not None else []
        target = self._finder.find(module, record.module, record.level)
        if target is not None:
            self._dependencies.derive(("binding", target, record.name), ("binding", module, record.local))
        # A package that imports `from package import part` means its submodule: the name is bound by this alone.
        is_own = target == module and record.at_module_level
        if target is not None and not is_own and self.has_name(target, record.name):
            return [self._global_variable(target, record.name)]
        dotted = f"{record.module}.{record.name}" if record.module else record.name
        submodule = self._finder.find(module, dotted, record.level)
        return [make(Tag.PROJECT_MODULE, submodule)] if submodule is not None and submodule != module else []

    def has_name(self, module: str, name: str, seen: tuple[str, ...] = ()) -> bool:
        """Whether a module of the project binds the name, itself or by a star import."""
        if module in seen or module not in self._texts:
            return False
        state = self._state(module)
        if name in state.table.names or state.table.starred(name) is not None:
            return True
        for record in state.stars:
            target = self._finder.find(module, record.module, record.level)
            if target is not None:
                self._dependencies.derive(("binding", target, name), ("binding", module, name))
            if target is not None and self.has_name(target, name, (*seen, module)):
                return True
        return False

    def bindings(self, module: str, name: str) -> list[Value]:
        """What the module-level name of the module is bound to."""
        if module not in self._texts:
            return []
        state = self._state(module)
        known = state.table.types.get(name)
        if known is not None:
            return [known]
        values = state.at_the_end(name)
        if not values or name not in state.table.replaced:
            for record in state.imports.get(name, ()):
                values.extend(self.imported(module, record))
        return values or self._bound_elsewhere(state, name)

    def reaching(self, unit: UnitSummary, name: str, and_later: bool) -> list[Value]:
        """What the module-level name holds where the unit begins, or from there on; empty if this is not known."""
        return self._state(unit.path).reaching(unit, name, and_later) if unit.path in self._texts else []

    def _bound_elsewhere(self, state: FileState, name: str) -> list[Value]:
        """A name that a module does not bind itself: from a star import, a submodule, or Python's own."""
        starred = state.table.starred(name)
        having = self._having(state, name, state.stars if starred is None else state.table.covering(name))
        if having:
            return [self._global_variable(target, name) for target in having]
        if starred is not None:
            return [starred]
        if state.path.endswith("__init__.py"):
            submodule = self._finder.at(posixpath.dirname(state.path), name)
            if submodule is not None:
                return [make(Tag.PROJECT_MODULE, submodule)]
        return [python_model.builtin(name)] if name in python_model.BUILTINS else []

    def _having(self, state: FileState, name: str, stars: list[ImportRecord]) -> list[str]:
        """The modules of the project that give a file the name by one of these star imports."""
        having = []
        for record in stars:
            target = self._finder.find(state.path, record.module, record.level)
            if target is not None:
                self._dependencies.derive(("binding", target, name), ("binding", state.path, name))
                if self.has_name(target, name):
                    having.append(target)
        return having

    def names_of_own_stars(self, module: str, kept: Collection[str]) -> frozenset[str]:
        """Of the names that a module reads, and of those `kept` for others, which torch's `import *` has, and one of
        the project's behind it has, too."""
        state = self._state(module)
        if not any(state.table.behind_stars):
            return frozenset()
        names = {name for summary in state.summaries for name in summary.names}.union(
            kept
        ) - state.table.names
        return frozenset(name for name in names if self._having(state, name, state.table.covering(name)))

    def python_modules_of_stars(self, module: str) -> frozenset[str]:
        """Of the names that a module reads and does not bind, those of Python's own modules that `import *` of other
        files of the project gives it: `os`, where these have `import os`."""
        state = self._state(module)
        if not state.stars:
            return frozenset()
        names = {name for summary in state.summaries for name in summary.names} - state.table.names
        return frozenset(
            name for name in names & sys.stdlib_module_names if self._is_python_module(module, name)
        )

    def _is_python_module(self, module: str, name: str, seen: tuple[str, ...] = ()) -> bool:
        """Whether all that a module of the project may have by a name is Python's own module of that name."""
        state = self._state(module)
        if module in seen:  # files that import all of each other: what is bound tells
            return True
        if name in state.bindings or name in state.set_by_functions:
            return False
        if name in state.table.names:
            records = state.imports.get(name, ())
            return bool(records) and all(state.table.dotted_of(record) == name for record in records)
        targets = [self._finder.find(module, record.module, record.level) for record in state.stars]
        known = [target for target in targets if target is not None]
        having = [target for target in known if self.has_name(target, name)]
        return (
            len(known) == len(targets)
            and bool(having)
            and all(self._is_python_module(target, name, (*seen, module)) for target in having)
        )

    def imports_torch(self, module: str) -> bool:
        """Whether the module imports anything of torch at its top."""
        state = self._files.get(module)
        return state is not None and state.imports_torch

    def is_for_arrays(self, module: str) -> bool:
        """Whether the module imports NumPy at its top, and nothing of torch."""
        state = self._files.get(module)
        return state is not None and state.is_for_arrays

    def is_variable(self, module: str, name: str) -> bool:
        """Whether the module assigns the name, and does not import it."""
        if module not in self._texts:
            return False
        self.note(("binding", module, name))
        state = self._state(module)
        return name in state.bindings and name not in state.imports

    def is_imported(self, module: str, name: str) -> bool:
        """Whether the module has the name from another module of the project."""
        if module not in self._texts:
            return False
        self.note(("binding", module, name))
        state = self._state(module)
        return name in state.imports or (name not in state.table.names and bool(state.stars))

    def torch_name(self, module: str, name: str, seen: tuple[str, ...] = ()) -> str:
        """The dotted name of torch that the module has a name from by imports alone; empty if it is none."""
        if module in seen or module not in self._texts:
            return ""
        state = self._state(module)
        dotted = state.table.dotted.get(name) or state.table.starred_name(name)
        is_covered = name not in state.table.names and self._having(state, name, state.table.covering(name))
        if (dotted and not is_covered) or (name in state.table.names and name not in state.imports):
            return dotted
        for record in (*state.imports.get(name, ()), *state.stars):
            target = self._finder.find(module, record.module, record.level)
            handed = name if record.name == "*" else record.name
            found = self.torch_name(target, handed, (*seen, module)) if target is not None else ""
            if found:
                return found
        return ""

    def class_entry(self, key: str) -> ClassEntry | None:
        """The class with this key."""
        path = key.rpartition(":")[0]
        return self._state(path).classes.get(key) if path in self._texts else None

    def function(self, key: str) -> FunctionRecord | None:
        """The function with this key."""
        path = key.rpartition(":")[0]
        return self._state(path).functions.get(key) if path in self._texts else None

    def methods(self, name: str) -> list[FunctionRecord]:
        """The methods of that name of all classes of the project."""
        return self._methods.of(name)

    def keepers(self, name: str) -> list[str]:
        """The keys of all classes of the project that keep something in an attribute of that name."""
        return self._keepers.of(name)

    def named_as_base(self, name: str) -> list[str]:
        """The keys of all classes of the project that name something so among their bases."""
        return self._heirs.of(name)

    def arguments(self, key: str) -> dict[str, list[Value]]:
        """Parameter -> what calls anywhere in the project pass to the function."""
        if not self._passed.is_known:
            self._passed.is_known = True
            for path in sorted(self._texts):
                for summary in self._state(path).summaries:
                    self._contribute(summary, self._resolver)
        return self._passed.to(key)

    def _contribute(self, summary: UnitSummary, resolver: Resolver) -> None:
        """Add what the calls of a unit pass. Whatever the resolver asks for is asked by this unit."""
        outer, self._resolver.current = self._resolver.current, summary
        self._passed.contribute(summary, resolver)
        self._resolver.current = outer
