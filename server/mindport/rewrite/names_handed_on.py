"""Gives a module that hands torch's names on, `from torch.optim import *`, names of its own for them, `Adam =
torch.optim.Adam`, where others look them up in it: `getattr(optimizers, kind)`. Each is then converted as a value. The
result is torch, still."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from mindport.registry.torch import TorchKind, torch_facts
from mindport.rewrite.imports import used_names
from mindport.rewrite.module_names import names_bound_by_module
from mindport.rewrite.names_put_into_modules import imported_names, module_name, parsed
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text

# What a configuration chooses among, in files that are no code.
_CHOSEN_ANYWHERE = ("torch.optim", "torch.optim.lr_scheduler")
_CLASSES = (TorchKind.CLASS, TorchKind.MODULE_CLASS, TorchKind.OPTIMIZER_CLASS, TorchKind.SCHEDULER_CLASS)
# A word to linters is about the import that goes.
_TO_LINTERS = re.compile(r"[ \t]*#[ \t]*noqa\b[^\n\r]*", re.IGNORECASE)


def names_handed_on(texts: Mapping[str, str]) -> dict[str, list[TextEdit]]:
    """The edits of the texts of a project, by their paths; none for a module that nobody looks a name up in."""
    handing = {path: module_name(path) for path, text in texts.items() if "from torch" in text}
    if not handing:
        return {}
    looked_up = {module for tree in _trees(texts) for module in _looked_up(tree)}
    handing = {path: module for path, module in handing.items() if module in looked_up}
    words = {word for tree in _trees(texts) for word in _words(tree)} if handing else set()
    found = {
        path: list(_edits(texts[path], tree, words))
        for path in handing
        if (tree := parsed(texts[path])) is not None
    }
    return {path: edits for path, edits in found.items() if edits}


def _trees(texts: Mapping[str, str]) -> Iterator[ast.Module]:
    """The trees of the texts, one after the other: all of a large project together would take gigabytes."""
    return (tree for text in texts.values() if (tree := parsed(text)) is not None)


def _looked_up(tree: ast.Module) -> Iterator[str]:
    """The modules, each by the last part of its name, that a file has a name looked up in which the code computes, or
    hands to what may."""
    imported = imported_names(tree)
    for node in every_node(tree):
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(), *_]):
                continue
            case ast.Call(args=args, keywords=keywords):
                places = [*args, *(one.value for one in keywords)]
            case ast.Attribute(value=owner, attr="__dict__"):
                places = [owner]
            case _:
                continue
        for place in places:
            yield from imported.get(dotted_text(place), ())


def _words(tree: ast.Module) -> Iterator[str]:
    """The strings of a text that may be names."""
    for node in every_node(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def _edits(text: str, tree: ast.Module, words: set[str]) -> Iterator[TextEdit]:
    lines = LineIndex(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    used, bound = used_names(tree), names_bound_by_module(text)
    for node in tree.body:
        if not isinstance(node, ast.ImportFrom) or node.level or not _is_of_torch(node.module or ""):
            continue
        module = node.module or ""
        given = {one: name for one, name in _given(node, words) if name not in used}
        given = {one: name for one, name in given.items() if node.names[0].name != "*" or name not in bound}
        kept = [one for one in node.names if one.name != "*" and (one.asname or one.name) in used]
        if not given:
            continue
        start, end = start_of(node, lines), end_of(node, lines)
        remark = _TO_LINTERS.match(text, end)
        written = ["import torch" if module.startswith("torch.") or module == "torch" else f"import {module}"]
        written += [f"from {module} import {', '.join(map(ast.unparse, kept))}"] if kept else []
        if node.names[0].name == "*" and _reads_others(used, module, given):
            written.append(f"from {module} import *")
        written += [f"{name} = {module}.{one}" for one, name in given.items()]
        yield TextEdit(start, remark.end() if remark else end, newline.join(written))


def _is_of_torch(module: str) -> bool:
    return module.partition(".")[0] in ("torch", "torchvision")


def _given(node: ast.ImportFrom, words: set[str]) -> Iterator[tuple[str, str]]:
    """The names of torch's classes and functions that an import gives a module, and what they are called there."""
    facts = torch_facts()
    if node.names[0].name != "*":
        for alias in node.names:
            if facts.kind(f"{node.module}.{alias.name}") is not None:
                yield alias.name, alias.asname or alias.name
        return
    start = f"{node.module}."
    for name in sorted(facts.names()):
        last = name.removeprefix(start)
        if (
            name.startswith(start)
            and last.isidentifier()
            and facts.kind(name) in (*_CLASSES, TorchKind.FUNCTION)
        ):
            is_choice = node.module in _CHOSEN_ANYWHERE and facts.kind(name) in _CLASSES
            if last in words or is_choice:
                yield last, last


def _reads_others(used: frozenset[str], module: str, given: Mapping[str, str]) -> bool:
    """Whether a file reads names that only `import *` gives it."""
    facts = torch_facts()
    return any(name not in given.values() and facts.kind(f"{module}.{name}") is not None for name in used)
