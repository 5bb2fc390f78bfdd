#!/usr/bin/env python3
"""Builds the site into a folder (build/site, which git ignores): English and Chinese, checked for broken links and for
the weight of its pages.

    .venv/bin/python scripts/build_site.py            # all of it
    .venv/bin/python scripts/build_site.py --names 40 # the pages of docs/ and forty of the catalogue's

Warnings of the generator, broken links, pages above 100 kB and a site above 100 MB end it with 1."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "server"), str(REPOSITORY / "scripts")]

from mindport import __version__  # noqa: E402
from mindport.mapping.index import load_index  # noqa: E402
from mindport.model.language import Language  # noqa: E402
from website.layout import lay_out, translated_pages  # noqa: E402
from website.names import NamePage, name_pages  # noqa: E402
from website.pages import broken_links, finish, weight  # noqa: E402

LANGUAGES: tuple[Language, ...] = ("en", "zh-cn")


def main(arguments: Sequence[str]) -> int:
    """Build, check, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "site")
    parser.add_argument("--names", type=int, help="so many pages of the catalogue, evenly taken")
    parser.add_argument("--language", choices=LANGUAGES, action="append", dest="languages")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args(arguments)
    pages = chosen(list(name_pages(load_index())), options.names)
    languages = options.languages or LANGUAGES
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    (options.out / ".nojekyll").touch()
    shutil.copyfile(Path(__file__).parent / "website" / "front.html", options.out / "index.html")
    for language in languages:
        started = time.monotonic()
        if not build(options.out / language, language, pages, options.jobs):
            return 1
        print(f"{language}: built in {time.monotonic() - started:.0f} s", flush=True)
    finish(options.out)
    problems = broken_links(options.out) if len(languages) == len(LANGUAGES) else []
    size = weight(options.out)
    print(
        f"{size.pages} pages, {size.bytes / 1e6:.1f} MB; largest {size.largest} ({size.largest_bytes / 1e3:.0f} kB)"
    )
    for problem in problems[:50]:
        print(f"broken link: {problem}")
    return 1 if problems or size.problems() else 0


def chosen(pages: list[NamePage], most: int | None) -> list[NamePage]:
    """All pages, or so many of them, evenly taken."""
    if most is None or most >= len(pages):
        return pages
    return [pages[number * len(pages) // most] for number in range(most)]


def build(folder: Path, language: Language, pages: Sequence[NamePage], jobs: str) -> bool:
    """Whether Sphinx built one language without a warning."""
    with tempfile.TemporaryDirectory(prefix="mindport-site-") as name:
        source = Path(name) / "source"
        source.mkdir()
        lay_out(source, language, pages)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", jobs]
        command += ["-d", str(Path(name) / "trees"), str(source), str(folder)]
        both = ",".join(translated_pages("zh-cn"))
        environment = {
            **os.environ,
            "SITE_LANGUAGE": language,
            "SITE_VERSION": __version__,
            "SITE_IN_BOTH": both,
        }
        done = subprocess.run(command, env=environment, check=False)
    (folder / ".buildinfo").unlink(missing_ok=True)
    shutil.rmtree(folder / "_sources", ignore_errors=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
