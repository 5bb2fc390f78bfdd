"""The files of one project, what they export to each other, and the uses of torch in each."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.module import ParsedModule, Unit, UnitKind, parse_module
from mindport.source.problem import Problem
from mindport.usage import python_model, torch_model
from mindport.usage.api_use import ApiUse, FileUsage, Form, ImportBinding
from mindport.usage.classes import ClassEntry
from mindport.usage.emit import Emitter
from mindport.usage.header import LIBRARIES, ImportTable, UnitHeader, scan
from mindport.usage.resolve import Resolver
from mindport.usage.statements import UnitWalker
from mindport.usage.types import Tag, Type, make
from mindport.usage.variables import FunctionRecord, ImportRecord, Op, UnitSummary, Value, Variable


class FileState:
    """One file: its units, and what each says."""

    __slots__ = (
        "bindings", "classes", "functions", "headers", "imports", "index", "module", "path", "stars", "summaries", "table",
        "text",
    )  # fmt: skip

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.index = LineIndex(text)
        self.module: ParsedModule = parse_module(text)
        self.headers: list[UnitHeader] = []
        self.summaries: list[UnitSummary] = []
        self.table: ImportTable | None = None
        self.bindings: dict[str, list[Value]] = {}
        self.classes: dict[str, ClassEntry] = {}
        self.functions: dict[str, FunctionRecord] = {}
        self.imports: dict[str, list[ImportRecord]] = {}
        self.stars: list[ImportRecord] = []


class Project:
    """All files of one project. Paths are with forward slashes, relative to the project or absolute, but all alike.

    `usage` is a pure function of the texts that were added: the order of additions and edits never shows."""

    def __init__(self, root: str = "") -> None:
        self.root = root.rstrip("/")
        self._files: dict[str, FileState] = {}
        self._texts: dict[str, str] = {}
        self._resolver = Resolver(self)
        self._globals: dict[tuple[str, str], Variable] = {}
        self._arguments: dict[str, dict[str, list[Value]]] | None = None
        self._found_modules: dict[tuple[str, str, int], str | None] = {}
        self._usages: dict[str, FileUsage] = {}

    # -- files

    def add(self, path: str, text: str) -> None:
        """Add a file, or give it a new text."""
        if self._texts.get(path) == text:
            return
        self._texts[path] = text
        self._files.pop(path, None)
        self._forget()

    def remove(self, path: str) -> None:
        """Forget a file; one that is not there is no error."""
        if self._texts.pop(path, None) is not None:
            self._files.pop(path, None)
            self._forget()

    def paths(self) -> Iterable[str]:
        """The files that were added."""
        return self._texts.keys()

    def _forget(self) -> None:
        self._resolver.forget()
        self._arguments = None
        self._found_modules.clear()
        self._usages.clear()

    def _state(self, path: str) -> FileState:
        """The file, with all its units walked."""
        state = self._files.get(path)
        if state is None:
            state = self._files[path] = FileState(path, self._texts[path])
            self._walk(state)
        return state

    def _walk(self, state: FileState) -> None:
        units = state.module.units
        state.headers = [scan(unit.statements) if unit.kind is UnitKind.STATEMENT else _class_header(unit) for unit in units]
        state.table = ImportTable(state.headers, lambda module, level: self.find_module(state.path, module, level) is not None)
        for header in state.headers:
            for record in header.imports:
                state.imports.setdefault(record.local, []).append(record)
            state.stars.extend(header.stars)
        for unit in units:
            walker = UnitWalker(state.table, state.path)
            summary = walk_unit(walker, unit, state.path)
            state.summaries.append(summary)
            _merge(state, summary)

    # -- modules

    def find_module(self, importer: str, dotted: str, level: int) -> str | None:
        """The path of the file that an import statement in `importer` names; None if it is none of the project."""
        key = (posixpath.dirname(importer), dotted, level)
        try:
            return self._found_modules[key]
        except KeyError:
            found = self._found_modules[key] = self._search_module(*key)
            return found

    def _search_module(self, folder: str, dotted: str, level: int) -> str | None:
        if level:
            base = folder
            for _ in range(level - 1):
                base = posixpath.dirname(base)
            return self._module_at(base, dotted)
        root = dotted.partition(".")[0]
        if root == "torch" or not dotted:
            return None
        package_root = folder
        while self._has(posixpath.join(package_root, "__init__.py")) and package_root:
            package_root = posixpath.dirname(package_root)
        candidates = [package_root, self.root, posixpath.join(self.root, "src")]
        if not python_model.is_standard(root):
            candidates.insert(0, folder)
            parent = posixpath.dirname(package_root)
            if parent != package_root:
                candidates.append(parent)
        for candidate in candidates:
            found = self._module_at(candidate, dotted)
            if found is not None:
                return found
        return None

    def _module_at(self, base: str, dotted: str) -> str | None:
        place = posixpath.join(base, *dotted.split(".")) if dotted else base
        for path in (f"{place}/__init__.py" if place else "__init__.py", f"{place}.py"):
            if path in self._texts:
                return path
        return None

    def _has(self, path: str) -> bool:
        return path in self._texts

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
            found = self.find_module(module, dotted, 0)
            return [make(Tag.PROJECT_MODULE, found)] if found is not None else []
        target = self.find_module(module, record.module, record.level)
        values: list[Value] = []
        if target is not None and self.has_name(target, record.name):
            values.append(self._global_variable(target, record.name))
        else:
            dotted = f"{record.module}.{record.name}" if record.module else record.name
            submodule = self.find_module(module, dotted, record.level)
            if submodule is not None and submodule != module:
                values.append(make(Tag.PROJECT_MODULE, submodule))
        return values

    def has_name(self, module: str, name: str, seen: tuple[str, ...] = ()) -> bool:
        """Whether a module of the project binds the name, itself or by a star import."""
        if module in seen or module not in self._texts:
            return False
        state = self._state(module)
        if state.table is not None and (name in state.table.names or state.table.starred(name) is not None):
            return True
        for record in state.stars:
            target = self.find_module(module, record.module, record.level)
            if target is not None and self.has_name(target, name, (*seen, module)):
                return True
        return False

    # -- what the resolver asks for

    def bindings(self, module: str, name: str) -> list[Value]:
        """What the module-level name of the module is bound to."""
        if module not in self._texts:
            return []
        state = self._state(module)
        values: list[Value] = []
        table = state.table
        if table is not None:
            known = table.types.get(name)
            if known is not None:
                return [known]
        values.extend(state.bindings.get(name, ()))
        for record in state.imports.get(name, ()):
            values.extend(self.imported(module, record))
        if not values and table is not None:
            starred = table.starred(name)
            if starred is not None:
                return [starred]
            for record in state.stars:
                target = self.find_module(module, record.module, record.level)
                if target is not None and self.has_name(target, name):
                    values.append(self._global_variable(target, name))
        if not values and module.endswith("__init__.py"):
            submodule = self._module_at(posixpath.dirname(module), name)
            if submodule is not None:
                return [make(Tag.PROJECT_MODULE, submodule)]
        if not values and name in python_model.BUILTINS:
            return [python_model.builtin(name)]
        return values

    def is_imported(self, module: str, name: str) -> bool:
        """Whether the module has the name from another module of the project."""
        if module not in self._texts:
            return False
        state = self._state(module)
        return name in state.imports or (state.table is not None and name not in state.table.names and bool(state.stars))

    def is_variable(self, module: str, name: str) -> bool:
        """Whether the module assigns the name, and does not import it."""
        if module not in self._texts:
            return False
        state = self._state(module)
        return name in state.bindings and name not in state.imports

    def class_entry(self, key: str) -> ClassEntry | None:
        """The class with this key."""
        path = key.rpartition(":")[0]
        return self._state(path).classes.get(key) if path in self._texts else None

    def function(self, key: str) -> FunctionRecord | None:
        """The function with this key."""
        path = key.rpartition(":")[0]
        return self._state(path).functions.get(key) if path in self._texts else None

    def arguments(self, key: str) -> dict[str, list[Value]]:
        """Parameter -> what calls anywhere in the project pass to the function."""
        if self._arguments is None:
            self._arguments = {}
            for path in sorted(self._texts):
                for summary in self._state(path).summaries:
                    for call in summary.calls:
                        self._collect(call, self._arguments)
        return self._arguments.get(key, {})

    def _collect(self, call: Variable, collected: dict[str, dict[str, list[Value]]]) -> None:
        callee = self._resolver.callee_of(call)
        if callee is None:
            return
        record, skip = callee
        positional, keywords = call.detail
        into = collected.setdefault(record.key, {})
        for parameter in record.parameters.values():
            if parameter.annotation is not None:
                continue
            place = parameter.position + skip
            if parameter.name in keywords:
                into.setdefault(parameter.name, []).append(keywords[parameter.name])
            elif parameter.position >= 0 and place < len(positional):
                into.setdefault(parameter.name, []).append(positional[place])

    # -- results

    def usage(self, path: str) -> FileUsage:
        """Everything that the file does with torch. Raises KeyError for a file that was not added."""
        found = self._usages.get(path)
        if found is None:
            found = self._usages[path] = self._make_usage(self._state(path))
        return found

    def problems(self, path: str) -> tuple[Problem, ...]:
        """The parts of the file that do not parse. Raises KeyError for a file that was not added."""
        return self._state(path).module.problems

    def problems(self, path: str) -> tuple[Problem, ...]:
        """The parts of the file that do not parse. Raises KeyError for a file that was not added."""
        return self._state(path).module.problems

    def _make_usage(self, state: FileState) -> FileUsage:
        table = state.table
        assert table is not None
        uses: list[ApiUse] = []
        unrecognised = 0
        index = state.index
        for unit, summary in zip(state.module.units, state.summaries):
            shift = unit.shift

            def place(line: int, column: int, shift: int = shift) -> tuple[int, int]:
                return line + shift, index.column_of_byte(line + shift, column)

            emitter = Emitter(self._resolver, place, index.slice, table)
            uses.extend(emitter.rows(summary))
            uses.extend(import_rows(self, state, summary, emitter))
            unrecognised += emitter.unrecognised
        uses.sort(key=lambda use: (use.span, use.name_span, use.api))
        return FileUsage(tuple(uses), tuple(import_bindings(state)), frozenset(table.names), unrecognised)


def walk_unit(walker: UnitWalker, unit: Unit, path: str) -> UnitSummary:
    """Walk one unit of a file."""
    if unit.kind is UnitKind.CLASS:
        return walker.walk_class_header(unit.statements[0])
    if unit.kind is UnitKind.MEMBER:
        return walker.walk(unit.statements, f"{path}:{unit.owner}", unit.owner)
    return walker.walk(unit.statements)


def _class_header(unit: Unit) -> UnitHeader:
    header = UnitHeader()
    if unit.kind is UnitKind.CLASS:
        header.names.add(unit.owner)
    return header


def _merge(state: FileState, summary: UnitSummary) -> None:
    """Add what a unit says to what the file says."""
    for name, values in summary.bindings.items():
        state.bindings.setdefault(name, []).extend(values)
    for key, record in summary.classes.items():
        entry = state.classes.get(key)
        if entry is None:
            entry = state.classes[key] = ClassEntry(key)
        entry.bases.extend(record.bases)
        for name, values in record.attributes.items():
            entry.attributes.setdefault(name, []).extend(values)
        entry.annotations.update(record.annotations)
    for function in summary.functions:
        if function.is_accessor:
            continue
        state.functions[function.key] = function
        if function.class_key:
            entry = state.classes.get(function.class_key)
            if entry is None:
                entry = state.classes[function.class_key] = ClassEntry(function.class_key)
            entry.methods[function.name] = function


def import_rows(project: Project, state: FileState, summary: UnitSummary, emitter: Emitter) -> Iterator[ApiUse]:
    """One row for each alias of an import of torch or of a library built on it."""
    for record in summary.imports:
        library = ""
        if record.level or project.find_module(state.path, record.module, record.level) is not None:
            continue
        dotted = record.module if record.name in ("", "*") else f"{record.module}.{record.name}"
        root = dotted.partition(".")[0]
        if root in torch_model.TORCH_ROOTS:
            reference = torch_model.reference(dotted)
            api = reference.name
            if not reference.is_known and root == "torch":
                emitter.unrecognised += 1
        elif root in LIBRARIES:
            api, library = dotted, root
        else:
            continue
        span = emitter.span(record.alias)
        name_length = len(record.alias.name)
        name_span = Span(span.line, span.column, span.line, span.column + name_length)
        last = record.alias.name.rpartition(".")[2]
        name_span = Span(span.line, name_span.end_column - len(last), span.line, name_span.end_column)
        yield ApiUse(api, Form.IMPORT, span, name_span, guarded=record.guarded, library=library, scope=record.scope)


def import_bindings(state: FileState) -> Iterator[ImportBinding]:
    """The names that imports at module level bind."""
    used: set[str] = set()
    for summary in state.summaries:
        used |= summary.names
    index = state.index

    def span(node: object, shift: int) -> Span:
        line, end_line = node.lineno + shift, node.end_lineno + shift
        return Span(
            line,
            index.column_of_byte(line, node.col_offset),
            end_line,
            index.column_of_byte(end_line, node.end_col_offset),
        )

    for unit, header in zip(state.module.units, state.headers):
        for record in (*header.imports, *header.stars):
            module = "." * record.level + record.module
            yield ImportBinding(
                record.local, module, record.name, span(record.node, unit.shift), span(record.alias, unit.shift),
                record.name == "*" or record.local in used,
            )  # fmt: skip


__all__ = ["FileState", "Project", "Type"]
