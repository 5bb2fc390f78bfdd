"""What networks have under names of Cell's: what it is called in the class, it is in every file."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.model.span import Span
from mindport.rewrite.attributes_of_cells import (
    Renamed,
    named_as_before,
    renamed_attributes,
    with_own_attributes,
)
from mindport.usage.api_use import OwnAttribute
from mindport.usage.project import Project


class OwnAttributes:
    """Gives them other names in the files of a project, which has these as they are now; `before` are the texts that
    they were converted from, by their paths."""

    def __init__(self, project: Project, before: Mapping[str, str]) -> None:
        self._project = project
        self._before = before
        self._renamed = {path: renamed_attributes(text, project.text(path)) for path, text in before.items()}

    def renamed(self, path: str) -> str:
        """The text of a file with the other names."""
        before, text = self._before[path], self._project.text(path)
        elsewhere: tuple[Span, ...] = ()
        if any(one.attributes for one in self._renamed.values()):
            uses = self._project.usage(path).own_attributes
            names = named_as_before(before, text) if uses else frozenset[str]()
            elsewhere = tuple(one.span for one in uses if one.name in names and self._is_renamed(one))
        return with_own_attributes(before, text, self._renamed[path], elsewhere)

    def _is_renamed(self, attribute: OwnAttribute) -> bool:
        """Whether all classes that may keep the attribute have another name for it."""
        for holder in attribute.holders:
            path, _, name = holder.rpartition(":")
            renamed = self._renamed.get(path, Renamed())
            if name.rpartition(".")[2] not in renamed.networks or attribute.name not in renamed.attributes:
                return False
        return True
