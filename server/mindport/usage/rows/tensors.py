"""Rows for what is done with tensors by no name: operators, indices, texts, shapes and classes of tensors."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

import msgspec

from mindport.usage import python_model
from mindport.usage.api_use import ApiUse, Argument, Call, Form, Kind, ResultUse
from mindport.usage.array_operands import of_numpy, operands, with_parentheses
from mindport.usage.counted_masks import COUNTED
from mindport.usage.formats import NO_LETTER, TEMPLATE
from mindport.usage.found_positions import writes_to_found
from mindport.usage.given_sizes import ALL_OF_SIZE, ALL_SIZES, AS_OWNER_TELLS, given_sizes, size_method
from mindport.usage.index_rows import IndexRows
from mindport.usage.masks import is_mask
from mindport.usage.rows.making import CONFIDENCES, OPERATORS_OF_TENSOR, RESULTS, RowMaker
from mindport.usage.shared_changes import OF_TENSORS
from mindport.usage.types import GUESSED, INFERRED, UNKNOWN, Tag, Type, members
from mindport.usage.variables import Site, SiteForm, UnitSummary, Value

OF_MASK = frozenset({"mask"})
# Operators that no tensor of MindSpore has, or not for every dtype.
_CALLED = frozenset({"__lshift__", "__rshift__", "__ilshift__", "__irshift__", "__abs__"})

# Attributes of tensors that are tensors; what arrays have under these names is no number.
_OF_TENSORS_ALONE = frozenset({"data", "grad"})

# What MindSpore has in their place takes numbers of Python's alone in brackets.
_LISTS_OF_NETWORKS = frozenset({"torch.nn.ModuleList", "torch.nn.Sequential"})


class TensorRows(RowMaker):
    """Makes rows for operations on tensors."""

    index_rows: IndexRows  # of the present unit

    def operator(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        level = self.level_of_tensor(site)
        if level < 0 or site.name not in OPERATORS_OF_TENSOR:
            return None
        row = self.row(site, summary, f"torch.Tensor.{site.name}", Form.OPERATOR, level)
        if row is None:
            return None
        self.beside += self.arrays_in_operation(row, site)
        if site.name in _CALLED:
            return self.as_call(row, site)
        if site.name == "__invert__":
            of_mask = is_mask(self.resolver.type_of(site.value))
            return msgspec.structs.replace(self.as_call(row, site), signs=OF_MASK if of_mask else row.signs)
        if site.name.startswith("__i") and self.is_tensor(site.value):
            return msgspec.structs.replace(row, signs=OF_TENSORS)
        return row

    def as_call(self, row: ApiUse, site: Site) -> ApiUse:
        """The row of an operator that MindSpore has a function for: as a call that gets the operands."""
        match site.node:
            case ast.BinOp(left=left, right=right):
                receiver, given = left, right
            case ast.Call(args=[receiver]) | ast.UnaryOp(operand=receiver):  # abs(x), ~x
                return msgspec.structs.replace(row, call=Call(row.span, ()), receiver=self.span(receiver))
            case ast.AugAssign(target=ast.Name() | ast.Attribute() as target, value=value):
                receiver, given = target, value
                row = msgspec.structs.replace(row, result=ResultUse.DISCARDED)
            case _:
                return row
        call = Call(row.span, (Argument(self.span(given)),))
        return msgspec.structs.replace(row, call=call, receiver=self.span(receiver))

    def arrays_in_operation(self, row: ApiUse, site: Site) -> Iterator[ApiUse]:
        """A row for an operand of NumPy's beside a tensor, `x * array`: what takes it is the operator. The name of an
        operator that changes its tensor is that of the one which makes a new one."""
        both = operands(site.node, site.name)
        if both is None or site.other is None:
            return
        kinds = (self.resolver.type_of(site.value), self.resolver.type_of(site.other))
        for operand, kind, other in zip(both, kinds, reversed(kinds), strict=True):
            beside = both[0] if operand is both[1] else both[1]
            is_tensor = other.tag is Tag.TENSOR and not _may_still_be_an_array(beside, other)
            what = of_numpy(kind, operand is both[1], site.name) if is_tensor else None
            if what is not None and operand is not None:
                inside = self.span(operand)
                span = with_parentheses(inside, self.index)
                argument = Argument(inside, kind=Kind.NDARRAY, is_literal=what != "", value=what)
                api = row.api.replace("__i", "__") if site.name.startswith("__i") else row.api
                yield msgspec.structs.replace(
                    row,
                    api=api,
                    span=span,
                    name_span=span,
                    call=Call(span, (argument,)),
                    result=ResultUse.OTHER,
                )

    def counted(self, row: ApiUse, site: Site, summary: UnitSummary) -> Iterator[ApiUse]:
        """A row for truth values that are computed with more than once: that of an operator which gives them."""
        node = site.call if site.call in summary.counted else site.node
        if node not in summary.counted or not isinstance(node, ast.expr):
            return
        if isinstance(node, ast.BinOp) and not any(
            value is not None and is_mask(self.resolver.type_of(value)) for value in (site.value, site.other)
        ):
            return
        inside = self.span(node)
        span = with_parentheses(inside, self.index)
        argument = Argument(inside, kind=Kind.STR, is_literal=True, value=COUNTED)
        yield msgspec.structs.replace(
            row,
            api="torch.Tensor.__gt__",
            form=Form.OPERATOR,
            span=span,
            name_span=span,
            call=Call(span, (argument,)),
            receiver=inside,
            result=ResultUse.OTHER,
        )

    def is_of_mask(self, site: Site) -> bool:
        """Whether a call is of a method of a tensor of truth values, or of a function that takes one first."""
        value: Value | None = site.value if site.form is SiteForm.MEMBER else None
        if site.form is SiteForm.NAME and site.call is not None and site.call.args and site.values:
            value = site.values.get(site.call.args[0])
        return value is not None and is_mask(self.resolver.type_of(value))

    def level_of_tensor(self, site: Site) -> int:
        """How sure it is that one of the values of a site is a tensor; -1 where none is."""
        values = [value for value in (site.value, site.other) if value is not None]
        return max(_level_of_tensor(self.resolver.type_of(value)) for value in values)

    def formatted(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """A tensor in a text, `f"{loss:.3f}"`: a call of its `__format__`, of which the letter of the format counts; or
        a template with fields for parts of objects that are tensors."""
        is_template = site.name == TEMPLATE
        level = self.level_in_template(site) if is_template else self.level_of_tensor(site)
        span = None if level < 0 or site.inside_string else self.formatted_span(site)
        if span is None:
            return None
        letter = Argument(span, kind=Kind.STR, is_literal=True, value=self.letter_of_format(site))
        return ApiUse(
            "torch.Tensor.__format__", Form.FORMAT, span, span, CONFIDENCES[level], Call(span, (letter,)), span,
            guarded=site.guarded, scope=site.scope, in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip

    def letter_of_format(self, site: Site) -> str:
        """The letter of a format. What may be something else than a tensor has no number to take out of it, so that a
        format without a letter, which numbers and texts have too, is unknown for it."""
        kinds = members(self.resolver.type_of(site.value))
        is_tensor = all(kind.tag is Tag.TENSOR for kind in kinds)
        return "" if site.name == NO_LETTER and not is_tensor else site.name

    def given_sizes(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """The shape in `torch.FloatTensor(x.size())`: a call of its `size` that asks for all sizes one by one."""
        node = site.node
        assert isinstance(node, ast.expr)
        assert site.other is not None
        kind = self.resolver.type_of(site.value)
        change = given_sizes(node, kind, self.resolver.type_of(site.other))
        if not change:
            return None
        span = self.span(node)
        level = GUESSED if kind is UNKNOWN else min(kind.level, INFERRED)
        confidence = CONFIDENCES[INFERRED if change == AS_OWNER_TELLS else level]
        receiver = (
            self.span(node.value) if change == AS_OWNER_TELLS and isinstance(node, ast.Attribute) else span
        )
        call = Call(span, (Argument(span, kind=Kind.STR, is_literal=True, value=change),))
        in_module = self.in_module(site.scope, summary.path)
        method = size_method(node) if change == ALL_OF_SIZE else None
        if method is None:
            # What makes the shape, `torch.Size(...)`, is written once it is said that it is one.
            place = self.span(node.func) if change == ALL_SIZES and isinstance(node, ast.Call) else span
            if place != span:
                self.instead.add(place)
            return ApiUse(
                "torch.Tensor.size", Form.SIZES, place, place, confidence, call, receiver,
                guarded=site.guarded, scope=site.scope, in_module=in_module,
            )  # fmt: skip
        name = self.span(method)
        self.instead.add(name)
        return ApiUse(
            "torch.Tensor.size", Form.METHOD, name, self.name_span(method, name), confidence, call,
            self.span(method.value), guarded=site.guarded, scope=site.scope, in_module=in_module,
        )  # fmt: skip

    def type_of(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """The class of a tensor, `type(x)`, that is called, or is called by the name that it gets."""
        kind = python_model.type_of(self.resolver.type_of(site.value))
        result = summary.results.get(site.node)
        is_called = site.call is not None or (result is not None and RESULTS[result] is ResultUse.CHOSEN)
        if kind.tag is not Tag.CLASS or not is_called:
            return None
        return self.row(site, summary, kind.name, self.form_of(site), kind.level)

    def of_elements(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """A function of NumPy that gets a tensor, `np.sqrt(x)` or `np.power(2, x)`, as which torch gives its result."""
        kinds = [self.resolver.type_of(one) for one in (site.value, site.other) if one is not None]
        kind = next((one for one in kinds if one.tag is Tag.TENSOR and one.level > GUESSED), None)
        if kind is None or site.inside_string:
            return None
        assert isinstance(site.node, ast.expr)
        span = self.span(site.node)
        return ApiUse(
            f"torch.Tensor.{site.name}", Form.OPERATOR, span, span, CONFIDENCES[kind.level], Call(span, ()), span,
            guarded=site.guarded, scope=site.scope, in_module=self.in_module(site.scope, summary.path),
        )  # fmt: skip

    def level_in_template(self, site: Site) -> int:
        """How sure it is that a template takes a tensor out of an object; -1 where none is known."""
        kinds = [self.resolver.type_of(site.value)]
        if site.other is not None:
            for owner in members(self.resolver.type_of(site.other)):
                if owner.tag is Tag.PROJECT_INSTANCE:
                    kinds += self.resolver.attributes_of(owner.name)
        return max(map(_level_of_tensor, kinds))

    def subscript(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        if site.other is not None and self.resolver.type_of(site.other).tag is Tag.STR:
            return None  # what a network gives under names is no tensor, its parts are
        if self.is_tensor(site.value):
            self.parts.add(site.node)
        for part in members(self.resolver.type_of(site.value)):
            if part.tag is Tag.TENSOR:
                row = self.row(site, summary, f"torch.Tensor.{site.name}", Form.INDEX, part.level)
                if row is not None:
                    self.beside += self.index_rows.beside(row, site)
                return row
            if part.tag is Tag.INSTANCE and part.name in _LISTS_OF_NETWORKS:
                row = self.row(site, summary, f"{part.name}.__getitem__", Form.INDEX, part.level)
                return row and self.index_rows.of_networks(row, site)
        return self._at_positions(site, summary)

    def _at_positions(self, site: Site, summary: UnitSummary) -> ApiUse | None:
        """The row for a value of which nothing is known, at positions that were found, which only tensors and arrays
        take."""
        if site.other is None or not isinstance(site.node, ast.Subscript):
            return None
        index = self.resolver.type_of(site.other)
        is_unknown = self.resolver.type_of(site.value) is UNKNOWN
        if not (is_unknown and writes_to_found(site.node.slice, index) and index.level > GUESSED):
            return None
        row = self.row(site, summary, f"torch.Tensor.{site.name}", Form.INDEX, INFERRED)
        beside = [] if row is None else list(self.index_rows.beside(row, site))
        self.beside += beside[1:]
        return beside[0] if beside else None


@functools.cache
def _may_still_be_an_array(node: ast.expr | None, kind: Type) -> bool:
    """Whether an attribute became a tensor in some method only: as long as it is an array, so is what is computed
    with it. Those that a tensor itself has are tensors, `x.data`, and nobody computes with an array's."""
    is_kept = isinstance(node, ast.Attribute) and node.attr not in _OF_TENSORS_ALONE
    return is_kept and _level_of_tensor(kind) <= INFERRED


def _level_of_tensor(kind: Type) -> int:
    """How sure it is that a value is, or may be, a tensor; -1 where it is none."""
    return max((part.level for part in members(kind) if part.tag is Tag.TENSOR), default=-1)
