"""Rows and bindings for the import statements of a file."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from mindport.model.span import Span
from mindport.registry.libraries import library_of
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Form, ImportBinding
from mindport.usage.emit import Emitter
from mindport.usage.files import FileState
from mindport.usage.variables import ImportRecord, UnitSummary


def import_rows(
    summary: UnitSummary, emitter: Emitter, is_project: Callable[[ImportRecord], bool]
) -> Iterator[ApiUse]:
    """One row for each alias of an import of torch or of a library built on it."""
    for record in summary.imports:
        if is_project(record):
            continue
        library = ""
        dotted = record.module if record.name in ("", "*") else f"{record.module}.{record.name}"
        root = dotted.partition(".")[0]
        if root in torch_model.TORCH_ROOTS:
            reference = torch_model.reference(dotted)
            api = reference.name
            if not reference.is_known and root == "torch":
                emitter.unrecognised += 1
        else:
            found = library_of(dotted)
            if found is None:
                continue
            api, library = dotted, found.root
        span = emitter.span(record.alias)
        last = record.alias.name.rpartition(".")[2]
        end = span.column + len(record.alias.name)
        name_span = Span(span.line, end - len(last), span.line, end)
        yield ApiUse(
            api, Form.IMPORT, span, name_span, guarded=record.guarded, library=library, scope=record.scope
        )


def import_bindings(state: FileState) -> Iterator[ImportBinding]:
    """The names that imports at module level bind."""
    used: set[str] = set()
    for summary in state.summaries:
        used |= summary.names
    index = state.index

    def span(node: ast.stmt | ast.alias, shift: int) -> Span:
        line, end_line = node.lineno + shift, (node.end_lineno or node.lineno) + shift
        end = index.column_of_byte(end_line, node.end_col_offset or 0)
        return Span(line, index.column_of_byte(line, node.col_offset), end_line, end)

    for unit, header in zip(state.module.units, state.headers, strict=True):
        for record in (*header.imports, *header.stars):
            is_used = record.name == "*" or record.local in used
            module = "." * record.level + record.module
            statement, alias = span(record.node, unit.shift), span(record.alias, unit.shift)
            yield ImportBinding(record.local, module, record.name, statement, alias, is_used)
