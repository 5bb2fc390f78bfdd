"""The mapping files that a team brings along, in the format of those that ship (docs/mappings.md). They judge names
that the catalogue does not, or judge them otherwise. A folder from elsewhere may hold anything: what is no mapping file
is an error with its place, and none takes long to find out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import AliasEvent

from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import read_regular
from mindport.mapping.draft import draft_problems
from mindport.mapping.facts_check import check_against_facts
from mindport.mapping.load import read_mapping
from mindport.mapping.names import listed_names
from mindport.mapping.problem import MappingProblem
from mindport.mapping.schema import Mapping
from mindport.mapping.validate import check_mapping
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.source.reasons import reason_of
from mindport.usage.recipe.config_files import is_deep

_LONGEST = 200_000  # bytes; the longest that ships has a tenth


def read_team(files: Sequence[Path]) -> tuple[tuple[str, Mapping], ...]:
    """The mappings of the files, each with its file. Raises ConfigurationError with all that is wrong with them."""
    found: list[tuple[str, Mapping]] = []
    problems: list[MappingProblem] = []
    owner: dict[str, str] = {}
    for path in files:
        file = path.as_posix()
        mapping = _read(path, file)
        if isinstance(mapping, tuple):
            problems += mapping
            continue
        problems += _problems(mapping, file)
        for name, form in listed_names(mapping.torch):
            if owner.setdefault(name, file) != file:
                problems.append(MappingProblem(file, f"torch.{form}", f"{name} is already in {owner[name]}"))
        found.append((file, mapping))
    if problems:
        raise ConfigurationError([str(one) for one in problems])
    return tuple(found)


def _read(path: Path, file: str) -> Mapping | tuple[MappingProblem, ...]:
    try:
        text = read_regular(path, _LONGEST).decode("utf-8")
    except UnicodeDecodeError as error:
        return (MappingProblem(file, "", f"not UTF-8 at byte {error.start}"),)
    except OSError as error:
        return (MappingProblem(file, "", f"cannot be read: {reason_of(error)}"),)
    if is_deep(text):
        return (MappingProblem(file, "", "is nested deeper than a mapping"),)
    try:
        # What refers to itself may come to billions of values.
        if any(isinstance(event, AliasEvent) for event in YAML(typ="safe", pure=True).parse(text)):
            return (MappingProblem(file, "", "has an alias (*name), which mappings do without"),)
    except (YAMLError, ValueError):
        pass  # said with its place below
    return read_mapping(text, file)


def _problems(mapping: Mapping, file: str) -> Iterator[MappingProblem]:
    yield from check_mapping(mapping, file) or check_against_facts(
        mapping, file, torch_facts(), mindspore_facts()
    )
    yield from draft_problems(mapping, file)
