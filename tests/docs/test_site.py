"""The site: a small part of it is built without a warning or a broken link, and what turns the repository's Markdown
into its own does that alone. `scripts/build_site.py` builds all of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

import build_site  # noqa: E402
from mindport.mapping.index import load_index  # noqa: E402
from mindport.rules.discover import all_rules  # noqa: E402
from website.layout import lay_out, translated_pages  # noqa: E402
from website.markdown import fenced, led  # noqa: E402
from website.names import NamePage, name_pages, search_entries  # noqa: E402
from website.pages import MOST_BYTES_OF_A_PAGE, broken_links, finish  # noqa: E402

PAGES = (
    NamePage("torch.cat", ("torch.concat", "torch.concatenate")),
    NamePage("torch.nn.Dropout", ()),
    NamePage("torchvision.models.resnet18", ()),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert build_site.build(folder / "en", "en", PAGES, "1")
    (folder / "zh-cn").mkdir()
    finish(folder)
    return folder


@pytest.mark.thorough
def test_links_lead_somewhere(site: Path) -> None:
    broken = [line for line in broken_links(site) if "/zh-cn/" not in line]
    assert broken == []


@pytest.mark.thorough
def test_every_page_leads_to_the_other_language(site: Path) -> None:
    assert build_site.build(site / "zh-cn", "zh-cn", PAGES, "1")
    other = {"en": "zh-CN", "zh-cn": "en"}
    for language, wanted in other.items():
        for page in (site / language).rglob("*.html"):
            (link,) = re.findall(
                r'site-languages">\s*<a href="([^"]+)" lang="([^"]+)"', page.read_text("utf-8")
            )
            assert link[1] == wanted, page
            assert (page.parent / link[0]).is_file(), page


@pytest.mark.thorough
def test_every_rule_and_name_has_its_page(site: Path) -> None:
    assert {path.stem for path in (site / "en" / "rules").glob("MP*.html")} == set(all_rules())
    assert {path.stem for path in (site / "en" / "names").glob("*.html")} == {page.name for page in PAGES}


@pytest.mark.thorough
def test_pages_are_light_and_can_be_read_without_scripts(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert len(text.encode()) < MOST_BYTES_OF_A_PAGE, page
        if page.name != "search.html" and "catalogue" not in page.parts:  # whose lists are short here
            article = text[text.index("<article") : text.index("</article>")]
            assert len(re.sub(r"<[^>]+>|\s", "", article)) > 80, page


@pytest.mark.thorough
def test_what_stands_around_a_page_is_light(site: Path) -> None:
    """It stands in eight thousand of them."""
    text = (site / "en" / "names" / "torch.nn.Dropout.html").read_text("utf-8")
    assert len(text) - len(text[text.index("<article") : text.index("</article>")]) < 6_500
    assert "<symbol" not in text and "#svg-" not in text


@pytest.mark.thorough
def test_quotes_and_dashes_stay_what_is_written(site: Path) -> None:
    for page in (*(site / "en" / "rules").glob("*.html"), site / "en" / "usage.html"):
        assert not set("‘“–") & set(page.read_text("utf-8")), page


@pytest.mark.thorough
def test_a_page_of_a_name_says_what_explain_says(site: Path) -> None:
    text = (site / "en" / "names" / "torch.cat.html").read_text("utf-8")
    for words in (
        "Arguments",
        "Versions and devices",
        "Gradient of a gradient",
        "another name",
        "agrees, 29 samples",
    ):
        assert re.search(re.escape(words).replace("29", r"\d+"), text), words


def test_chinese_pages_are_laid_out(tmp_path: Path) -> None:
    lay_out(tmp_path, "zh-cn", PAGES)
    assert "静默差异" in (tmp_path / "names" / "torch.nn.Dropout.md").read_text("utf-8")
    assert "toctree" in (tmp_path / "index.md").read_text("utf-8")
    started = (tmp_path / "getting_started.md").read_text("utf-8")
    assert "](/nanogpt.md)" in started and 'href="../en/editors.html"' in started
    assert not (tmp_path / "usage.md").exists()


@pytest.mark.parametrize("name", translated_pages("zh-cn"))
def test_a_translated_page_has_what_the_english_one_has(name: str) -> None:
    """The same code and output, the same sections, as many entries and rows."""
    english, chinese = (
        (REPOSITORY / "docs" / folder / f"{name}.md").read_text("utf-8") for folder in ("", "zh-cn")
    )
    assert shape_of(chinese) == shape_of(english)


def shape_of(text: str) -> tuple[list[str], list[str]]:
    """The blocks of code, and how the other lines begin that are no plain text."""
    code = re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL)
    return code, re.findall(r"^(?:#+|-|\|)(?= )", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)


def test_search_knows_old_and_other_names() -> None:
    entries = dict(search_entries(PAGES))
    assert entries["torch.concat"] == "torch.cat"
    assert entries["torch.nn.Dropout"] == "torch.nn.Dropout"
    assert "torch.stack" not in entries


def test_every_name_of_the_catalogue_has_a_page() -> None:
    index = load_index()
    pages = list(name_pages(index))
    assert {name for page in pages for name in (page.name, *page.others)} == set(index.names())
    assert len({page.document for page in pages}) == len(pages)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See\n\n    x = 1\n\n    y = 2\n\nend\n", "See\n\n```python\nx = 1\n\ny = 2\n```\n\nend\n"),
        ("    x = 1\n", "```python\nx = 1\n```\n"),
        ("- a\n- b\n", "- a\n- b\n"),
    ],
)
def test_indented_code_is_fenced(text: str, expected: str) -> None:
    assert fenced(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](usage.md#x)", "[a](/usage.md#x)"),
        ("[a](../README.md)", "a"),
        ("[a](https://x.org/y.md)", "[a](https://x.org/y.md)"),
        ("[a](#here)", "[a](#here)"),
        ("![p](editors/p.png) [b](gone.md)", "![p](/editors/p.png) b"),
        ("```\n[a](usage.md)\n```", "```\n[a](usage.md)\n```"),
        ("[`a`](ci.md#x)", '<a href="../en/ci.html#x">`a`</a>'),
    ],
)
def test_links_of_the_repository_lead_to_pages(text: str, expected: str) -> None:
    pages = {
        "docs/ci.md": "../en/ci.html",
        "docs/usage.md": "/usage.md",
        "docs/editors/p.png": "/editors/p.png",
    }
    assert led(text, "docs/port.md", pages) == expected + "\n"


@pytest.mark.parametrize(
    ("page", "broken"),
    [
        ('<a href="b.html#here">', []),
        ('<a href="b.html#gone">', ["a.html: b.html#gone"]),
        ('<img src="c.png">', ["a.html: c.png"]),
        ('<a href="https://x.org/gone"><a href="mailto:x">', []),
        ('<p id="me"><a href="#me"><a href="#you">', ["a.html: #you"]),
    ],
)
def test_broken_links_are_found(tmp_path: Path, page: str, broken: list[str]) -> None:
    (tmp_path / "a.html").write_text(page, "utf-8")
    (tmp_path / "b.html").write_text('<p id="here">', "utf-8")
    assert broken_links(tmp_path) == broken


def test_links_between_the_files_of_the_repository_lead_somewhere() -> None:
    for page in (
        *REPOSITORY.glob("*.md"),
        *(REPOSITORY / "docs").rglob("*.md"),
        *REPOSITORY.glob("tests/*/README.md"),
    ):
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", re.sub(r"`[^`\n]*`", "", text)):
            assert (page.parent / target).exists(), f"{page}: {target}"
