"""The commands by which a project's documents say that it is trained, with their options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

import msgspec

from mindport.usage.recipe.entry import SettingLine
from mindport.usage.recipe.settings import ProjectSettings, SettingKind

_COMMAND = re.compile(r"^\W*(?:\w+=\S+\s+)*(?:python3?|torchrun|accelerate launch)\s+(?P<rest>\S.*)$")


class Command(msgspec.Struct, frozen=True):
    """A command that trains. `options` are under the names of the project's settings; flags have no value."""

    place: SettingLine
    script: str
    options: dict[str, str]


def training_commands(settings: ProjectSettings, documents: Mapping[str, str]) -> Iterator[Command]:
    """The commands in the documents that train, with their options under the names of the settings."""
    words = {
        word: (setting.name, setting.place.path)
        for name in settings.names()
        for setting in settings.named(name)
        if setting.kind is SettingKind.OPTION
        for word in setting.owner.split()
    }
    for path, text in sorted(documents.items()):
        for number, line in enumerate(text.splitlines(), 1):
            match = _COMMAND.match(line)
            if match is None or "train" not in line:
                continue
            try:
                parts = shlex.split(match["rest"].rstrip("\\ "))
            except ValueError:
                continue
            script = next((part for part in parts if "train" in part and not part.startswith("-")), "")
            options: dict[str, str] = {}
            for part, following in zip(parts, [*parts[1:], ""], strict=True):
                word, _, inline = part.partition("=")
                if not word.startswith("-"):
                    continue
                name = words[word][0] if word in words else word.lstrip("-").replace("-", "_")
                options[name] = inline or ("" if following.startswith("-") else following)
            if script:
                yield Command(SettingLine(path, number), script, options)
