"""Rows of files by name are those of the files as they are now, whatever changed in between."""

from __future__ import annotations

import random

from mindport.usage.rows_by_name import RowsByName


def test_rows_are_those_of_the_files_as_they_are() -> None:
    files: dict[str, list[tuple[str, int]]] = {}
    rows = RowsByName[int](lambda path: files.get(path, ()))
    chance = random.Random(3)
    for _ in range(400):
        path = chance.choice(("a.py", "b.py", "名字.py", "d/e.py"))
        if chance.random() < 0.3:
            files.pop(path, None)
        else:
            files[path] = [(chance.choice("xyz"), chance.randint(0, 9)) for _ in range(chance.randint(0, 4))]
        rows.changed(path)
        for name in "xyz" if chance.random() < 0.5 else "":
            expected = [row for place in sorted(files) for one, row in files[place] if one == name]
            assert rows.of(name) == expected


def test_a_file_is_read_once_for_all_questions() -> None:
    read: list[str] = []

    def rows_of(path: str) -> list[tuple[str, str]]:
        read.append(path)
        return [("forward", path)]

    rows = RowsByName[str](rows_of)
    for path in ("b", "a"):
        rows.changed(path)
    assert rows.of("forward") == rows.of("forward") == ["a", "b"]
    assert rows.of("backward") == []
    rows.changed("a")
    assert rows.of("forward") == ["a", "b"]
    assert sorted(read) == ["a", "a", "b"]
