#!/usr/bin/env python3
"""Brings the translators' files under `mappings/_texts` up to date with the English texts: of the code
(`messages.po`), of the settings (`settings.po`) and of the mappings of the names that real code uses most
(`mappings.po`). Translations stay, new texts come in empty, and texts that are gone go with their translations.

`--check` writes nothing and ends with 1 where a file is not up to date; `--missing` prints what has no translation."""

from __future__ import annotations

import argparse
import inspect
import io
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from build_vscode_settings import own_texts  # noqa: E402
from mindport.checking.counting import KINDS_APART  # noqa: E402
from mindport.cli.main import COMMANDS, commands, loaded  # noqa: E402
from mindport.config.schema import settings_schema  # noqa: E402
from mindport.mapping.index import load_index  # noqa: E402
from mindport.mapping.localised import sentences  # noqa: E402
from mindport.mapping.schema import Mapping  # noqa: E402
from mindport.model.finding import Severity  # noqa: E402
from mindport.model.verdict import Confidence, Verdict  # noqa: E402
from mindport.registry.graph_mode import graph_constructs  # noqa: E402
from mindport.registry.libraries import BUILT_ON_TORCH  # noqa: E402
from mindport.registry.tables import torch_usage  # noqa: E402
from mindport.rules.discover import all_rules  # noqa: E402
from mindport.usage.recipe.entry import ChecklistTopic  # noqa: E402
from mindport.usage.recipe.reference import Question  # noqa: E402

NAMES = 450  # of torch, by how much real code uses them; of the others only what is silently different
_PACKAGE = REPOSITORY / "server" / "mindport"
# What marks a text in the code, and at which place of the arguments it stands.
_MARKS = {
    **dict.fromkeys(("say", "later", "Unclear"), (1,)),
    **dict.fromkeys(("Offer", "Entry", "Problem"), (2,)),
    "advice": (5,),
}
_MARK = re.compile(rf"\b({'|'.join(_MARKS)})\(")
_METHODS = {".py": "python", ".j2": "jinja2"}


def main() -> int:
    """Update or check all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--missing", action="store_true")
    options = parser.parse_args()
    stale = False
    for folder in sorted((REPOSITORY / "mappings" / "_texts").iterdir()):
        for name, texts in all_texts().items():
            path = folder / f"{name}.po"
            catalogue = updated(path, texts)
            if options.missing:
                for message in catalogue:
                    if message.id and not message.string:
                        print(message.id)
            elif as_text(catalogue, folder.name) != (path.read_text("utf-8") if path.is_file() else ""):
                stale = True
                if options.check:
                    print(f"{path.relative_to(REPOSITORY)} is not up to date: run scripts/update_texts.py")
                else:
                    path.write_text(as_text(catalogue, folder.name), "utf-8")
                    print(f"wrote {path.relative_to(REPOSITORY)}")
    return 1 if stale and options.check else 0


def all_texts() -> dict[str, dict[str, list[str]]]:
    """For each file its English texts, each with the places that it comes from."""
    return {
        "messages": _collected(itertools.chain(_of_code(), _of_help())),
        "settings": _collected(_of_settings()),
        "mappings": _collected(_of_mappings()),
    }


def updated(path: Path, texts: dict[str, list[str]]) -> Catalog:
    """The file of one language with exactly these texts, and the translations that it has of them."""
    known = {}
    if path.is_file():
        with path.open("rb") as file:
            known = {message.id: message.string for message in read_po(file)}
    catalogue = Catalog(locale=path.parent.name, fuzzy=False)
    for text, places in texts.items():
        catalogue.add(text, known.get(text) or "", locations=[(place, None) for place in places])
    return catalogue


def as_text(catalogue: Catalog, language: str) -> str:
    """The file as it is kept: without the header's dates, so that it changes only where its texts do."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, omit_header=True, width=0)
    header = f'"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    return f'msgid ""\nmsgstr ""\n{header}\n{buffer.getvalue().decode("utf-8")}'


def _collected(rows: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, place in rows:
        places = found.setdefault(text, [])
        if place not in places:
            places.append(place)
    return found


def _of_code() -> Iterator[tuple[str, str]]:
    for path in sorted(_PACKAGE.rglob("*.*")):
        method = _METHODS.get(path.suffix)
        # Most files say nothing; to cut them into tokens would take most of the time.
        if method is None or not _MARK.search(path.read_text("utf-8")):
            continue
        for _, text, _, _ in extract_from_file(method, path, keywords=_MARKS):
            yield (
                (text if isinstance(text, str) else next(filter(None, text))),
                str(path.relative_to(_PACKAGE)),
            )
    for construct in graph_constructs().values():
        for text in (construct.says, construct.instead):
            if text:
                yield text, "mappings/_graph/constructs.json"
    for library in BUILT_ON_TORCH.values():
        yield library.what, "registry/libraries.py"
        yield library.advice, "registry/libraries.py"
    for rule in all_rules().values():
        yield rule.summary, f"rules ({rule.code})"
    for word in (*ChecklistTopic, *Question):
        yield word.value, "usage/recipe"
    for kind in KINDS_APART:
        yield kind, "checking/counting.py"
    for severity in Severity:
        yield severity.label, "model/finding.py"
    for word in (*Verdict, *Confidence):
        yield word.value, "model/verdict.py"


def _of_help() -> Iterator[tuple[str, str]]:
    for name, (_, line) in COMMANDS.items():
        yield line, "cli/main.py"
        waiting = [loaded(name)]
        for command in waiting:
            waiting += command.commands.values() if isinstance(command, click.Group) else ()
            helps = (getattr(option, "help", None) for option in command.params)
            for text in (command.help, command.short_help, *helps):
                if text:
                    yield inspect.cleandoc(text), f"cli ({name})"
    yield inspect.cleandoc(commands.help or ""), "cli/main.py"


def _of_settings() -> Iterator[tuple[str, str]]:
    for name, setting in settings_schema()["properties"].items():
        yield setting["description"], name
    for text in own_texts():
        yield text, "client-vscode"


def _of_mappings() -> Iterator[tuple[str, str]]:
    for place, (name, mapping) in enumerate(_used_mappings()):
        silent = (case.silent for case in mapping.cases if case.silent)
        for text in sentences(mapping) if place < NAMES else silent:
            yield text, load_index().file(name)


def _used_mappings() -> Iterator[tuple[str, Mapping]]:
    """The names that real code uses with their mappings, the most used first."""
    counts = sorted(((count.uses, name) for name, count in torch_usage().items()), reverse=True)
    for _, name in counts:
        mapping = load_index().find(name)
        if mapping is not None:
            yield name, mapping


if __name__ == "__main__":
    sys.exit(main())
