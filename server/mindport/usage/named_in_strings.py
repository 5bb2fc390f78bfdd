"""The names that the code of a project writes as strings, which `getattr(torch.optim, name)` may look up. A name from
elsewhere, as of configuration, is not among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage.api_use import ApiUse, Form

_QUOTED = re.compile(r"""(["'])([A-Za-z_]\w*)\1""")
_LOOKED_UP = frozenset(
    (
        TorchKind.FUNCTION,
        TorchKind.CLASS,
        TorchKind.MODULE_CLASS,
        TorchKind.OPTIMIZER_CLASS,
        TorchKind.SCHEDULER_CLASS,
        TorchKind.DTYPE,
    )
)


class NamesInStrings:
    """The answer for the files of one project."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._files: dict[str, frozenset[str]] = {}

    def note(self, path: str) -> None:
        """Take notice that a file has a new text, or is gone."""
        self._files.pop(path, None)

    def looked_up(self, uses: Iterable[ApiUse]) -> dict[str, tuple[str, ...]]:
        """The names that uses may look up, by the torch modules in which they do."""
        modules = {use.api for use in uses if use.form is Form.DYNAMIC}
        return {module: self._names_of(module) for module in modules}

    def _names_of(self, module: str) -> tuple[str, ...]:
        facts = torch_facts()
        words = frozenset[str]().union(*map(self._words, self._texts))
        return tuple(sorted(word for word in words if facts.kind(f"{module}.{word}") in _LOOKED_UP))

    def _words(self, path: str) -> frozenset[str]:
        words = self._files.get(path)
        if words is None:
            found = (match[2] for match in _QUOTED.finditer(self._texts[path]))
            words = self._files[path] = frozenset(found)
        return words


def with_names(uses: Iterable[ApiUse], names: Mapping[str, tuple[str, ...]]) -> tuple[ApiUse, ...]:
    """The uses, where each that looks a name up has those that it may be."""
    return tuple(
        msgspec.structs.replace(use, names=names[use.api]) if use.form is Form.DYNAMIC else use
        for use in uses
    )
