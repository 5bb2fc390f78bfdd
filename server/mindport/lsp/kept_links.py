"""The second-order links of a document while it is typed in. Looking for them may mean following half a project, so
between two searches those of the last one stay, each on the line that it was on."""

from __future__ import annotations

import msgspec

from mindport.lsp.document import Document
from mindport.source.module import changed_lines
from mindport.usage.regions.link import ChainPlace, Link


class KeptLinks:
    """Links that were found in one version of a document, and follow it through later ones."""

    def __init__(self, document: Document, links: tuple[Link, ...]) -> None:
        self._document = document
        self._revision = document.revision
        self._links = links
        # A document changes its list in place. Without links no lines are needed.
        self._lines = list(document.lines) if links else []

    def is_of(self, document: Document, links: tuple[Link, ...]) -> bool:
        """Whether these are the links, and of this version."""
        return self._document is document and self._revision == document.revision and self._links is links

    def moved(self, document: Document) -> tuple[Link, ...]:
        """The links that lie outside what changed since they were last asked for, at their present places; the same
        object where none is lost or moved."""
        if self._links and not (self._document is document and self._revision == document.revision):
            lines = list(document.lines)
            self._links = _moved(self._links, document.path, self._lines, lines)
            self._lines = lines
        self._document, self._revision = document, document.revision
        return self._links


def _moved(links: tuple[Link, ...], path: str, before: list[str], after: list[str]) -> tuple[Link, ...]:
    first, last, _ = changed_lines(before, after)
    delta = len(after) - len(before)
    kept = []
    for link in links:
        span = link.use.span if link.use.call is None else link.use.call.span
        if span.end_line < first or span.line > last:
            kept.append(_shifted(link, path, last, delta) if delta else link)
    return links if not delta and len(kept) == len(links) else tuple(kept)


def _shifted(link: Link, path: str, last: int, delta: int) -> Link:
    """The link with all its places in the file that lie behind the line `last` moved."""

    def place(one: ChainPlace) -> ChainPlace:
        if one.path != path or one.span.line <= last:
            return one
        return msgspec.structs.replace(one, span=one.span.shifted(delta))

    use = link.use.shifted(delta) if link.use.span.line > last else link.use
    gradient = place(link.gradient) if link.gradient is not None else None
    return msgspec.structs.replace(link, use=use, chain=tuple(map(place, link.chain)), gradient=gradient)
