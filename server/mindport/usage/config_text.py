"""Torch names in configuration files: `_target_: torch.optim.Adam`, `- torch.nn.ReLU`. Reads line by line, so a file
that a YAML parser refuses (templates, tags) gives its names all the same."""

from __future__ import annotations

import re

from mindport.model.span import Span
from mindport.registry.libraries import BUILT_ON_TORCH
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Form

_ROOTS = "|".join(sorted({*torch_model.TORCH_ROOTS, *BUILT_ON_TORCH}, key=len, reverse=True))
# A whole scalar: behind `key:` or `-` or inside a flow collection, with or without quotes, up to a comment.
_NAME = re.compile(
    rf"""(?:^\s*|[:\-,\[{{]\s+|[\[{{])(?P<quote>["']?)(?P<name>(?:{_ROOTS})(?:\.[A-Za-z_]\w*)+)(?P=quote)\s*(?=$|[,\]}}]|\s\#)"""
)
_LINE_END = re.compile(r"\r\n|\r|\n")


def config_uses(text: str) -> tuple[ApiUse, ...]:
    """A use for every value that is the dotted name of something of torch or of a library built on it."""
    if not any(root in text for root in ("torch", *BUILT_ON_TORCH)):
        return ()
    uses = []
    for number, line in enumerate(_LINE_END.split(text), 1):
        if line.lstrip().startswith("#"):
            continue
        for match in _NAME.finditer(line):
            written = match["name"]
            root = written.partition(".")[0]
            library = "" if root in torch_model.TORCH_ROOTS else root
            api = written if library else torch_model.reference(written).name
            start, end = match.span("name")
            last = end - len(written.rpartition(".")[2])
            span, name_span = Span(number, start, number, end), Span(number, last, number, end)
            uses.append(ApiUse(api, Form.CONFIG, span, name_span, library=library, detail=written))
    return tuple(uses)
