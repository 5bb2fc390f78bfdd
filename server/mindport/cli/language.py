"""The language that the command line speaks: the terminal's, unless a setting says otherwise."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mindport.config.settings import Settings
from mindport.model.language import Language, Translations, language_of, speak, spoken

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is not empty counts, as everywhere


def terminal_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language of the environment's locale."""
    return language_of(next((found for name in _VARIABLES if (found := environment.get(name))), ""))


def texts_of(language: Language) -> Translations | None:
    """The texts of a language. The code that reads them is loaded for other languages than English only, because it
    would make up a part of the time that `--version` takes."""
    if language == "en":
        return None
    from mindport.registry.texts import translations

    return translations(language)


def speak_as(settings: Settings) -> None:
    """From now on until the command ends, speak the language of these settings."""
    speak(texts_of(spoken(settings.locale)))
