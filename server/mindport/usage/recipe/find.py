"""Everything that can be read of how a project trains: the checklist, the reference check, the order of porting."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

import msgspec

from mindport.source.documents import Documents
from mindport.usage.api_use import FileUsage
from mindport.usage.recipe.augmentation import library_transforms
from mindport.usage.recipe.averaging import averages
from mindport.usage.recipe.clipping import clipping
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.commands import training_commands
from mindport.usage.recipe.entry import ChecklistTopic, Entry
from mindport.usage.recipe.heads import detection_heads
from mindport.usage.recipe.initialisation import initialisation
from mindport.usage.recipe.losses import losses
from mindport.usage.recipe.optimizers import optimizers
from mindport.usage.recipe.order import PortingStep, porting_order
from mindport.usage.recipe.precision import mixed_precision
from mindport.usage.recipe.reference import Fact, reference_facts
from mindport.usage.recipe.schedules import rate_settings, schedules
from mindport.usage.recipe.settings import ProjectSettings
from mindport.usage.recipe.structure import structure
from mindport.usage.recipe.terms import named_kinds
from mindport.usage.recipe.training import lengths_and_batches
from mindport.usage.recipe.tricks import tricks
from mindport.usage.recipe.values import Values

_Row = TypeVar("_Row")
_LOG = logging.getLogger(__name__)

_FINDERS: tuple[Callable[[Code, Values], Iterable[Entry]], ...] = (
    structure,
    detection_heads,
    named_kinds,
    library_transforms,
    schedules,
    optimizers,
    losses,
    initialisation,
    averages,
    mixed_precision,
    clipping,
    tricks,
    lengths_and_batches,
    rate_settings,
)


class Recipe(msgspec.Struct, frozen=True):
    """What is known of how a project trains, what its reference check says, and the order to port its files in."""

    entries: tuple[Entry, ...]
    facts: tuple[Fact, ...]
    order: tuple[PortingStep, ...]
    problems: tuple[str, ...] = ()


def find_recipe(
    files: Mapping[str, tuple[str, FileUsage]], config_texts: Mapping[str, str], documents: Documents
) -> Recipe:
    """The recipe of a project. `files` are path -> text and usage of its Python files, `config_texts` its YAML files. A
    finder that fails inside loses its own entries only, and is named in `problems`."""
    code = Code(files)
    settings = ProjectSettings(code, {**config_texts, **documents.json_settings})
    values = Values(code, settings, tuple(training_commands(settings, documents.prose)))
    problems: list[str] = []
    entries: list[Entry] = []
    for finder in _FINDERS:
        entries += _kept(finder.__name__, problems, partial(finder, code, values))
    order = {topic: index for index, topic in enumerate(ChecklistTopic)}
    entries = sorted(dict.fromkeys(entries), key=lambda entry: (order[entry.topic], entry.place, entry.what))
    facts = _kept(
        "reference check",
        problems,
        lambda: reference_facts(code, values, documents.prose, documents.licences, documents.requirements),
    )
    return Recipe(tuple(entries), tuple(facts), porting_order(code), tuple(problems))


def _kept(name: str, problems: list[str], find: Callable[[], Iterable[_Row]]) -> list[_Row]:
    """What a finder finds; what it fails with becomes a problem."""
    try:
        return list(find())
    except Exception as error:  # noqa: BLE001  user code of any shape must not cost the report
        _LOG.exception("%s failed", name)
        problems.append(f"{name.replace('_', ' ')}: {type(error).__name__}: {error}")
        return []
