"""The pages about editors: each is in the index, what they show can be read, and the template for PyCharm holds
together. That the configurations work is tested in tests/editors."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from mindport.config.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted((DOCS / "editors").glob("*.md"))
TEMPLATE = DOCS / "editors" / "lsp4ij"


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_index_has_every_page() -> None:
    index = (DOCS / "editors.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\(editors/(\w+\.md)\)", index)) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_can_be_read(page: Path) -> None:
    for text in blocks(page, "json"):
        json.loads(text)
    for text in blocks(page, "toml"):
        tomllib.loads(text)
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_template_has_the_files_that_lsp4ij_reads() -> None:
    read = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(TEMPLATE.glob("*.json"))
    }
    assert set(read) == {
        "template.json",
        "installer.json",
        "settings.json",
        "settings.schema.json",
        "initializationOptions.json",
        "clientSettings.json",
    }
    template = read["template.json"]
    commands = template["programArgs"].values()
    assert all(" ".join(shlex.split(command)).endswith("mindport server") for command in commands)
    assert [one["languageId"] for one in template["fileTypeMappings"]] == ["python"]
    known = read["settings.schema.json"]["properties"]["mindport"]["properties"]
    assert set(read["settings.json"]["mindport"]) <= set(known)
    assert set(known) == {field.encode_name for field in msgspec.structs.fields(Settings)}
