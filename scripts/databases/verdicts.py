"""What became of each sample: one class for each, and the figures that follow."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

MODEL_RELEVANT = frozenset(Path(__file__).with_name("model_relevant.txt").read_text("utf-8").split())


class Verdict(enum.Enum):
    """The classes of the report."""

    EQUAL = "equal"
    VALUE = "wrong value"
    GRADIENT = "wrong gradient"
    STRUCTURE = "wrong structure, shape or dtype"
    RAISES = "raises in MindSpore"
    GRADIENT_RAISES = "raises in MindSpore's gradient"
    CRASH = "crashes or hangs"
    UNSTABLE = "another class when it is repeated"
    REFUSED = "refused: no fix"
    TORCH = "torch itself fails"
    UNWRITTEN = "not judged"


SILENT = (Verdict.VALUE, Verdict.GRADIENT, Verdict.STRUCTURE)
NOT_COUNTED = (Verdict.TORCH, Verdict.UNWRITTEN)


class Judged(msgspec.Struct, frozen=True):
    """One sample: where it is from, how it was rewritten, what became of it and why."""

    database: str
    label: str
    form: str
    number: int
    verdict: Verdict
    grade: str = ""  # as it is, safe, unsafe, refused
    place: str = ""  # the mapping and the case
    reason: str = ""
    source: str = ""  # what was run in MindSpore
    has_elements: bool = True  # whether every tensor that goes in has at least one element


def verdict_of(outcome: dict[str, Any]) -> Verdict:
    """The class of what a worker answered."""
    status, kind = outcome["status"], outcome.get("kind", "")
    if status == "differ":
        return {"gradient": Verdict.GRADIENT, "structure": Verdict.STRUCTURE}.get(kind, Verdict.VALUE)
    if status == "failed":
        return Verdict.GRADIENT_RAISES if kind == "gradient" else Verdict.RAISES
    return {"agree": Verdict.EQUAL, "illegal": Verdict.TORCH, "crashed": Verdict.CRASH}[status]


class Figures(msgspec.Struct, frozen=True):
    """The shares of some samples, of those that torch itself can run and that have a source."""

    samples: int
    equal: float
    equal_by_safe_fixes: float
    silently_wrong: float
    silently_wrong_by_safe_fixes: float
    silently_wrong_in_place: int
    refused: float
    raises: float


def figures(rows: Sequence[Judged]) -> Figures:
    """The figures of some samples."""
    counted = [row for row in rows if row.verdict not in NOT_COUNTED]
    safe = [row for row in counted if row.grade in ("as it is", "safe")]

    def share(some: Iterable[Judged], *verdicts: Verdict) -> float:
        return sum(row.verdict in verdicts for row in some) / max(1, len(counted))

    return Figures(
        len(counted),
        share(counted, Verdict.EQUAL),
        share(safe, Verdict.EQUAL),
        share(counted, *SILENT),
        share(safe, *SILENT),
        sum(row.form == "in-place" and row.verdict in SILENT for row in counted),
        share(counted, Verdict.REFUSED),
        share(counted, Verdict.RAISES, Verdict.GRADIENT_RAISES, Verdict.CRASH, Verdict.UNSTABLE),
    )


def report(rows: Sequence[Judged]) -> str:
    """The report in words: the figures, then each class of failure with its entries."""
    relevant = [row for row in rows if row.label in MODEL_RELEVANT]
    lines = [*_figures_lines("all samples", rows), *_figures_lines("model-relevant", relevant)]
    lines += _figures_lines("all samples without empty tensors", [row for row in rows if row.has_elements])
    lines += [*_figures_lines("model-relevant, same", [row for row in relevant if row.has_elements]), ""]
    lines.append(f"{'class':34} {'all':>7} {'relevant':>9}")
    for verdict in Verdict:
        counts = [sum(row.verdict is verdict for row in some) for some in (rows, relevant)]
        lines.append(f"{verdict.value:34} {counts[0]:7} {counts[1]:9}")
    for verdict in Verdict:
        mine = [row for row in rows if row.verdict is verdict]
        if verdict is Verdict.EQUAL or not mine:
            continue
        lines += ["", f"## {verdict.value}: {len(mine)} samples"]
        lines += _entries(mine)
    return "\n".join(lines) + "\n"


def _figures_lines(name: str, rows: Sequence[Judged]) -> list[str]:
    found = figures(rows)
    return [
        f"{name}: {found.samples} samples, {found.equal:.1%} fully equal "
        f"({found.equal_by_safe_fixes:.1%} by safe fixes or as they are)",
        f"  silently wrong {found.silently_wrong:.2%} ({found.silently_wrong_by_safe_fixes:.2%} by safe fixes; "
        f"in place {found.silently_wrong_in_place}), refused {found.refused:.1%}, raises {found.raises:.1%}",
    ]


def _entries(rows: Sequence[Judged]) -> list[str]:
    """The entries of a class, the most frequent first, each with the reason of its first sample."""
    counts = Counter((row.label, row.form, row.grade, row.place) for row in rows)
    first = {(row.label, row.form, row.grade, row.place): row for row in reversed(rows)}
    lines = []
    for key, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        label, form, grade, place = key
        mark = "*" if label in MODEL_RELEVANT else " "
        behind = ", ".join(part for part in (form, grade, place) if part)
        reason = " ".join(first[key].reason.split())[:160]
        lines.append(f"{count:5} {mark} {label} ({behind}) #{first[key].number}: {reason}")
    return lines
