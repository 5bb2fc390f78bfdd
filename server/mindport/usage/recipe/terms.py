"""Finds the kinds of code that the vocabulary names, where the project defines and uses them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.entry import Detail, Entry
from mindport.usage.recipe.settings import SettingKind
from mindport.usage.recipe.values import Values
from mindport.usage.recipe.vocabulary import TERMS, plain_name


def named_kinds(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each term that a definition in use or a setting matches."""
    definitions = [
        (node, file)
        for file in code.files
        for node in file.nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for term in TERMS:
        matching = [
            (node, file)
            for node, file in definitions
            if term.defined
            and re.search(term.defined, plain_name(node.name))
            and values.mentions.is_used(node)
            if (not term.adds or _adds(node))
            and (term.of_modules is None or term.of_modules is (node in code.module_classes))
        ]
        matching.sort(key=lambda pair: not isinstance(pair[0], ast.ClassDef))
        details = _details(term.settings, values)
        if matching or details:
            details += _details(term.beside, values)
        place = matching[0][1].place(matching[0][0]) if matching else details[0].place if details else None
        if place is not None:
            names = list(dict.fromkeys(node.name for node, _ in matching))
            yield Entry(term.topic, term.what, place, details, ", ".join(names[:4]))


def _adds(node: ast.AST) -> bool:
    """Whether the `forward` of a class adds something, as a residual block does; true where it has none of its own."""
    forward = [one for one in every_node(node) if isinstance(one, ast.FunctionDef) and one.name == "forward"]
    return not forward or any(
        isinstance(inner, ast.Add) or last_name(inner) in ("add", "add_")
        for one in forward
        for inner in every_node(one)
    )


def _details(pattern: str, values: Values) -> tuple[Detail, ...]:
    """The settings whose names match. A default of a parameter counts only where nothing else sets any of them."""
    settings: list[Detail] = []
    defaults: list[Detail] = []
    for name in values.settings.names() if pattern else ():
        if not re.match(pattern, name.lower()):
            continue
        found = values.setting(name)
        if isinstance(found, KnownValue) and found.value is not None:
            is_default = all(one.kind is SettingKind.PARAMETER for one in values.settings.named(name))
            (defaults if is_default else settings).append(Detail(name, shown(found.value), found.place))
    by_name = {
        detail.name.lower(): detail for detail in reversed(settings or defaults)
    }  # one of `FLIP` and `flip`
    return tuple(reversed(by_name.values()))
