"""The second-order links of a document while it is typed in. Looking for them may mean following half a project, so
between two searches those of the last one stay, each on the line that it was on. What leads to one is left out where
it is typed in."""

from __future__ import annotations

import msgspec

from mindport.lsp.document import Document
from mindport.source.changes import changed_lines
from mindport.usage.regions.link import ChainLink, ChainPlace


class KeptLinks:
    """Links that were found in one version of a document, and follow it through later ones."""

    def __init__(self, document: Document, links: tuple[ChainLink, ...]) -> None:
        self._document = document
        self._revision = document.revision
        self._links = links
        # A document changes its list in place. Without links no lines are needed.
        self._lines = list(document.lines) if links else []

    def is_of(self, document: Document, links: tuple[ChainLink, ...]) -> bool:
        """Whether these are the links, and of this version."""
        return self._document is document and self._revision == document.revision and self._links is links

    def moved(self, document: Document) -> tuple[ChainLink, ...]:
        """The links that lie outside what changed since they were last asked for, at their present places; the same
        object where none is lost or moved."""
        if self._links and not (self._document is document and self._revision == document.revision):
            lines = list(document.lines)
            self._links = _moved(self._links, document.path, self._lines, lines)
            self._lines = lines
        self._document, self._revision = document, document.revision
        return self._links


def _moved(
    links: tuple[ChainLink, ...], path: str, before: list[str], after: list[str]
) -> tuple[ChainLink, ...]:
    first, last, _ = changed_lines(before, after)
    delta = len(after) - len(before)

    def place(one: ChainPlace) -> ChainPlace | None:
        if one.path != path or one.span.end_line < first:
            return one
        if one.span.line <= last:
            return None
        return msgspec.structs.replace(one, span=one.span.shifted(delta)) if delta else one

    kept = []
    for link in links:
        span = link.use.span if link.use.call is None else link.use.call.span
        if first <= span.end_line and span.line <= last:
            continue
        use = link.use.shifted(delta) if delta and link.use.span.line > last else link.use
        chain, gradient = tuple(filter(None, map(place, link.chain))), link.gradient and place(link.gradient)
        is_same = use is link.use and chain == link.chain and gradient == link.gradient
        kept.append(
            link if is_same else msgspec.structs.replace(link, use=use, chain=chain, gradient=gradient)
        )
    is_same = len(kept) == len(links) and all(one is link for one, link in zip(kept, links, strict=True))
    return links if is_same else tuple(kept)
