"""Lays out the folder that Sphinx reads, for one language: the pages of the repository, the rules and the catalogue."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from mindport.cli.language import texts_of
from mindport.explain.card import rule_page
from mindport.explain.reference_page import reference_page
from mindport.mapping.index import load_index
from mindport.model.language import Language, speaking
from mindport.model.target import Device, Target
from mindport.registry.mindspore import mindspore_facts
from mindport.rules.discover import all_rules
from website.figures import comparison_page
from website.markdown import fenced, led
from website.names import NamePage, search_entries
from website.rooms import drawing, rooms_pages

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
SPHINX = Path(__file__).parent / "sphinx"
# Files outside of docs/ that the site has, too.
_LISTS_TITLE: dict[Language, str] = {"en": "Names of torch", "zh-cn": "torch 名称"}
_BESIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
_PROGRAMS = {"tests/programs/README.md": "bench_of_programs.md"}
# Thousands of pages would fill the sidebar of every page, and the lists of names would fill the results of a search.
_ORPHAN = "---\norphan: true\nnosearch: true\n---\n"
_MOST_IN_A_LIST = 500  # of names: a page of a list stays below 100 kB


def lay_out(folder: Path, language: Language, pages: Sequence[NamePage]) -> None:
    """Write everything for one language into an empty folder. `pages` are those of the catalogue that it gets."""
    shutil.copytree(SPHINX, folder, dirs_exist_ok=True)
    with speaking(texts_of(language)):
        _write_names(folder, pages)
    _write_lists(folder, pages, _LISTS_TITLE[language])
    _write_rules(folder)
    if language == "en":
        _copy_pages(folder)
    else:
        _copy_translated(folder, language)
    for spare in folder.glob("index.*-*.md"):
        spare.unlink()
    entries = json.dumps(search_entries(pages), ensure_ascii=False, separators=(",", ":"))
    (folder / "static" / "names.js").write_text(f"const NAMES={entries};\n", "utf-8")


def translated_pages(language: Language) -> list[str]:
    """The pages of docs/ that a language has of its own, without their ending."""
    return sorted(path.stem for path in (DOCS / language).glob("*.md"))


def _copy_translated(folder: Path, language: Language) -> None:
    """The pages of docs/ that there are in the language. Their links to others lead to the English ones."""
    (folder / "index.md").write_text((SPHINX / f"index.{language}.md").read_text("utf-8"), "utf-8")
    english = {place: f"../en/{page.removesuffix('.md')}.html" for place, page in _english().items()}
    own = {f"docs/{language}/{name}.md": f"/{name}.md" for name in translated_pages(language)}
    for place, page in own.items():
        text = led((REPOSITORY / place).read_text("utf-8"), place, {**english, **own})
        (folder / page.removeprefix("/")).write_text(text, "utf-8")


def _english() -> dict[str, str]:
    """Each file of the repository that the English site has, and where it has it."""
    inside = {
        f"docs/{path.relative_to(DOCS).as_posix()}": path.relative_to(DOCS).as_posix()
        for path in sorted(DOCS.rglob("*"))
        if path.suffix in (".md", ".png", ".json") and path.parent.name != "zh-cn"
    }
    return {**inside, **_BESIDE, **_PROGRAMS}


def _copy_pages(folder: Path) -> None:
    """The pages of the repository, with links between them."""
    places = _english()
    leads = {place: f"/{page}" for place, page in places.items()}
    leads["docs/schemas"] = "/schemas/index.md"
    for place, page in places.items():
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            front = "---\norphan: true\n---\n" if "/" in page else ""  # their index leads to them
            target.write_text(front + led((REPOSITORY / place).read_text("utf-8"), place, leads), "utf-8")
        else:
            shutil.copyfile(REPOSITORY / place, target)
    (folder / "comparison.md").write_text(comparison_page(), "utf-8")
    (folder / "layers.svg").write_text(drawing(), "utf-8")
    (folder / "rooms").mkdir()
    for name, text in rooms_pages("layers.svg").items():
        (folder / name).write_text(text, "utf-8")
    schemas = sorted(place for place in places if place.startswith("docs/schemas/"))
    links = "".join(f"- [{Path(place).name}]({Path(place).name})\n" for place in schemas)
    (folder / "schemas" / "index.md").write_text(f"# Schemas of outputs\n\n{links}", "utf-8")


def _write_rules(folder: Path) -> None:
    """A page for each kind of finding, and their list."""
    (folder / "rules").mkdir(exist_ok=True)
    lines = ["# Rules", "", "| code | name | usual severity | what it finds |", "|---|---|---|---|"]
    for code, rule in all_rules().items():
        (folder / "rules" / f"{code}.md").write_text(_ORPHAN + fenced(rule_page(rule)), "utf-8")
        lines.append(f"| [{code}]({code}.md) | {rule.name} | {rule.severity.label} | {rule.summary} |")
    (folder / "rules" / "index.md").write_text("\n".join(lines) + "\n", "utf-8")


def _write_names(folder: Path, pages: Iterable[NamePage]) -> None:
    """A page for each torch name, as `mindport explain --full` prints it for the newest MindSpore on CPU."""
    index = load_index()
    target = Target(mindspore_facts().collected_version, Device.CPU)
    (folder / "names").mkdir(exist_ok=True)
    for page in pages:
        text = reference_page(page.name, target, index) or f"# {page.name}\n"
        (folder / f"{page.document}.md").write_text(_ORPHAN + fenced(text), "utf-8")


def _write_lists(folder: Path, pages: Sequence[NamePage], heading: str) -> None:
    """Lists of all names, by module, for whom there is no script."""
    by_module: dict[str, list[NamePage]] = {}
    for page in pages:
        by_module.setdefault(page.module, []).append(page)
    lists: dict[str, int] = {}
    for module, own in sorted(by_module.items()):
        own.sort(key=lambda page: page.name)
        for start in range(0, len(own), _MOST_IN_A_LIST):
            part = own[start : start + _MOST_IN_A_LIST]
            title = module if not start else f"{module} ({start // _MOST_IN_A_LIST + 1})"
            name = module if not start else f"{module}-{start // _MOST_IN_A_LIST + 1}"
            items = "".join(f"- [{one.name}](/{one.document}.md)\n" for one in part)
            text = f"{_ORPHAN}# {title}\n\n{items}"
            (folder / "catalogue").mkdir(exist_ok=True)
            (folder / "catalogue" / f"{name}.md").write_text(text, "utf-8")
            lists[name] = len(part)
    lines = [f"# {heading}", ""]
    lines += [f"- [{name}](/catalogue/{name}.md): {count}" for name, count in lists.items()]
    (folder / "catalogue" / "index.md").write_text("\n".join(lines) + "\n", "utf-8")
