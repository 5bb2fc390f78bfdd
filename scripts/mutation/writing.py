"""What the catalogue, and a mutant of it, write for the torch code of an example."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

from mindport.mapping.helper_source import with_helpers
from mindport.mapping.index import MappingIndex
from mindport.mapping.schema import Example, Mapping
from mindport.model.target import Target
from mindport.prove.rewritten import rewritten
from mutation.population import Mutant

_TORCH = re.compile(r"\b(?:torch|torchvision|nn\.functional|F|optim)\.[a-z]")


class Written(NamedTuple):
    """What is written, with the helpers it needs, by which case of its mapping."""

    text: str
    case: int


class Writer:
    """Writes for the examples of `mappings`, which are those of `index`."""

    def __init__(self, mappings: dict[str, Mapping], index: MappingIndex, target: Target) -> None:
        self._mappings = mappings
        self._index = index
        self._target = target
        self._known: dict[tuple[Any, ...], Written | None] = {}

    def usual(self, file: str, example: Example) -> Written | None:
        """What the catalogue as it is writes; None where it leaves torch in the code."""
        key = (file, example.before, tuple(example.inputs.items()))
        if key not in self._known:
            self._known[key] = self._written(self._mappings[file], example, self._index)
        return self._known[key]

    def mutated(self, mutant: Mutant, example: Example, usual: Written | None) -> Written | None:
        """What a mutant writes where the catalogue writes `usual`: just that where the code is the same."""
        if mutant.code is not None:
            if usual is None or mutant.code.source not in usual.text:
                return usual
            return usual._replace(text=usual.text.replace(mutant.code.source, f"{mutant.code.text()}\n"))
        assert mutant.mapping is not None
        new = self._written(mutant.mapping, example, self._index.with_mapping(mutant.mapping))
        is_same = new is not None and usual is not None and _tree(new.text) == _tree(usual.text)
        return usual if is_same else new

    def _written(self, mapping: Mapping, example: Example, index: MappingIndex) -> Written | None:
        found = rewritten(mapping, example, self._target, index)
        if found is None or _TORCH.search(found[1]):
            return None
        return Written(with_helpers(found[1]), found[0])


def _tree(text: str) -> str:
    return ast.dump(ast.parse(text))
