#!/usr/bin/env python3
"""Opens pages of the built site in Chromium, at the width of a desktop and of a phone: lets axe-core judge them, looks
whether they can be read without scripts and whether the search finds a torch name, and takes pictures.

    scripts/setup site && .venv/bin/python scripts/build_site.py
    .venv/bin/python scripts/look_at_site.py [--pictures FOLDER]

Ends with 1 where something is wrong, and prints it."""

from __future__ import annotations

import argparse
import functools
import http.server
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
AXE = REPOSITORY / ".test-cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = {"desktop": (1280, 800), "phone": (390, 844)}
PAGES = (
    "en/index.html",
    "en/getting_started.html",
    "en/usage.html",
    "en/comparison.html",
    "en/rules/index.html",
    "zh-cn/index.html",
    "zh-cn/getting_started.html",
    "zh-cn/nanogpt.html",
    "zh-cn/catalogue/index.html",
)
_AXE_RUN = "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"
_OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def main(arguments: Sequence[str]) -> int:
    """Look at everything, print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, default=REPOSITORY / "build" / "site")
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args(arguments)
    with served(options.site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        problems = list(look(browser, address, sample(options.site), options.pictures))
        problems += search(browser, address, options.site)
        browser.close()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def sample(site: Path) -> list[str]:
    """The pages that are looked at: those above, and for each language two names of the catalogue that have tables."""
    pages = list(PAGES)
    for language in ("en", "zh-cn"):
        names = sorted((site / language / "names").glob("*.html"), key=lambda path: path.stat().st_size)
        pages += [f"{language}/names/{path.name}" for path in (names[-1], names[len(names) // 2])]
    return [page for page in pages if (site / page).is_file()]


def look(browser: Browser, address: str, pages: Sequence[str], pictures: Path | None) -> Iterator[str]:
    """What is wrong with pages; with `pictures` one of each page and width is put there."""
    for width, (across, down) in WIDTHS.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": across, "height": down}, color_scheme=scheme)
            page = context.new_page()
            for one in pages:
                page.goto(f"{address}/{one}")
                where = f"{one} ({width}, {scheme})"
                if page.evaluate(_OVERFLOWS):
                    yield f"{where}: wider than the window"
                page.add_script_tag(path=str(AXE))
                yield from (f"{where}: {line}" for line in _violations(page.evaluate(_AXE_RUN)))
                if pictures is not None and scheme == "light":
                    pictures.mkdir(parents=True, exist_ok=True)
                    name = one.removesuffix(".html").replace("/", "-")
                    page.screenshot(path=str(pictures / f"{name}-{width}.png"))
            context.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for one in pages:
        page.goto(f"{address}/{one}")
        if len(page.locator("article").inner_text()) < 100:
            yield f"{one}: empty without scripts"
    context.close()


def search(browser: Browser, address: str, site: Path) -> list[str]:
    """Whether the search finds names of the catalogue, by their last part, too."""
    names = sorted(path.stem for path in (site / "en" / "names").glob("torch.*.html"))
    page = browser.new_page()
    problems = []
    for name in (names[0], names[len(names) // 2]):
        for words in (name, name.rpartition(".")[2]):
            page.goto(f"{address}/en/search.html?q={words}")
            page.wait_for_selector("#names-found a", timeout=10_000)
            found = page.locator("#names-found a").all_inner_texts()
            if name not in found:
                problems.append(f"the search for {words} does not find {name}: {found[:3]}")
    page.close()
    return problems


def _violations(result: dict[str, Any]) -> Iterator[str]:
    for one in result["violations"]:
        nodes = one["nodes"]
        yield f"{one['id']} ({one['impact']}, {len(nodes)} places): {one['help']}: {nodes[0]['html'][:120]}"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the folder, on this machine alone."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
