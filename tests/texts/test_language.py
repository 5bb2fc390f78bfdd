"""Saying texts: in the language in force, which belongs to a stretch of code, and in English where nothing is known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from mindport.model.language import in_force, language_of, listing, say, speaking, spoken, translated


class Pirate:
    """A language of two texts."""

    def gettext(self, message: str) -> str:
        return {"no {name}": "arr, {name} be gone", "{first} and {last}": "{last} an' {first}"}.get(
            message, message
        )


@pytest.mark.parametrize(
    ("translations", "expected"), [(None, "no sail {x}"), (Pirate(), "arr, sail {x} be gone")]
)
def test_placeholders_are_filled_in_either_language(translations: Pirate | None, expected: str) -> None:
    with speaking(translations):
        assert say("no {name}", name="sail {x}") == expected


def test_what_nobody_translated_is_english() -> None:
    with speaking(Pirate()):
        assert say("all {count}", count=3) == "all 3"
        assert say("{braces} stay where nothing is filled") == "{braces} stay where nothing is filled"
        assert translated("") == ""


def test_a_language_ends_with_its_stretch_of_code() -> None:
    with pytest.raises(ZeroDivisionError), speaking(Pirate()):
        with speaking(None):
            assert say("no {name}", name="x") == "no x"
        assert say("no {name}", name="x") == "arr, x be gone"
        _ = 1 // 0
    assert in_force() is None


def test_threads_do_not_share_a_language() -> None:
    with speaking(Pirate()), ThreadPoolExecutor(1) as pool:
        assert pool.submit(say, "no {name}", name="x").result() == "no x"


@pytest.mark.parametrize(
    ("words", "expected"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_lists(words: tuple[str, ...], expected: str) -> None:
    assert listing(words) == expected
    assert listing(words, is_choice=True) == expected.replace("and", "or")


def test_a_list_is_a_sentence_of_the_language() -> None:
    with speaking(Pirate()):
        assert listing(["a", "b"]) == "b an' a"


@pytest.mark.parametrize("tag", ["zh-cn", "zh_CN.UTF-8", "zh", "zh-Hans-CN", "ZH_SG"])
def test_locales_that_read_simplified_chinese(tag: str) -> None:
    assert language_of(tag) == "zh-cn"


@pytest.mark.parametrize("tag", ["", "C", "C.UTF-8", "en-US", "de_DE.UTF-8", "zh-TW", "zh_Hant_HK", "zhx"])
def test_locales_that_read_english(tag: str) -> None:
    assert language_of(tag) == "en"


@pytest.mark.parametrize(("setting", "language"), [("auto", "en"), ("en", "en"), ("zh-cn", "zh-cn")])
def test_settings(setting: str, language: str) -> None:
    assert spoken(setting) == language
