"""Finds torch names in configuration text, such as `_target_: torch.optim.Adam` in YAML. Reads lines, not YAML: files
with templates or custom tags are configuration too, and only the places of names matter."""

from __future__ import annotations

import re

from mindport.model.span import Span
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.header import library_of_name
from mindport.usage.types import Tag

_NAME = re.compile(r"(?<![\w./\\:@-])(?:[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)+(?![\w/\\(-])")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_LINE_END = re.compile(r"\r\n|\r|\n")


def config_uses(text: str) -> tuple[ApiUse, ...]:
    """One row for each dotted name of torch, or of a library built on it, that is a value or a key of its own.

    Words in comments and inside longer prose are left out."""
    found: list[ApiUse] = []
    for number, line in enumerate(_LINE_END.split(text), 1):
        if "." not in line:
            continue
        line = _COMMENT.sub("", line)
        for match in _NAME.finditer(line):
            row = _use(match.group(), number, match.start())
            if row is not None and _stands_alone(line, match.start(), match.end()):
                found.append(row)
    return tuple(found)


def _stands_alone(line: str, start: int, end: int) -> bool:
    """Whether the name is the whole of a scalar: only quotes, brackets, dashes, commas and colons are around it."""
    before = line[:start].rstrip(" \t'\"")
    after = line[end:].lstrip(" \t'\"")
    return (not before or before[-1] in ":-[,{=") and (not after or after[0] in ":],}")


def _use(dotted: str, line: int, column: int) -> ApiUse | None:
    root = dotted.partition(".")[0]
    library = ""
    if root in torch_model.TORCH_ROOTS:
        reference = torch_model.reference(dotted)
        if not reference.is_known or reference.type.tag is Tag.TORCH_MODULE:
            return None
        api = reference.name
    else:
        library = library_of_name(dotted)
        if not library:
            return None
        api = dotted
    end = column + len(dotted)
    last = end - len(dotted.rpartition(".")[2])
    return ApiUse(
        api,
        Form.CONFIG,
        Span(line, column, line, end),
        Span(line, last, line, end),
        library=library,
        detail=dotted,
    )
