"""Which functions of the packages may be drawn, and in which order.

A function may be drawn where it stands at the top of a file that imports torch, or in a class there that derives from
nothing; where a required parameter is left to make up; where its body names torch's functions; and where no other has
the same text, because packages copy from each other. It is not asked whether it can be run or ported."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

_TORCH = frozenset({"torch", "F", "nn", "Tensor"})
_PLAIN_BASES = frozenset({"object", "ABC", "abc.ABC"})


class Function(msgspec.Struct, frozen=True):
    """A function of a package: `name` is `function` or `Class.method` in `file`, which is relative to the packages."""

    package: str
    file: str
    name: str

    @property
    def place(self) -> str:
        """How it is named in reports."""
        return f"{self.file}::{self.name}"


def drawn(
    sources: Path, roots: Iterable[str], most: int, seed: int, is_wanted: Callable[[str], bool]
) -> list[Function]:
    """At most `most` functions of each package, the same ones every time: its files by the hash of seed and path, of
    each all that may be drawn, so that few files have to be ported. A file
    that is not wanted is passed over."""
    found, texts = [], set[str]()
    for root in roots:
        mine = [
            one for file in sorted((sources / root).rglob("*.py")) for one in _of_file(sources, root, file)
        ]
        mine.sort(key=lambda pair: hashlib.sha256(f"{seed} {pair[0].file}".encode()).hexdigest())
        taken = 0
        for function, text in mine:
            if taken < most and text not in texts and is_wanted(function.file):
                texts.add(text)
                found.append(function)
                taken += 1
    return found


def _of_file(sources: Path, root: str, path: Path) -> Iterator[tuple[Function, str]]:
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError):
        return
    file = path.relative_to(sources).as_posix()
    if "import torch" not in text and "from torch" not in text:
        return
    if any(part in ("test", "tests", "testing") for part in path.parts) or path.name.startswith("test_"):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if _may_be_drawn(node, is_method=False):
                yield Function(root, file, node.name), _text(node)
        elif isinstance(node, ast.ClassDef) and all(ast.unparse(base) in _PLAIN_BASES for base in node.bases):
            for below in node.body:
                if isinstance(below, ast.FunctionDef) and _may_be_drawn(below, is_method=True):
                    yield Function(root, file, f"{node.name}.{below.name}"), _text(below)


def _may_be_drawn(function: ast.FunctionDef, is_method: bool) -> bool:
    if function.name.startswith("__") and function.name != "__call__":
        return False
    is_static = any(ast.unparse(one) == "staticmethod" for one in function.decorator_list)
    given = function.args.posonlyargs + function.args.args
    required = len(given) - len(function.args.defaults) - (is_method and not is_static)
    required += sum(default is None for default in function.args.kw_defaults)
    if required < 1:
        return False
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes):
        return False
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in _TORCH
        for node in nodes
    )


def _text(function: ast.FunctionDef) -> str:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return ast.dump(ast.Module(body, [])) + ast.dump(function.args)
