"""The migration report in a browser: usable by keyboard and by the rules of axe-core, filters that live in the address,
links into editors, and tables that keep their headers on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mindport.cli.main import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.editor
AXE = Path(__file__).parents[2] / "client-vscode" / "node_modules" / "axe-core" / "axe.min.js"
FILES = {
    "net/layers.py": "import torch.nn as nn\n\nlayers = [nn.LeakyReLU(), nn.LeakyReLU()]\nnorm = nn.BatchNorm2d(3)\n",
    "net/more.py": "import torch\n\nq = torch.qr(x)\nw = torch.linalg.ldl_factor(x)\n",
    "train.py": "import torch\n\nfor x in range(3):\n    torch.lobpcg(torch.cat([x]))\n",
}
SIZES = {"desktop": (1200, 900), "phone": (360, 740)}


@pytest.fixture(scope="module", params=["en", "zh-cn"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on disk, in each language."""
    folder = tmp_path_factory.mktemp("report")
    for name, text in FILES.items():
        file = folder / "my project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (folder / "my project" / "pyproject.toml").write_text(f'[tool.mindport]\nlocale = "{request.param}"\n')
    out = folder / "report.html"
    target = ("--device", "CPU", "--target-version", "2.10.0")
    assert main(["report", *target, str(folder / "my project"), "-o", str(out)]) == 0
    return out


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, report: Path, chromium: Browser) -> Iterator[Page]:
    """The report in a window; what its script complains of fails the test."""
    width, height = SIZES[request.param]
    context = chromium.new_context(viewport={"width": width, "height": height}, bypass_csp=False)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda message: problems.append(message.text))
    opened.goto(report.as_uri())
    yield opened
    context.close()
    assert problems == []


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression holds. `wait_for_function` would compile it in the page, whose policy forbids that."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


def shown(page: Page, section: str) -> list[str]:
    """The rules of the rows that a table shows."""
    found: list[str] = page.eval_on_selector_all(
        f"#{section} tbody tr:not([hidden])", "rows => rows.map((row) => row.cells[1].textContent)"
    )
    return found


def test_axe_finds_nothing(page: Page, report: Path, chromium: Browser) -> None:
    context = chromium.new_context(viewport=page.viewport_size, bypass_csp=True)
    try:
        opened = context.new_page()
        opened.goto(report.as_uri())
        opened.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        opened.evaluate(AXE.read_text(encoding="utf-8"))
        answer: Any = opened.evaluate(
            "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']})"
        )
    finally:
        context.close()
    found = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in answer["violations"]]
    assert found == []


def test_nothing_is_wider_than_the_window(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_search_and_filters_live_in_the_address(page: Page) -> None:
    assert len(shown(page, "silent")) == 2
    page.keyboard.press("/")
    page.keyboard.type("LEAKYRELU")
    assert ["LeakyReLU" in text for text in shown(page, "silent")] == [True]
    assert "q=LEAKYRELU" in page.url
    page.select_option("[name=fix]", "unsafe")
    assert shown(page, "silent") == []
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert shown(page, "silent") == [] and page.input_value("[name=q]") == "LEAKYRELU"
    page.click("#tools button[type=reset]")
    wait_until(page, "!location.hash.includes('LEAKYRELU')")
    assert len(shown(page, "silent")) == 2


def test_a_table_is_sorted_by_the_keyboard(page: Page) -> None:
    if page.viewport_size["width"] < 640:  # its columns are lines there
        return
    page.focus("#silent thead th:nth-child(4) button")
    page.keyboard.press("Enter")
    heading = page.locator("#silent thead th:nth-child(4)")
    assert heading.get_attribute("aria-sort") == "descending" and "sort=" in page.url
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert "BatchNorm2d" in shown(page, "silent")[0]


@pytest.mark.parametrize(
    ("editor", "folder", "expected"),
    [
        ("vscode", "/home/me/my project/", "vscode://file/home/me/my%20project/net/layers.py:3"),
        ("vscode", "C:\\me\\x", "vscode://file/C:/me/x/net/layers.py:3"),
        ("idea", "/home/me", "idea://open?file=/home/me/net/layers.py&line=3"),
        ("idea", "", None),
        ("", "/home/me", None),
    ],
)
def test_places_open_the_editor(page: Page, editor: str, folder: str, expected: str | None) -> None:
    page.select_option("[name=editor]", editor)
    page.fill("[name=folder]", folder)
    link = page.locator("#silent .at", has_text="net/layers.py:3").first.locator("a")
    assert (link.get_attribute("href") if link.count() else None) == expected


def test_a_section_is_reached_by_its_link(page: Page) -> None:
    page.fill("[name=q]", "torch")
    page.focus("nav a[href='#effort']")
    page.keyboard.press("Enter")
    wait_until(page, "document.activeElement.id === 'effort'")
    assert page.url.endswith("#effort?q=torch")


def test_a_phone_shows_what_a_cell_is(page: Page) -> None:
    content = page.eval_on_selector(
        "#silent td:nth-child(4)", "cell => getComputedStyle(cell, '::before').content"
    )
    assert (content != "none") is (page.viewport_size["width"] < 640)


def test_paper_shows_everything_but_the_tools(page: Page) -> None:
    page.emulate_media(media="print")
    assert not page.is_visible("#tools") and not page.is_visible("nav")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("[...document.querySelectorAll('details')].every((one) => one.open)")
