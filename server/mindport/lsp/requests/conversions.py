"""The actions that convert a whole class or file, in as many rounds as it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mindport.lsp.folder import Analysis
from mindport.model.language import say
from mindport.model.span import Span
from mindport.source.units import Unit
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.top_classes import class_at, lines_of_class

KIND = "refactor.rewrite.mindport"


def conversions(
    analysis: Analysis, units: Sequence[Unit], place: Span, *, previews: bool, asked: bool
) -> Iterator[tuple[str, dict[str, object]]]:
    """The title of each conversion that makes sense at a place, and what to remember until it is chosen.

    A menu that opens by itself offers them only at imports and where a module class begins; `asked` says that the user
    looks for a rewrite, so that the whole class and the whole file count as the place. `previews`: the client can
    show an edit and wait for consent; what is not safe waits for it."""
    uses = [use for use in analysis.usage.uses if not use.guarded and not use.library]
    name = class_at(units, place.line)
    lines = lines_of_class(units, name) if name else range(0)
    own = [use for use in uses if use.span.line in lines]
    is_module = any(use.in_module for use in own)
    at_header = bool(name) and any(use.form is Form.BASE_CLASS and use.span.line == place.line for use in own)
    at_import = any(use.form is Form.IMPORT and _is_on(use, place.line) for use in uses)
    if is_module and (asked or at_header):
        yield say("Convert class `{name}` to MindSpore", name=name), {"convert": name}
    if uses and (asked or at_header or at_import):
        yield say("Convert this file to MindSpore"), {"convert": ""}
        if previews:
            yield say("Preview converting this file to MindSpore"), {"convert": "", "preview": True}
        title = say("Convert this file to MindSpore, with unsafe fixes too")
        yield title, {"convert": "", "unsafe": True, "preview": previews}


def _is_on(use: ApiUse, line: int) -> bool:
    return use.span.line <= line <= use.span.end_line
