"""The torch names of the site: which share a page, and what the search is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from mindport.mapping.index import MappingIndex
from mindport.mapping.names import listed_names
from mindport.registry.torch import torch_facts


class NamePage(msgspec.Struct, frozen=True):
    """One page: the name that it is called by, and the others in the same form that it speaks for."""

    name: str
    others: tuple[str, ...]

    @property
    def document(self) -> str:
        """Where it lies in the site, without its ending."""
        return f"names/{self.name}"

    @property
    def module(self) -> str:
        """The list that it stands in: `torch.nn.functional`, `torch.Tensor`, `torchvision`."""
        parts = self.name.split(".")
        if parts[0] != "torch":
            return parts[0]
        if len(parts) > 3 and parts[1] == "nn" and parts[2] in ("functional", "utils", "init", "Module"):
            return ".".join(parts[:3])
        return ".".join(parts[:2]) if len(parts) > 2 else "torch"


def name_pages(index: MappingIndex) -> Iterator[NamePage]:
    """Every page of the catalogue: one for each form in each mapping."""
    for _, mapping in index.mappings():
        forms: dict[str, list[str]] = {}
        for name, form in listed_names(mapping.torch):
            forms.setdefault(form, []).append(name)
        for names in forms.values():
            yield NamePage(names[0], tuple(names[1:]))


def search_entries(pages: Iterable[NamePage]) -> list[tuple[str, str]]:
    """Each name that can be searched for, with the name of its page; old spellings among them."""
    page_of = {name: page.name for page in pages for name in (page.name, *page.others)}
    facts = torch_facts()
    spellings = {
        spelling: page_of[canonical]
        for spelling in (*facts.names(), *facts.removed_names())
        if spelling not in page_of and (canonical := facts.canonical(spelling) or "") in page_of
    }
    return sorted({**page_of, **spellings}.items())
