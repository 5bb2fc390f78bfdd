"""Methods of a class itself, `@classmethod` and `@staticmethod`: nothing calls one unasked, so it runs only where a
file of the program has its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping

from mindport.source.lines import LineIndex
from mindport.source.units import UnitKind
from mindport.source.written_names import last_name
from mindport.usage.files import FileState
from mindport.usage.programs.steps import Block

_OF_CLASSES = frozenset(("classmethod", "staticmethod"))


class ClassMethods:
    """The methods of classes themselves of a project, by the files that have their names."""

    def __init__(self, texts: Mapping[str, str], state: Callable[[str], FileState]) -> None:
        self._texts = texts
        self._state = state
        self._found: dict[str, dict[str, int]] = {}
        self._mentions: dict[tuple[str, str], int] = {}

    def is_unnamed(self, block: Block, paths: Iterable[str]) -> bool:
        """Whether it is such a method, and none of the files has its name but where it is defined."""
        path, name = block
        own = self._of_file(path).get(name)
        if own is None:
            return False
        last = name.rpartition(".")[2]
        return all(self._mentioned(one, last) <= (own if one == path else 0) for one in paths)

    def _of_file(self, path: str) -> dict[str, int]:
        """Such methods of a file, each with how often its name stands in its definition."""
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = {}
            text = self._texts.get(path, "")
            if any(one in text for one in _OF_CLASSES):
                lines = LineIndex(text)
                for unit in self._state(path).module.units:
                    for node in unit.statements if unit.kind is UnitKind.MEMBER else ():
                        if isinstance(node, ast.FunctionDef) and any(
                            last_name(one) in _OF_CLASSES for one in node.decorator_list
                        ):
                            first, behind = node.lineno + unit.shift, (node.end_lineno or 0) + unit.shift + 1
                            own = "\n".join(map(lines.line_text, range(first, behind)))
                            found[f"{unit.owner}.{node.name}"] = _count(node.name, own)
        return found

    def _mentioned(self, path: str, name: str) -> int:
        found = self._mentions.get((path, name))
        if found is None:
            found = self._mentions[path, name] = _count(name, self._texts.get(path, ""))
        return found


def _count(name: str, text: str) -> int:
    return len(re.findall(rf"\b{re.escape(name)}\b", text)) if name in text else 0
