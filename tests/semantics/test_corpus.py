"""What the forward machine knows of small programs is what Python does, or it says that it does not know. The programs
are in corpus/; `scripts/judge_corpus.py` prints the table."""

from __future__ import annotations

from collections import Counter

import pytest

from judge_corpus import Program, judged, programs

PLAIN = programs(needs_torch=False)
TORCH = programs(needs_torch=True)
# The share of answers that are known must not fall: what nobody need have doubted is work that is left.
LEAST_PLAIN, LEAST_TORCH = 0.68, 0.78


def wrong(program: Program) -> list[str]:
    return [
        f"{one.name}: {one.said!r}, Python {one.real!r}" for one in judged(program) if one.verdict == "wrong"
    ]


def share_known(group: list[Program]) -> float:
    counts = Counter(answer.verdict for program in group for answer in judged(program))
    return counts["known"] / counts.total()


@pytest.mark.parametrize("program", PLAIN, ids=lambda one: f"{one.topic}/{one.path.stem}")
def test_right_or_unknown(program: Program) -> None:
    assert wrong(program) == []


@pytest.mark.thorough
def test_most_is_known() -> None:
    assert share_known(PLAIN) >= LEAST_PLAIN


@pytest.mark.oracle
@pytest.mark.parametrize("program", TORCH, ids=lambda one: f"{one.topic}/{one.path.stem}")
def test_networks_are_right_or_unknown(program: Program) -> None:
    assert wrong(program) == []


@pytest.mark.oracle
def test_most_of_networks_is_known() -> None:
    assert share_known(TORCH) >= LEAST_TORCH
