"""Turns the sites of a unit into `ApiUse` rows, once their values have types."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.registry.signature import ParameterKind
from mindport.registry.torch import torch_facts
from mindport.source.lines import LineIndex
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Call, Form, ResultUse
from mindport.usage.header import ImportTable, library_of_name
from mindport.usage.index_rows import IndexRows
from mindport.usage.named_in_strings import is_looked_up_in
from mindport.usage.project_signs import BYTE_MASKS, EMPTINESS, WRITING
from mindport.usage.resolve import Resolver
from mindport.usage.rows.cut_indices import CUT, CutIndices
from mindport.usage.rows.joined_masks import MASKS, joins_masks
from mindport.usage.rows.making import CONFIDENCES, RESULTS
from mindport.usage.rows.members import CONSTANT_TAGS, TORCH_TAGS, MemberRows
from mindport.usage.rows.selections import OF_ALL_ELEMENTS, SELECTED, Selections
from mindport.usage.rows.tensors import OF_MASK, TensorRows
from mindport.usage.seen.run import SeenCall
from mindport.usage.seen.uses import with_seen, with_seen_names
from mindport.usage.types import INFERRED, PROVED, Tag, Type, members
from mindport.usage.variables import Op, Site, SiteForm, UnitSummary, Variable

# The methods of distributions, `sample` and `mean`, are for whoever has one: a class of the project says what they
# do itself. The methods of networks, optimizers and schedules are called from inside.
_CALLED_BY_THE_PROJECT = "torch.distributions."


class Emitter(MemberRows, TensorRows):
    """Makes the rows of one file, for units that are `shift` lines from where they were parsed."""

    def __init__(
        self,
        resolver: Resolver,
        index: LineIndex,
        table: ImportTable,
        *,
        signs: frozenset[str] = frozenset(),
        seen: Mapping[Span, tuple[SeenCall, ...]] = MappingProxyType({}),
    ) -> None:
        super().__init__(resolver, index, table, signs=signs)
        self._seen = seen  # the calls that a run showed
        self._emitters = {
            SiteForm.NAME: self.name,
            SiteForm.MEMBER: self.member,
            SiteForm.OPERATOR: self.operator,
            SiteForm.INDEX: self.subscript,
            SiteForm.FORMAT: self.formatted,
            SiteForm.SIZES: self.given_sizes,
            SiteForm.GETATTR: self.dynamic,
            SiteForm.OVERRIDE: self.override,
            SiteForm.NAMED_ARGUMENTS: self.layer_call,
            SiteForm.TYPE_OF: self.type_of,
            SiteForm.OF_ELEMENTS: self.of_elements,
        }

    def rows(self, summary: UnitSummary) -> list[ApiUse]:
        """The rows of one unit, in the order they were found."""
        found: list[ApiUse] = []
        emitters = self._emitters
        self.resolver.current = summary
        self._in_module = {}
        placed = self.placed = {}
        self.parts = set()
        self.own_methods = []
        self.own_attributes = []
        self.instead = set()
        self.index_rows = IndexRows(
            summary,
            self.resolver,
            self.span,
            WRITING in self.signs,
            EMPTINESS in self.signs,
            BYTE_MASKS in self.signs,
        )
        selections = Selections(summary, self.resolver)
        cut_indices = CutIndices(summary)
        for site in summary.sites:
            self.beside = []
            row = emitters[site.form](site, summary)
            if row is not None:
                if row.call is not None and self.is_of_mask(site):
                    row = msgspec.structs.replace(row, signs=row.signs | OF_MASK)
                if row.call is not None and (selections.is_taken(site) or self._may_be_of_nothing(row)):
                    row = msgspec.structs.replace(row, signs=row.signs | SELECTED)
                if joins_masks(site.call):
                    row = msgspec.structs.replace(row, signs=row.signs | MASKS)
                if cut_indices.is_taken(site):
                    row = msgspec.structs.replace(row, signs=row.signs | CUT)
                if self._seen:
                    row = self._as_seen(row, site)
                if summary.counted:
                    self.beside += self.counted(row, site, summary)
                placed[site.node] = row
                for one in (row, *self.beside):
                    found.append(
                        msgspec.structs.replace(one, signs=self.signs | one.signs) if self.signs else one
                    )
        self.resolver.current = None
        return _with_optimizers(_last_of(found, self.instead) if self.instead else found)

    def _may_be_of_nothing(self, row: ApiUse) -> bool:
        """Whether a value is computed of all elements where there are tensors without any."""
        return not self.signs.isdisjoint(("empty", EMPTINESS)) and row.api in OF_ALL_ELEMENTS

    def _as_seen(self, row: ApiUse, site: Site) -> ApiUse:
        """The row, with what a run showed of its call."""
        node = site.call if site.call is not None else site.node
        if site.inside_string or not isinstance(node, ast.expr | ast.AugAssign):
            return row
        span = self.span(node)
        if row.form is Form.DYNAMIC:
            return with_seen_names(row, span, self._seen)
        return with_seen(row, node, self._seen.get(span, ()))

    def name(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        value = site.value
        if isinstance(value, Variable):
            # Only a name that comes from elsewhere in the project is a use of torch; a local alias is not.
            kind = self.resolver.exported(value)
            if kind.tag in TORCH_TAGS:
                return self.given_module(site, self.row(site, summary, kind.name, self.form_of(site), PROVED))
            if value.op is Op.GLOBAL and kind.tag in CONSTANT_TAGS:
                constant = self.constant(value.detail, value.name)
                if constant:
                    return self.row(site, summary, constant, self.form_of(site), PROVED)
            return None
        if value.tag is Tag.EXTERNAL:
            library = library_of_name(value.name)
            if library:
                return self.row(site, summary, value.name, self.form_of(site), PROVED, library)
            return None
        if site.name.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return None
        reference = torch_model.reference(site.name)
        if not reference.is_known:
            self.unrecognised += 1
        return self.given_module(site, self.row(site, summary, reference.name, self.form_of(site), PROVED))

    def given_module(self, site: Site, row: ApiUse | None) -> ApiUse | None:
        """The row for a module that is handed on as a value, `build(torch.optim, kind)`: names are looked up in it."""
        if row is None or row.form is not Form.VALUE or not is_looked_up_in(row.api):
            return row
        return msgspec.structs.replace(row, form=Form.DYNAMIC)

    def dynamic(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        kind = self.resolver.type_of(site.value)
        if kind.tag is not Tag.TORCH_MODULE:
            return None
        row = self.row(site, summary, kind.name, Form.DYNAMIC, PROVED)
        if row is None:
            return None
        argument = site.node
        match site.node:
            case ast.Call(args=[_, name, *_]):  # of `eval(name)` the call itself tells more
                argument = name
        return ApiUse(
            row.api, row.form, row.span, row.name_span, row.confidence, None, None, row.result, row.guarded, "",
            ast.unparse(argument), row.scope,
        )  # fmt: skip

    def override(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """`def forward` in a module: the method that the framework calls."""
        value = site.value
        if not isinstance(value, Type) or site.name.startswith("__"):
            return None
        entry = self.resolver.world.class_entry(value.name)
        record = entry.methods.get(site.name) if entry is not None else None
        canonical = self.resolver.overridden(value.name, record) if record is not None else ""
        if not canonical or canonical.startswith(_CALLED_BY_THE_PROJECT):
            return None
        node = site.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        keyword = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
        line, column = self.place(node.lineno, node.col_offset)
        span = Span(line, column + len(keyword), line, column + len(keyword) + len(site.name))
        if self.index.slice(span) != site.name:
            return None
        return ApiUse(
            canonical, Form.OVERRIDE, span, span, Confidence.PROVED, guarded=site.guarded, scope=site.scope,
            in_module=True,
        )  # fmt: skip

    def layer_call(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """`criterion(input=p, target=t)` of one of torch's own layers: a use of its `forward`. Any module may be one of
        the project's, whose names stay."""
        parts = members(self.resolver.type_of(site.value))
        layers = [
            torch_model.members(part.name).get("forward", "") if part.tag is Tag.INSTANCE else ""
            for part in parts
        ]
        if site.inside_string or site.call is None or not all(map(_has_own_names, layers)):
            return None
        if not all(torch_model.is_module_class(part.name) for part in parts):
            return None
        level = parts[0].level if len(parts) == 1 else min(INFERRED, *(part.level for part in parts))
        callee = self.span(site.call.func)
        result = summary.results.get(site.call)
        return ApiUse(
            layers[0], Form.LAYER_CALL, callee, self.name_span(site.call.func, callee), CONFIDENCES[level],
            Call(self.span(site.call), self.arguments(site)), callee,
            ResultUse.OTHER if result is None else RESULTS[result], site.guarded, scope=site.scope,
            in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip


def _last_of(rows: list[ApiUse], places: set[Span]) -> list[ApiUse]:
    """The rows, of which each of these places has the last one only."""
    last = {row.span: row for row in rows if row.span in places}
    return [row for row in rows if row.span not in places or row is last[row.span]]


def _with_optimizers(rows: list[ApiUse]) -> list[ApiUse]:
    """The same rows, those inside the arguments of an optimizer marked."""
    whole = [row.call.span for row in rows if row.call is not None and _is_optimizer(row)]
    if not whole:
        return rows
    return [
        msgspec.structs.replace(row, for_optimizer=True)
        if any(one.start < row.span.start and row.span.end < one.end for one in whole)
        else row
        for row in rows
    ]


def _is_optimizer(row: ApiUse) -> bool:
    """Whether an optimizer of torch is made, as by `torch.optim.SGD(...)`."""
    module, _, name = row.api.rpartition(".")
    return row.form is Form.CALL and module == "torch.optim" and name[:1].isupper()


def _has_own_names(forward: str) -> bool:
    """Whether a layer names what it takes. `DataParallel` and its like hand the names on to the module inside, and
    `torch.nn.Module` stands for any."""
    if forward in ("", "torch.nn.Module.forward"):
        return False
    collects = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
    signatures = torch_facts().signatures(forward)
    return bool(signatures) and not any(p.kind in collects for one in signatures for p in one.parameters)
