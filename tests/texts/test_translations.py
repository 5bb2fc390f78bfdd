"""The translators' files: up to date with the English texts, complete where a user would notice, and usable."""

from __future__ import annotations

import io
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import update_texts
from mindport.mapping.index import load_index
from mindport.registry.texts import compile_texts, text_files, translations

FOLDER = update_texts.REPOSITORY / "mappings" / "_texts" / "zh_CN"
# What may wait for a translator. Lower it when fewer do; a new message of the code is translated with it.
MOST_WITHOUT_TRANSLATION = {"messages": 10, "settings": 2, "mappings": 30}


@pytest.fixture(scope="module")
def english() -> dict[str, dict[str, list[str]]]:
    """The English texts of each file, with the places that they are from."""
    return update_texts.all_texts()


def catalogue(name: str) -> Catalog:
    with (FOLDER / f"{name}.po").open("rb") as file:
        return read_po(file)


def placeholders(text: str) -> list[tuple[str, str, str]]:
    """Name, conversion and format of each placeholder, in a fixed order."""
    return sorted(
        {(name, how or "", form or "") for _, name, form, how in string.Formatter().parse(text) if name}
    )


@pytest.mark.parametrize("name", ["messages", "settings", "mappings"])
def test_no_translation_is_of_a_text_that_is_gone(
    name: str, english: dict[str, dict[str, list[str]]]
) -> None:
    gone = [message.id for message in catalogue(name) if message.id and message.id not in english[name]]
    assert not gone, "run scripts/update_texts.py; a changed text needs a new translation"


@pytest.mark.parametrize("name", ["messages", "settings", "mappings"])
def test_few_texts_wait_for_a_translator(name: str, english: dict[str, dict[str, list[str]]]) -> None:
    known = {message.id for message in catalogue(name) if message.string}
    summaries = {mapping.summary for _, mapping in load_index().mappings()}  # no card shows them
    missing = [text for text in english[name] if text not in known and text not in summaries]
    assert len(missing) <= MOST_WITHOUT_TRANSLATION[name], missing


def test_the_languages_have_the_same_placeholders() -> None:
    for message in catalogue("messages"):
        if message.id and message.string and "{" in message.id:
            assert placeholders(message.string) == placeholders(message.id), message.id


@pytest.mark.parametrize("name", ["messages", "settings", "mappings"])
def test_code_is_not_translated(name: str) -> None:
    """What stands in code marks is for the user's file."""
    for message in catalogue(name):
        for code in message.id.split("`")[1::2] if message.id and message.string else ():
            assert f"`{code}`" in message.string, message.id


def test_files_are_as_the_script_writes_them(tmp_path: Path) -> None:
    """A text that changes loses its translation, a new one comes in empty, the others stay."""
    path = tmp_path / "zh_CN" / "messages.po"
    path.parent.mkdir()
    first = update_texts.updated(path, {"stays {name}": ["a.py"], "changes": ["b.py"]})
    for message in first:
        if message.id:
            message.string = f"译 {message.id}"
    path.write_text(update_texts.as_text(first, "zh_CN"), "utf-8")
    second = update_texts.updated(path, {"stays {name}": ["a.py", "c.py"], "changed": ["b.py"]})
    assert {message.id: message.string for message in second if message.id} == {
        "stays {name}": "译 stays {name}",
        "changed": "",
    }


def test_texts_without_a_translation_are_left_out_when_they_are_compiled(tmp_path: Path) -> None:
    import gettext

    path = tmp_path / "zh_CN" / "messages.po"
    path.parent.mkdir()
    path.write_text('msgid "known"\nmsgstr "已知"\n\nmsgid "new"\nmsgstr ""\n', "utf-8")
    compiled = gettext.GNUTranslations(io.BytesIO(compile_texts([path], tmp_path / "texts.mo")))
    assert compiled.gettext("known") == "已知"
    assert compiled.gettext("new") == "new"


def test_what_ships_is_found() -> None:
    chinese = translations("zh-cn")
    assert chinese is not None
    assert chinese.gettext("no equivalent") == "没有等价接口"
    assert translations("en") is None
    assert [path.stem for path in text_files("zh_CN")] == ["mappings", "messages", "settings"]
