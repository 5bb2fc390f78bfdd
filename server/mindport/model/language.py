"""The language of what people read. A text is written here as a whole English sentence with named placeholders and
said in the language in force; what has no translation is said in English.

The language belongs to a stretch of code, not to the process: whoever knows for whom a text is made opens the stretch
with `speaking`, and nothing of it is left behind. So two editors, or two folders of one, may have different ones."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Literal, Protocol

Language = Literal["en", "zh-cn"]


def language_of(tag: str) -> Language:
    """The language that serves a locale as editors and environments write it: `zh-cn`, `zh_CN.UTF-8`, `zh-Hans`;
    English where there are no texts. There are none in traditional characters either."""
    words = tag.lower().replace("_", "-").partition(".")[0].split("-")
    is_traditional = not {"tw", "hk", "mo", "hant"}.isdisjoint(words)
    return "zh-cn" if words[0] == "zh" and not is_traditional else "en"


def spoken(locale: str) -> Language:
    """The language of a setting `locale`. `auto` is for the hosts, who know their user; what they leave is English."""
    return "zh-cn" if locale == "zh-cn" else "en"


class Translations(Protocol):
    """Texts of one language; `gettext.GNUTranslations` fits."""

    def gettext(self, message: str, /) -> str:
        """The translation of an English text, or the text itself."""


_in_force: ContextVar[Translations | None] = ContextVar("translations", default=None)


def say(sentence: str, /, **values: object) -> str:
    """`sentence` in the language in force, with its placeholders filled: `say("{name} is gone", name=api)`.

    The sentence is a literal, because the translators' list is made from the code; what is no literal is said with
    `translated`."""
    said = translated(sentence)
    return said.format(**values) if values else said


def later(sentence: str, /) -> str:
    """The sentence itself, for tables: it goes on the translators' list and is said with `translated` or `say`."""
    return sentence


def translated(text: str, /) -> str:
    """A text that is not written here, such as the explanation in a mapping, in the language in force."""
    translations = _in_force.get()
    # gettext keeps what it knows of a catalogue under the empty text.
    return translations.gettext(text) if translations is not None and text else text


def in_force() -> Translations | None:
    """The translations in force, None for English. Answers that hold texts are remembered by it."""
    return _in_force.get()


def speak(translations: Translations | None) -> None:
    """Say everything from here to the end of the surrounding `speaking` in this language."""
    _in_force.set(translations)


@contextlib.contextmanager
def speaking(translations: Translations | None) -> Iterator[None]:
    """Say everything inside in this language. Not around a `yield` of a generator: its caller would speak it too."""
    token = _in_force.set(translations)
    try:
        yield
    finally:
        _in_force.reset(token)


def listing(words: Sequence[str], is_choice: bool = False) -> str:
    """`a`, `a and b`, `a, b and c`; with `is_choice` `or` stands for `and`."""
    if len(words) < 2:
        return "".join(words)
    joined = words[0]
    for word in words[1:-1]:
        joined = say("{first}, {next}", first=joined, next=word)
    if is_choice:
        return say("{first} or {last}", first=joined, last=words[-1])
    return say("{first} and {last}", first=joined, last=words[-1])
