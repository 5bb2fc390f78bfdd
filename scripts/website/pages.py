"""The built pages: made smaller and more accessible, weighed, and their links followed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

MOST_BYTES_OF_A_PAGE = 100_000
MOST_BYTES = 100_000_000
_KEPT = re.compile(r"(<(pre|textarea)\b.*?</\2>)", re.DOTALL)
_WORDS = re.compile(r'<span class="pre">([^<]*)</span>')  # Sphinx marks each word of code so
_SHORTER = {
    'class="docutils literal notranslate"': 'class="literal"',
    ' title="Link to this heading"': "",
    ' class="reference external"': "",
}
# What the theme leaves out for those who use a keyboard or a screen reader.
_ACCESSIBLE = {
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="mindport">',
    '<aside class="toc-drawer': '<aside aria-label="toc" class="toc-drawer',
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
# Names, signs and spaces of code have no colour of their own in either style, and most of a page's weight.
_PLAIN = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')
_DRAWN = re.compile(r'<use href="#svg-[\w-]+"></use>')  # static/site.css draws the theme's icons
_CELL = re.compile(r"<(t[dh])([^>]*)><p>((?:(?!</?p\b).)*?)</p>\n?</\1>", re.DOTALL)
_INDENT = re.compile(r"\s*\n\s*")
# What only those read who change the theme.
_SPARE = ("*.map", "objects.inv", "_static/scripts/*.txt")


class Weight(msgspec.Struct, frozen=True):
    """How much a site weighs."""

    pages: int
    bytes: int
    largest: str
    largest_bytes: int

    def problems(self) -> list[str]:
        """What is too large."""
        found = [self.largest] if self.largest_bytes > MOST_BYTES_OF_A_PAGE else []
        return [*found, *(["the whole"] if self.bytes > MOST_BYTES else [])]


def finish(site: Path) -> None:
    """Take out of all pages, and of the files, what no reader needs, and put in what some readers need."""
    for pattern in _SPARE:
        for path in site.rglob(pattern):
            path.unlink()
    for path in site.rglob("*.html"):
        path.write_text(_finished(path.read_text("utf-8")), "utf-8")


def _finished(page: str) -> str:
    parts = _KEPT.split(page)
    # Each kept block brings the name of its element along, which is no text of the page.
    text = "".join(
        part if number % 3 else _INDENT.sub("\n", part)
        for number, part in enumerate(parts)
        if number % 3 != 2
    )
    for old, new in {**_SHORTER, **_ACCESSIBLE}.items():
        text = text.replace(old, new)
    text = _DRAWN.sub("", _PLAIN.sub(r"\1", _WORDS.sub(r"\1", text)))
    return _CELL.sub(r"<\1\2>\3</\1>", text)


def weight(site: Path) -> Weight:
    """Pages, bytes, and the largest page."""
    files = [path for path in site.rglob("*") if path.is_file()]
    pages = [path for path in files if path.suffix == ".html"]
    largest = max(pages, key=lambda path: path.stat().st_size)
    size = sum(path.stat().st_size for path in files)
    return Weight(len(pages), size, str(largest.relative_to(site)), largest.stat().st_size)


def broken_links(site: Path) -> list[str]:
    """Every link of a page to a file or a place of the site that is not there, as `page: link`."""
    links: dict[Path, _Links] = {}
    for path in site.rglob("*.html"):
        links[path] = _Links()
        links[path].feed(path.read_text("utf-8"))
    broken = []
    for page, found in links.items():
        for link in found.targets:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if target.is_dir():
                target = target / "index.html"
            known = links.get(target)
            is_there = known is not None or target.is_file()
            if not is_there or (
                known is not None and parts.fragment and unquote(parts.fragment) not in known.places
            ):
                broken.append(f"{page.relative_to(site)}: {link}")
    return broken


class _Links(HTMLParser):
    """Where a page leads, and the places in it."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.places: set[str] = {"", "top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read one element."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.targets.add(value)
