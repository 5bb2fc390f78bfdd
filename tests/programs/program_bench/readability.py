"""How far a ported file is from what a hand would have written: what a reviewer counts in two texts."""

from __future__ import annotations

import ast
import difflib
import io
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterable

import msgspec

WIDTH = 120


class Score(msgspec.Struct, frozen=True):
    """Counts for one ported file, or the sums for several (`longest` is the longest line of them then)."""

    files: int = 1
    lines: int = 0  # of the port, without helpers
    changed: int = 0  # lines of the port that the original has not
    longest: int = 0  # of the changed lines
    too_long: int = 0  # lines over 120 columns beyond those that the original has
    lambdas: int = 0  # beyond those of the original
    helpers: int = 0  # lines of helpers that stand in the file
    needless: int = 0  # changed lines in which only the layout is another one
    comments: int = 0  # of the original that are not in the port
    casts: int = 0  # to int32 beyond those of the original

    def __add__(self, other: Score) -> Score:
        sums = {name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__}
        return Score(**(sums | {"longest": max(self.longest, other.longest)}))


def score_file(before: str, after: str, helpers: Iterable[str]) -> Score:
    """The score of one file; `helpers` are the names of definitions that mindport may have put into it. Raises
    SyntaxError where one of the texts does not parse."""
    own, helper_lines = _without_definitions(after, frozenset(helpers) - _defined(before))
    added, removed = _changes(before, own)
    return Score(
        lines=len(own.splitlines()),
        changed=len(added),
        longest=max(map(len, added), default=0),
        too_long=max(0, _too_long(own) - _too_long(before)),
        lambdas=max(0, _lambdas(own) - _lambdas(before)),
        helpers=helper_lines,
        needless=_needless(removed, added),
        comments=(_comments(before) - _comments(own)).total(),
        casts=max(0, _casts(own) - _casts(before)),
    )


def helper_lines(module: str) -> int:
    """The lines of a module of helpers."""
    return len(module.splitlines())


def total(scores: Iterable[Score]) -> Score:
    """The scores of several files as one."""
    return sum(scores, Score(files=0))


def median(values: Iterable[float]) -> float:
    """The middle value; 0 of none."""
    found = list(values)
    return statistics.median(found) if found else 0.0


def _defined(text: str) -> frozenset[str]:
    return frozenset(getattr(node, "name", "") for node in ast.parse(text).body)


def _without_definitions(text: str, names: frozenset[str]) -> tuple[str, int]:
    """The text without the top-level definitions of these names, and how many lines they have."""
    lines = text.splitlines()
    gone: set[int] = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            gone |= set(range(first, (node.end_lineno or first) + 1))
    kept = [line for number, line in enumerate(lines, 1) if number not in gone]
    return "\n".join(kept) + "\n", len(gone)


def _changes(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = before.splitlines(), after.splitlines()
    added: list[str] = []
    removed: list[str] = []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            removed += old[i:j]
            added += new[k:m]
    return added, removed


def _needless(removed: Iterable[str], added: Iterable[str]) -> int:
    """Added lines that are removed ones with other blanks, and blank lines that were put in."""
    olds = Counter("".join(line.split()) for line in removed)
    news = Counter("".join(line.split()) for line in added)
    blank = max(0, news.pop("", 0) - olds.pop("", 0))
    return (olds & news).total() + blank


def _too_long(text: str) -> int:
    return sum(len(line) > WIDTH for line in text.splitlines())


def _lambdas(text: str) -> int:
    return sum(isinstance(node, ast.Lambda) for node in ast.walk(ast.parse(text)))


def _casts(text: str) -> int:
    """Calls that make int32 of something."""
    found = 0
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(attr="int"), args=[]):
                found += 1
            case ast.Call(func=ast.Attribute(attr="astype" | "to" | "type"), args=[dtype, *_]):
                found += ast.unparse(dtype).endswith("int32")
    return found


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string.strip() for token in tokens if token.type == tokenize.COMMENT)
