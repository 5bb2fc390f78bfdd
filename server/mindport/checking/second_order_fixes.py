"""The last fixes of converted code: calls through which a gradient of a gradient would raise or come out wrong are
written otherwise, where an equal expression is known."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.checking.engine import Engine
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.second_order import equivalent_rewrite
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText
from mindport.usage.api_use import FileUsage
from mindport.usage.regions.link import ChainLink


def with_equivalents(
    source: SourceText,
    usage: FileUsage,
    links: Iterable[ChainLink],
    engine: Engine,
    taken: frozenset[str] = frozenset(),
) -> tuple[str, int]:
    """The text with every such call of its own replaced, and how many there were; `links` are its second-order ones.
    Other files import the names in `taken` from this one."""
    wanted = _rewrites(links, LineIndex(source.text), engine)
    if not wanted:
        return source.text, 0
    edits = compose(source.text, wanted, usage, source.path, taken, is_whole=False)
    text = apply_edits(source.text, edits, source.newline)
    return text, 0 if text == source.text else len(wanted)


def _rewrites(links: Iterable[ChainLink], lines: LineIndex, engine: Engine) -> list[Rewrite]:
    found = {}
    for link in links:
        # Several links may go through one call: by another input, or from another place.
        if link.use.call is None or link.use.call.span in found or not link.use.api.startswith("mindspore."):
            continue
        answer = engine.second_order(link)
        rewrite = (
            None
            if answer is None
            else equivalent_rewrite(link.use, answer, lines, engine.mindspore.signatures)
        )
        if rewrite is not None:
            found[link.use.call.span] = rewrite
    return list(found.values())
