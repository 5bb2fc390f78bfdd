"""The whole checklist of a project, topic by topic."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from mindport.usage.api_use import FileUsage
from mindport.usage.recipe.augmentation import library_transforms
from mindport.usage.recipe.averaging import averages
from mindport.usage.recipe.clipping import clipping
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.commands import training_commands
from mindport.usage.recipe.entry import Entry, Topic
from mindport.usage.recipe.heads import detection_heads
from mindport.usage.recipe.initialisation import initialisation
from mindport.usage.recipe.losses import losses
from mindport.usage.recipe.optimizers import optimizers
from mindport.usage.recipe.precision import mixed_precision
from mindport.usage.recipe.schedules import rate_settings, schedules
from mindport.usage.recipe.settings import Settings
from mindport.usage.recipe.structure import structure
from mindport.usage.recipe.terms import named_kinds
from mindport.usage.recipe.training import lengths_and_batches
from mindport.usage.recipe.tricks import tricks
from mindport.usage.recipe.values import Values

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


def checklist(
    files: Mapping[str, tuple[str, FileUsage]], config_texts: Mapping[str, str], documents: Mapping[str, str]
) -> tuple[Entry, ...]:
    """The entries of a project in the order of topics and places. `files` are path -> text and usage of its Python
    files, `config_texts` its YAML and JSON files, `documents` what people read. A finder that fails loses its own
    entries only."""
    code = Code(files)
    settings = Settings(code, config_texts)
    values = Values(code, settings, tuple(training_commands(settings, documents)))
    entries: list[Entry] = []
    for finder in _FINDERS:
        try:
            entries += finder(code, values)
        except Exception:  # noqa: BLE001  user code of any shape must not cost the report
            _LOG.exception("%s failed", finder.__name__)
    order = {topic: index for index, topic in enumerate(Topic)}
    return tuple(
        sorted(dict.fromkeys(entries), key=lambda entry: (order[entry.topic], entry.place, entry.what))
    )
