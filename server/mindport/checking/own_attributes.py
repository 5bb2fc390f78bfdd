"""What networks have under names of Cell's: what it is called in the class, it is in every file."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.model.span import Span
from mindport.rewrite.attributes_of_cells import (
    Renamed,
    named_as_before,
    names_of_networks,
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
        self._renamed = self._found(frozenset())
        if any(one.attributes for one in self._renamed.values()):
            self._renamed = self._found(self._networks())

    def _found(self, networks: frozenset[str]) -> dict[str, Renamed]:
        return {
            path: renamed_attributes(text, self._project.text(path), networks)
            for path, text in self._before.items()
        }

    def _networks(self) -> frozenset[str]:
        """The names of the networks of all files."""
        found, known = frozenset[str](), None
        while found != known:
            known = found
            found = known.union(
                *(
                    names_of_networks(text, self._project.text(path), known)
                    for path, text in self._before.items()
                )
            )
        return found

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
