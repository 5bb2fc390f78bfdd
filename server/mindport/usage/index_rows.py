"""The rows beside that of `x[i]`: what an index may be in torch and not in MindSpore, and what reading by it gives."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from mindport.model.span import Span
from mindport.usage.api_use import ApiUse, Argument, Call, Kind
from mindport.usage.bounds_in_indices import BOUND, bounds_of_one
from mindport.usage.copies_by_index import COPY, makes_copy, written_names, written_parts
from mindport.usage.counted_from_the_end import ALONE, is_alone, may_count_from_end
from mindport.usage.empty_ranges import RANGES, writes_ranges, writes_to_columns
from mindport.usage.found_positions import reads_found, writes_to_found
from mindport.usage.lists_in_indices import lists_of_nothing
from mindport.usage.masks_in_indices import (
    BYTES,
    MASKS,
    PERHAPS_BYTES,
    masks_of_bytes,
    named_as_masks,
    takes_masks,
)
from mindport.usage.numbers_beside_tensors import APART, keeps_number_apart
from mindport.usage.numbers_in_indices import NUMBERS, has_tensors, takes_numbers
from mindport.usage.resolve import Resolver
from mindport.usage.steps_in_indices import STEPS, takes_inner_steps
from mindport.usage.types import ARRAYS, NDARRAY, UNKNOWN, Tag, Type, members
from mindport.usage.variables import Site, UnitSummary

_GETITEM = "torch.Tensor.__getitem__"


class IndexRows:
    """The rows of one unit; `span` tells where a node stands, `writes` whether any function of the project writes to
    what it is given, `may_be_empty` whether its tensors may have no elements, `has_bytes` whether it makes masks of
    bytes."""

    def __init__(
        self,
        summary: UnitSummary,
        resolver: Resolver,
        span: Callable[[ast.expr], Span],
        writes: bool,
        may_be_empty: bool,
        has_bytes: bool,
    ) -> None:
        self._summary = summary
        self._resolver = resolver
        self._span = span
        self._may_be_empty = may_be_empty
        self._has_bytes = has_bytes
        self._parts_written = written_parts(summary)
        self._written = written_names(summary) | (summary.handed_on if writes else frozenset())

    def beside(self, row: ApiUse, site: Site) -> Iterator[ApiUse]:
        """The rows beside `row`, which is that of an index of a tensor."""
        node = site.node
        if not isinstance(node, ast.Subscript):
            return
        index = UNKNOWN if site.other is None else self._resolver.type_of(site.other)
        yield from self._arrays(row, node, index)
        yield from self._number_in_item(row, node)
        selecting = self._summary.selecting
        for mask in masks_of_bytes(node.slice, index, lambda name: (site.scope, name) in selecting):
            yield self._by_key(msgspec.structs.replace(row, api=_GETITEM), mask, mask, BYTES)
        for mask in named_as_masks(node.slice, index) if self._has_bytes else ():
            yield self._by_key(msgspec.structs.replace(row, api=_GETITEM), mask, mask, PERHAPS_BYTES)
        of_one = self._summary.of_one
        for bound in bounds_of_one(node.slice, lambda name: (site.scope, name) in of_one):
            yield self._by_key(msgspec.structs.replace(row, api=_GETITEM), bound, bound, BOUND)
        if keeps_number_apart(node.slice, index.parts):
            part = msgspec.structs.replace(row, api=_GETITEM)
            yield self._read_by_key(part, node, node.value, APART)
            return
        may_write_nothing = (
            writes_ranges(node.slice, index.parts)
            or writes_to_found(node.slice, index)
            or (self._may_be_empty and (is_alone(node.slice, index) or writes_to_columns(node.slice)))
        )
        if isinstance(node.ctx, ast.Store) and may_write_nothing:
            part = msgspec.structs.replace(row, api=_GETITEM)
            yield self._read_by_key(part, node, node.value, RANGES)
        if isinstance(node.ctx, ast.Load):
            name = self._summary.named.get(node, "")
            is_written = node in self._written or (site.scope, name) in self._written
            is_kept = not is_written and node not in self._parts_written
            if takes_inner_steps(node.slice) and is_kept:  # a view is written through
                yield self._read_by_key(row, node, node.value, STEPS)
            is_row = isinstance(node.slice, ast.Name) and (site.scope, node.slice.id) in self._summary.rows
            if takes_numbers(node.slice, index.parts) or (is_row and has_tensors(index.parts)):
                yield self._read_by_key(row, node, node.value, NUMBERS)
            filled = self._summary.filled
            for listed, key in lists_of_nothing(node.slice, index, lambda name: (site.scope, name) in filled):
                yield self._by_key(msgspec.structs.replace(row, api=_GETITEM), listed, listed, key)
            if takes_masks(node.slice, index.parts):
                yield self._read_by_key(row, node, node.value, MASKS)
            if self._is_refused(node.slice, index, site.scope):
                yield self._read_by_key(row, node, node.slice, ALONE)
            if is_written and makes_copy(node.slice, index):
                yield self._read_by_key(row, node, node, COPY)

    def _arrays(self, row: ApiUse, node: ast.Subscript, index: Type) -> Iterator[ApiUse]:
        """A row for each part of the index in `x[i, j]` that is NumPy's: what takes it is `__getitem__`, or does as it
        does."""
        nodes, kinds = [node.slice], [index]
        if isinstance(node.slice, ast.Tuple) and index.tag is Tag.TUPLE:
            nodes, kinds = node.slice.elts, list(index.parts)
        for part, kind in zip(nodes, kinds, strict=False):
            tags = {one.tag for one in members(kind)}
            is_array = Tag.NDARRAY in tags  # which a tensor may stand for on another path
            if is_array or kind is ARRAYS:
                yield self._taken_as_index(row, part, Kind.NDARRAY if is_array else Kind.SEQUENCE)

    def _number_in_item(self, row: ApiUse, node: ast.Subscript) -> Iterator[ApiUse]:
        """A row for the value in `x[i] = value` that may be one of NumPy's numbers: it is taken as an index is."""
        if node not in self._summary.stored:
            return
        stored, value = self._summary.stored[node]
        parts = members(self._resolver.type_of(value))
        if any(_may_be_of_numpy(part) for part in parts) and all(
            part.tag is not Tag.TENSOR for part in parts
        ):
            yield self._taken_as_index(row, stored, Kind.NDARRAY)

    def of_networks(self, row: ApiUse, site: Site) -> ApiUse | None:
        """The row for the index of a list of networks, where that is a tensor or one of NumPy's numbers."""
        if not isinstance(site.node, ast.Subscript) or site.other is None:
            return None
        tags = {one.tag for one in members(self._resolver.type_of(site.other))}
        if Tag.INT in tags or not tags & {Tag.TENSOR, Tag.NDARRAY}:
            return None
        kind = Kind.TENSOR if Tag.TENSOR in tags else Kind.NDARRAY
        return self._taken_as_index(row, site.node.slice, kind, row.api)

    def _taken_as_index(self, row: ApiUse, node: ast.expr, kind: Kind, api: str = _GETITEM) -> ApiUse:
        """A row for a value that `__getitem__` takes."""
        span = self._span(node)
        call = Call(span, (Argument(span, kind=kind, holds_tensors=kind is Kind.TENSOR or None),))
        return msgspec.structs.replace(row, api=api, span=span, name_span=span, call=call)

    def _is_refused(self, index: ast.expr, kind: Type, scope: str) -> bool:
        """Whether MindSpore may have no gradient, or a wrong one, for this index, which is one tensor."""
        known = self._summary.from_end
        return reads_found(index, kind) or (
            is_alone(index, kind) and may_count_from_end(index, lambda name: (scope, name) in known)
        )

    def _read_by_key(self, row: ApiUse, node: ast.Subscript, rewritten: ast.expr, key: str) -> ApiUse:
        """A row for a tensor that is read by an index of the kind that `key` stands for."""
        return self._by_key(row, node.slice, rewritten, key)

    def _by_key(self, row: ApiUse, index: ast.expr, rewritten: ast.expr, key: str) -> ApiUse:
        """A row that rewrites something for the sake of an index, or a part of one, that `key` stands for."""
        span = self._span(rewritten)
        argument = Argument(self._span(index), kind=Kind.STR, is_literal=True, value=key)
        return msgspec.structs.replace(
            row, span=span, name_span=span, call=Call(span, (argument,)), receiver=span
        )


def _may_be_of_numpy(kind: Type) -> bool:
    """Whether a value may be one of NumPy's numbers, which an item of a tensor does not take: what spaces of gym give
    is such a number or an array."""
    if kind.tag is Tag.EXTERNAL_VALUE:
        return kind.name.startswith("gym")
    return kind is NDARRAY
