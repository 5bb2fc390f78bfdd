"""The quick fixes that give code a fixed shape, where one would depend on data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.checking.engine import Engine
from mindport.checking.fixed_shapes import is_about_shape
from mindport.model.finding import Finding
from mindport.model.span import Edit, Span
from mindport.rewrite.compose import as_fix
from mindport.rewrite.fixed_shapes import FixedShape, fixed_shapes
from mindport.usage.api_use import FileUsage


def shape_fixes_for(
    findings: Sequence[Finding], text: str, usage: FileUsage, engine: Engine
) -> Iterator[tuple[Finding, FixedShape]]:
    """Those of these findings that something can be written for, and what."""
    places = {one.span: one for one in findings if is_about_shape(one, engine)}
    if not places:
        return
    for one in fixed_shapes(text, usage):
        if one.place.span in places:
            yield places[one.place.span], one


def shape_edits(place: Span, text: str, usage: FileUsage) -> tuple[Edit, ...]:
    """The edits of the fix for the finding at a place, imports included."""
    for one in fixed_shapes(text, usage):
        if one.place.span == place:
            fix = as_fix(one.rewrite, text, usage)
            return () if fix is None else fix.edits
    return ()
