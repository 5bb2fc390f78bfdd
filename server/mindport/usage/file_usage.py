"""All that one file does with torch, put together from what its units do."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

from mindport.model.span import Span
from mindport.usage.api_use import ApiUse, FileUsage, ImportBinding, OwnAttribute
from mindport.usage.data_code import DataCode
from mindport.usage.data_places import data_places, outside_data
from mindport.usage.emit import Emitter
from mindport.usage.file_signs import with_signs_of_file
from mindport.usage.files import FileState, UnitRows, place_of
from mindport.usage.import_rows import import_rows
from mindport.usage.mindspore_uses import MindSporeReader
from mindport.usage.places import CodePlace
from mindport.usage.resolve import Resolver
from mindport.usage.seen.run import SeenCall
from mindport.usage.unit_places import is_module_code, module_places, unit_places
from mindport.usage.variables import ImportRecord


def file_usage(
    state: FileState,
    resolver: Resolver,
    imports: tuple[ImportBinding, ...],
    is_project: Callable[[str, int], bool],
    data_code: DataCode,
    mindspore_reader: MindSporeReader,
    *,
    signs: frozenset[str],
    seen: Mapping[Span, tuple[SeenCall, ...]],
) -> FileUsage:
    """What the file does with torch and MindSpore. Units whose rows are known and still hold are not asked again, only
    moved. `is_project` tells whether an import of the file, by module and level, leads into the project;
    `signs` what there are signs of anywhere in it, `seen` the calls that a run showed, by their spans."""
    uses: list[ApiUse] = []
    places: list[CodePlace] = []
    own_methods: set[Span] = set()
    own_attributes: list[OwnAttribute] = []
    unrecognised = 0
    emitter = Emitter(resolver, state.index, state.table, signs=signs, seen=seen)
    for rows in _rows_of_units(state, emitter, is_project):
        uses.extend(rows.uses)
        places.extend(rows.places)
        own_methods.update(rows.own_methods)
        own_attributes.extend(rows.own_attributes)
        unrecognised += rows.unrecognised
    uses = with_signs_of_file(state, emitter, uses)
    places += _module_places(state, emitter)
    names = data_code.functions(state.path)
    if names:
        places = [*outside_data(places, names, state), *data_places(uses, names, state)]
    mindspore = mindspore_reader.read(state.module.units, state.headers, state.index)
    if any(use.receiver for use in mindspore):
        # A method that looks like torch's is among the uses of torch, with its card and its fix.
        methods = {use.span for use in uses if use.receiver is not None}
        mindspore = tuple(use for use in mindspore if not use.receiver or use.span not in methods)
    return FileUsage(
        tuple(uses),
        imports,
        frozenset(state.table.names),
        unrecognised,
        mindspore,
        tuple(places),
        frozenset(own_methods),
        own_attributes=tuple(own_attributes),
    )


def _rows_of_units(
    state: FileState, emitter: Emitter, is_project: Callable[[str, int], bool]
) -> list[UnitRows]:
    """What each unit does, where it stands now."""

    def leads_into_project(record: ImportRecord) -> bool:
        return is_project(record.module, record.level)

    found = []
    for unit, summary in zip(state.module.units, state.summaries, strict=True):
        rows = state.rows.get(summary)
        if rows is None:
            emitter.shift = unit.shift
            emitter.unrecognised = 0
            uses = emitter.rows(summary)
            if summary.imports:
                uses.extend(import_rows(summary, emitter, leads_into_project))
            uses.sort(key=place_of)
            rows = UnitRows(unit.shift, uses, emitter.unrecognised, (), emitter.placed)
            rows.own_methods = tuple(emitter.own_methods)
            rows.own_attributes = tuple(emitter.own_attributes)
            if not is_module_code(unit):
                rows.places = unit_places(
                    unit, emitter.placed, state.mindspore_names, summary.names, emitter.span
                )
            state.rows[summary] = rows
        elif rows.shift != unit.shift:
            rows = state.rows[summary] = rows.moved(unit.shift - rows.shift)
        found.append(rows)
    return found


def _module_places(state: FileState, emitter: Emitter) -> tuple[CodePlace, ...]:
    """The places in what the module does when it is loaded, anew where any of that changed or moved."""
    units = [
        (unit, state.rows[summary].placed)
        for unit, summary in zip(state.module.units, state.summaries, strict=True)
        if is_module_code(unit)
    ]
    key = tuple(part for unit, rows in units for part in (unit.statements, rows, unit.shift))
    known = state.module_places
    if len(key) == len(known[0]) and all(map(operator.is_, key, known[0])):
        return known[1]

    def span(node: ast.AST, shift: int) -> Span:
        emitter.shift = shift
        return emitter.span(node)

    found = module_places(units, state.mindspore_names, state.table.names, span)
    state.module_places = (key, found)
    return found
