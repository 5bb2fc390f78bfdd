"""Finds the kinds of code that the vocabulary names, where the project defines and uses them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.usage.recipe.code import Code, name_of
from mindport.usage.recipe.entry import Detail, Entry, Place
from mindport.usage.recipe.values import Known, Values, shown
from mindport.usage.recipe.vocabulary import TERMS, Term, plain_name


def named_kinds(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each term that a definition in use or a setting matches."""
    definitions = _definitions(code)
    used = _used_names(code)
    for term in TERMS:
        places = [
            (place, name)
            for name, place in definitions
            if term.defined and re.search(term.defined, plain_name(name)) and name in used
        ]
        details = _details(term, values)
        if not places and not details:
            continue
        first = places[0][0] if places else details[0].place
        if first is None:
            continue
        names = list(dict.fromkeys(name for _, name in places))
        yield Entry(term.topic, term.what, first, details, ", ".join(names[:4]))


def _definitions(code: Code) -> list[tuple[str, Place]]:
    return [
        (node.name, file.place(node))
        for file in code.files
        for node in file.nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _used_names(code: Code) -> frozenset[str]:
    """Every name that is read anywhere, and the bases of classes that are."""
    return frozenset(
        name_of(node)
        for file in code.files
        for node in file.nodes
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


def _details(term: Term, values: Values) -> tuple[Detail, ...]:
    found = []
    for name in values.settings.names() if term.settings else ():
        if re.match(term.settings, name.lower()):
            setting = values.setting(name)
            if isinstance(setting, Known) and setting.value is not None:
                found.append(Detail(name, shown(setting.value), setting.place))
    return tuple(found)
