"""One file of a project: its units, what each says, and what they say together."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Mapping
from types import MappingProxyType

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.module import ParsedModule, parse_module
from mindport.source.units import Unit, UnitKind
from mindport.usage.api_use import ApiUse, OwnAttribute
from mindport.usage.header import ImportTable, UnitHeader, scan
from mindport.usage.mindspore_uses import ROOT, imported_names
from mindport.usage.places import CodePlace
from mindport.usage.shared_changes import KnownScopes
from mindport.usage.statements import UnitWalker
from mindport.usage.variables import FunctionRecord, ImportRecord, UnitSummary, Value
from mindport.usage.world import ClassEntry, name_of_base

IsProject = Callable[[str, int], bool]
# The places in what a module does when it is loaded, with the trees, rows and shifts that they were found in.
ModulePlaces = tuple[tuple[object, ...], tuple[CodePlace, ...]]


class FileState:
    """A file at one text. Made from the text alone, or from the state before an edit: the result is the same."""

    __slots__ = (
        "added",
        "binders",
        "bindings",
        "classes",
        "functions",
        "headers",
        "imports",
        "imports_torch",
        "index",
        "is_for_arrays",
        "mindspore_names",
        "module",
        "module_places",
        "named_as_base",
        "path",
        "positions",
        "removed",
        "rows",
        "scopes",
        "set_by_functions",
        "stars",
        "summaries",
        "table",
        "text",
    )  # fmt: skip

    def __init__(self, path: str, text: str, is_project: IsProject, before: FileState | None = None) -> None:
        self.path = path
        self.text = text
        self.module: ParsedModule = parse_module(text) if before is None else before.module.update(text)
        analysed = self.module.analysed_text(text)
        self.index = LineIndex(analysed)
        self.bindings: dict[str, list[Value]] = {}
        # The units that bind a name of `table.rebound`, in order, and the places of all units.
        self.binders: dict[str, list[UnitSummary]] = {}
        self.positions: dict[UnitSummary, int] = {}
        self.set_by_functions: set[str] = set()  # names that functions declare `global` and assign
        self.classes: dict[str, ClassEntry] = {}
        self.named_as_base: dict[str, list[str]] = {}  # what classes call a base -> their keys
        self.functions: dict[str, FunctionRecord] = {}
        self.imports: dict[str, list[ImportRecord]] = {}
        self.stars: list[ImportRecord] = []
        self.rows: dict[UnitSummary, UnitRows] = {} if before is None else before.rows
        known = {} if before is None else before.known_units()
        self.headers = [_header_of(unit, known) for unit in self.module.units]
        self.module_places: ModulePlaces = ((), ()) if before is None else before.module_places
        self.scopes: KnownScopes = KnownScopes() if before is None else before.scopes
        self.mindspore_names = imported_names(self.headers) if ROOT in analysed else {}
        if before is not None and before.mindspore_names != self.mindspore_names:
            # Places speak of what the names meant.
            self.rows = {}
            self.module_places = ((), ())
        self.table = ImportTable(self.headers, is_project)
        # Files of a package that take torch from their own core count as well.
        self.imports_torch = self.table.imports_torch() or "torch" in analysed
        self.is_for_arrays = self.table.imports_numpy() and not self.imports_torch
        for header in self.headers:
            for record in header.imports:
                self.imports.setdefault(record.local, []).append(record)
            self.stars.extend(header.stars)
        self.summaries: list[UnitSummary] = []
        self.added: list[UnitSummary] = []
        self._walk(known, self.table.differences(before.table) if before is not None else frozenset())
        kept = set(self.summaries)
        self.removed = (
            [] if before is None else [summary for summary in before.summaries if summary not in kept]
        )
        for summary in self.removed:
            self.rows.pop(summary, None)

    def known_units(self) -> dict[int, tuple[UnitHeader, UnitSummary]]:
        """Header and summary of each unit, by the identity of its trees."""
        return {
            id(unit.statements): (header, summary)
            for unit, header, summary in zip(self.module.units, self.headers, self.summaries, strict=True)
        }

    def _walk(self, known: dict[int, tuple[UnitHeader, UnitSummary]], changed: frozenset[str] | None) -> None:
        """Walk the units that are new, or that look up a name whose meaning changed (`changed` is None for any)."""
        walker = UnitWalker(self.table, self.path)
        for unit, header in zip(self.module.units, self.headers, strict=True):
            before = known.get(id(unit.statements))
            if before is not None and changed is not None and before[1].names.isdisjoint(changed):
                summary = before[1]
            else:
                walker.begin()
                walker.table = self.table.where_defined(header)
                summary = _walk_unit(walker, unit, self.path)
                summary.path = self.path
                self.added.append(summary)
            self.summaries.append(summary)
            self._merge(summary)

    def _merge(self, summary: UnitSummary) -> None:
        """Add what a unit says to what the file says."""
        self.positions[summary] = len(self.positions)
        self.set_by_functions |= summary.set_by_functions
        for name, values in summary.bindings.items():
            self.bindings.setdefault(name, []).extend(values)
            if name in self.table.rebound:
                self.binders.setdefault(name, []).append(summary)
        for key, record in summary.classes.items():
            entry = self._entry(key)
            entry.bases.extend(record.bases)
            for base in record.bases:
                self.named_as_base.setdefault(name_of_base(base), []).append(key)
            for name, values in record.attributes.items():
                entry.attributes.setdefault(name, []).extend(values)
            for name, variable in record.reads.items():
                entry.reads.setdefault(name, []).append(variable)
        for function in summary.functions:
            if function.is_accessor:
                continue
            self.functions[function.key] = function
            if function.class_key:
                self._entry(function.class_key).methods[function.name] = function

    def reaching(self, unit: UnitSummary, name: str, and_later: bool) -> list[Value]:
        """What a module-level name holds where the unit begins, or from there on; empty if nothing binds it there, or
        if functions set it, too. What a unit leaves in a name takes in what was there before on paths that do not
        bind it, so that the last unit tells all."""
        if name in self.set_by_functions:
            return []
        binders = self.binders.get(name, [])
        here = bisect_left(binders, self.positions[unit], key=self.positions.__getitem__)
        reached = binders[max(here - 1, 0) :] if and_later else binders[:here][-1:]
        return [value for one in reached for value in one.bindings[name]]

    def at_the_end(self, name: str) -> list[Value]:
        """What a module-level name holds once the module is loaded, for those who import it; everything that it is
        ever bound to where functions set it."""
        last = self.binders.get(name, ())[-1:]
        if not last or name in self.set_by_functions:
            return list(self.bindings.get(name, ()))
        return list(last[0].bindings[name])

    def _entry(self, key: str) -> ClassEntry:
        entry = self.classes.get(key)
        if entry is None:
            entry = self.classes[key] = ClassEntry(key)
        return entry

    def leads_elsewhere(self, is_project: IsProject) -> bool:
        """Whether imports mean something else now that the project has other files."""
        return ImportTable(self.headers, is_project).differences(self.table) != frozenset()

    def star_imports(self) -> object:
        """Equal for states with the same star imports."""
        return [(record.module, record.level) for record in self.stars]

    def changed_names(self, before: FileState) -> set[str]:
        """Module-level names that are bound in another way than before, or no more."""
        changed = set(self.table.differences(before.table) or ())
        changed.update(self.imports.keys() ^ before.imports.keys())
        for name, records in self.imports.items():
            others = before.imports.get(name, [])
            if [_import_text(record) for record in records] != [_import_text(record) for record in others]:
                changed.add(name)
        return changed


def _import_text(record: ImportRecord) -> tuple[str, str, int]:
    return record.module, record.name, record.level


class UnitRows:
    """The rows of one unit, as they were made with the unit `shift` lines from where it was parsed."""

    __slots__ = (
        "called",
        "own_attributes",
        "own_methods",
        "placed",
        "places",
        "shift",
        "unrecognised",
        "uses",
    )

    def __init__(
        self,
        shift: int,
        uses: list[ApiUse],
        unrecognised: int,
        places: tuple[CodePlace, ...] = (),
        placed: Mapping[ast.AST, ApiUse] = MappingProxyType({}),
    ) -> None:
        self.shift = shift
        self.uses = uses
        self.unrecognised = unrecognised
        self.places = places
        self.placed = placed  # the uses by their nodes
        self.own_methods: tuple[Span, ...] = ()
        self.own_attributes: tuple[OwnAttribute, ...] = ()
        # What only matters where the unit is compiled because another one calls it, with the reason; None until asked.
        self.called: tuple[str, tuple[CodePlace, ...]] | None = None

    def moved(self, lines: int) -> UnitRows:
        """The same rows, further down."""
        found = UnitRows(
            self.shift + lines,
            [use.shifted(lines) for use in self.uses],
            self.unrecognised,
            _moved(self.places, lines),
            self.placed,
        )
        found.own_methods = tuple(span.shifted(lines) for span in self.own_methods)
        found.own_attributes = tuple(one.shifted(lines) for one in self.own_attributes)
        if self.called is not None:
            found.called = (self.called[0], _moved(self.called[1], lines))
        return found


def place_of(use: ApiUse) -> tuple[Span, Span, str]:
    """What the uses of a file are sorted by."""
    return use.span, use.name_span, use.api


def _moved(places: tuple[CodePlace, ...], lines: int) -> tuple[CodePlace, ...]:
    return tuple(place.shifted(lines) for place in places)


def _header_of(unit: Unit, known: dict[int, tuple[UnitHeader, UnitSummary]]) -> UnitHeader:
    before = known.get(id(unit.statements))
    if before is not None:
        return before[0]
    if unit.kind is UnitKind.STATEMENT:
        return scan(unit.statements)
    header = UnitHeader()
    if unit.kind is UnitKind.CLASS:
        header.names.add(unit.owner)
        header.definitions.add(unit.owner)
    return header


def _walk_unit(walker: UnitWalker, unit: Unit, path: str) -> UnitSummary:
    """Walk one unit of a file."""
    if unit.kind is UnitKind.CLASS:
        return walker.walk_class_header(unit.statements)
    if unit.kind is UnitKind.MEMBER:
        return walker.walk(unit.statements, f"{path}:{unit.owner}", unit.owner)
    return walker.walk(unit.statements)
