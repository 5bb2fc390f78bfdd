"""Files that nobody wrote, made of such as people wrote: the same seed and files give the same bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_WORD = re.compile(rb"\w+|[^\w\s]|\n[ \t]*")
_ODD = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", "你😀".encode(), b"\r", b"\x0c", b"\t", b"\\\n"),
    *(b'"""', b"'", b"(" * 40, b"#", b"f'{", b"lambda: ", b"*", b"**", b":=", b"async ", b"del ", b"global x\n"),
    *(b"torch.", b"import torch\n", b".backward()", b"self.", b"nn.Module", b"% matplotlib\n", b"match x:\n"),
    *(b"# mindport: ignore[MP101] until 2020-01-01", b"# -*- coding: utf-16 -*-\n"),
)  # fmt: skip


def mutated(files: Sequence[bytes], seed: int) -> bytes:
    """One file with one to eight changes."""
    chance = random.Random(seed)
    content = chance.choice(files)
    for _ in range(chance.randint(1, 8)):
        content = chance.choice(_MUTATIONS)(content, files, chance)
    return content


def _lines(content: bytes, chance: random.Random, most: int = 12) -> tuple[list[bytes], int, int]:
    lines = content.splitlines(keepends=True) or [b""]
    start = chance.randrange(len(lines))
    return lines, start, min(len(lines), start + chance.randint(1, most))


def _without_lines(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    lines, start, end = _lines(content, chance)
    return b"".join(lines[:start] + lines[end:])


def _lines_twice(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    lines, start, end = _lines(content, chance)
    return b"".join(lines[:end] + lines[start:])


def _lines_of_another(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    lines, start, end = _lines(content, chance)
    others, first, last = _lines(chance.choice(files), chance, 40)
    return b"".join(lines[:start] + others[first:last] + lines[end:])


def _moved_in(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    lines, start, end = _lines(content, chance)
    space = chance.choice((b" ", b"    ", b"\t"))
    return b"".join(lines[:start] + [space + line for line in lines[start:end]] + lines[end:])


def _another_word(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    words, others = list(_WORD.finditer(content)), _WORD.findall(chance.choice(files))
    if not words or not others:
        return content
    place = chance.choice(words)
    return content[: place.start()] + chance.choice(others) + content[place.end() :]


def _odd_bytes(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    place = chance.randint(0, len(content))
    return content[:place] + chance.choice(_ODD) + content[place:]


def _cut(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    return content[: chance.randint(0, len(content))] if chance.random() < 0.3 else content


def _other_line_ends(content: bytes, files: Sequence[bytes], chance: random.Random) -> bytes:
    return content.replace(b"\n", chance.choice((b"\r\n", b"\r"))) if chance.random() < 0.3 else content


_MUTATIONS: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    *(_without_lines, _lines_twice, _lines_of_another, _moved_in),
    *(_another_word, _another_word, _odd_bytes, _cut, _other_line_ends),
)
