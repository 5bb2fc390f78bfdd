"""How much there is to do in each part of a project: the folders at its top, and the files beside them."""

from __future__ import annotations

from collections.abc import Iterable

from mindport.report.migration.rows import AreaRow, FileRow, WorkRow


def area_of(file: str) -> str:
    """The folder at the top that a file is in; a dot for one that lies at the top itself."""
    first, slash, _ = file.partition("/")
    return first if slash else "."


def area_rows(files: Iterable[FileRow], work: Iterable[WorkRow]) -> tuple[AreaRow, ...]:
    """One row for each area that refers to torch, the one with the most to do first."""
    found: dict[str, list[int]] = {}
    for row in files:
        counts = found.setdefault(area_of(row.file), [0, 0, 0, 0])
        for index, count in enumerate((1, row.references, row.ready)):
            counts[index] += count
    for one in work:
        for place in one.places if one.is_silent else ():
            found.setdefault(area_of(place.file), [0, 0, 0, 0])[3] += 1
    rows = [
        AreaRow(
            area=area,
            files=files,
            references=references,
            ready=ready,
            work=references - ready,
            silent=silent,
        )
        for area, (files, references, ready, silent) in found.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.work, -row.silent, -row.references, row.area)))
