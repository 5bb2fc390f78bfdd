"""A rewrite: one span replaced by pieces of new text, names to import, and holes that keep the original.

Because a hole is a span of the original text, the rewrite of an inner call is rendered inside the hole of
the outer one, so nested rewrites compose in one pass and every byte in a hole is kept.
"""

from __future__ import annotations

import itertools
from typing import Union

import msgspec

from mindport.model.span import Span
from mindport.model.verdict import Applicability


class ImportedName(msgspec.Struct, frozen=True, tag=True):
    """A dotted name of MindSpore (or another package) that the new text refers to. How it is written depends
    on what the file imports. `statement` is the import that makes `local` right where the file has no
    binding of its own."""

    dotted: str  # mindspore.ops.relu
    statement: str  # from mindspore import ops
    local: str  # ops.relu


class HelperName(msgspec.Struct, frozen=True, tag=True):
    """A class or function of `mappings/_helpers/`, whose definition goes into the file."""

    local: str


class Shift(msgspec.Struct, frozen=True):
    """A hole over several lines that comes to stand deeper or less deep: by how many columns, of which character."""

    hole: Span
    columns: int
    character: str = " "


Piece = Union[str, Span, ImportedName, HelperName]  # noqa: UP007 - msgspec and the type checker read it alike


class Rewrite(msgspec.Struct, frozen=True):
    """Replace `span` by `pieces`. Holes need not be in the order of the text; each is used at most once
    unless its text may be repeated."""

    span: Span
    pieces: tuple[Piece, ...]
    applicability: Applicability
    title: str
    api: str = ""
    case_index: int = -1
    loses_comment: bool = False
    shifts: tuple[Shift, ...] = ()

    @property
    def holes(self) -> tuple[Span, ...]:
        """The spans of the original that are kept, in the order of the new text."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Span))

    @property
    def is_in_order(self) -> bool:
        """Whether the holes follow each other as in the text, so that the edits can leave them untouched."""
        holes = self.holes
        return all(one.end <= other.start for one, other in itertools.pairwise(holes))


_SHORT_MODULES = frozenset(("ops", "mint", "nn"))
_NOT_LOADED = ("mindspore.scipy", "mindspore.parallel.distributed")
"""Modules that `import mindspore` does not bring along."""


def mindspore_name(dotted: str) -> ImportedName:
    """How a MindSpore name is written by default: `ops.relu`, `mint.nn.Linear`, `nn.Dense` with the module
    imported, any other from `mindspore`."""
    for module in _NOT_LOADED:
        if dotted.startswith(f"{module}."):
            return ImportedName(dotted, f"import {module}", dotted)
    parts = dotted.split(".")
    if len(parts) > 2 and parts[0] == "mindspore" and parts[1] in _SHORT_MODULES:
        return ImportedName(dotted, f"from mindspore import {parts[1]}", ".".join(parts[1:]))
    return ImportedName(dotted, f"import {parts[0]}", dotted)
