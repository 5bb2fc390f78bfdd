"""Small projects in, entries of the checklist out, each as one line."""

from __future__ import annotations

from textwrap import dedent

from mindport.source.documents import Documents
from mindport.usage.project import Project
from mindport.usage.recipe.entry import ChecklistTopic, Entry
from mindport.usage.recipe.find import Recipe, find_recipe

IMPORTS = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


def recipe_of(files: dict[str, str], prose: str = "", configs: dict[str, str] | None = None) -> Recipe:
    project = Project("/p")
    texts = {path: dedent(text) for path, text in files.items()}
    for path, text in texts.items():
        project.add(f"/p/{path}", text)
    python = {path: (text, project.usage(f"/p/{path}")) for path, text in texts.items()}
    return find_recipe(python, configs or {}, Documents(prose={"README.md": prose}))


def lines(entries: tuple[Entry, ...], topic: ChecklistTopic) -> list[str]:
    """Entries as `what a=1 b=x? @file:line`; a question mark is for what is not known."""
    found = []
    for entry in entries:
        if entry.topic is topic:
            values = "".join(f" {one.name}={one.value}{'' if one.is_known else '?'}" for one in entry.details)
            found.append(f"{entry.what}{values} @{entry.place}")
    return found
