"""Cuts source text of a mapping (templates, defaults, additions) into text, the MindSpore names it refers to, and the
helpers it calls."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Sequence

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.pieces import HelperName, ImportedName, mindspore_name

_TOKEN = re.compile(
    r"""(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<name>(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"""
)
_ROOTS = {"ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn", "mindspore": "mindspore"}


@functools.lru_cache(maxsize=4096)
def name_pieces(text: str, imports: tuple[str, ...] = ()) -> tuple[str | ImportedName | HelperName, ...]:
    """`text` in pieces. `imports` are the statements the mapping gives for names of its own, such as
    `import numpy as np`."""
    given = _given_names(imports)
    pieces: list[str | ImportedName | HelperName] = []
    position = 0
    for match in _TOKEN.finditer(text):
        name = match["name"]
        if name is None or text[match.end() :].lstrip()[:1] == "=" != text[match.end() :].lstrip()[1:2]:
            continue  # a string, or the name of a keyword argument
        imported = _imported(name, given)
        if imported is None:
            continue
        if match.start() > position:
            pieces.append(text[position : match.start()])
        pieces.append(imported)
        is_helper = isinstance(
            imported, HelperName
        )  # what is asked of a class that is put into the file stays text
        position = match.start() + len(imported.local) if is_helper else match.end()
    if position < len(text):
        pieces.append(text[position:])
    return tuple(pieces)


def _imported(name: str, given: dict[str, tuple[str, str]]) -> ImportedName | HelperName | None:
    root, dot, rest = name.partition(".")
    if root in given:
        full, statement = given[root]
        dotted = f"{full}.{rest}" if dot else full
        short = mindspore_name(dotted)
        return short if short.local == name else ImportedName(dotted, statement, name)
    if root in _ROOTS and dot:
        return mindspore_name(f"{_ROOTS[root]}.{rest}")
    return HelperName(root) if helper_source(root) else None


def _given_names(imports: Sequence[str]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for statement in imports:
        for node in ast.parse(statement).body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    local = alias.asname or alias.name.split(".")[0]
                    shown = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
                    found[local] = (alias.name if alias.asname else local, shown)
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    suffix = f" as {alias.asname}" if alias.asname else ""
                    shown = f"from {node.module} import {alias.name}{suffix}"
                    found[alias.asname or alias.name] = (f"{node.module}.{alias.name}", shown)
    return found
