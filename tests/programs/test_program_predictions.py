"""How the bench compares what was predicted of programs with how far they came."""

from __future__ import annotations

import pytest
from program_bench.bench import ALL_LEVELS
from program_bench.prediction import Prediction, score

RANKS = {level: rank for rank, level in enumerate(ALL_LEVELS)}
LEVELS = ("imports", "builds", "forward", "trains")


def predicted(*answers: str) -> Prediction:
    return Prediction(dict(zip(LEVELS, answers, strict=False)))


READY = predicted("expected", "expected", "expected", "expected")
NO_TRAINING = predicted("expected", "expected", "expected")
OPEN = predicted("expected", "unknown", "unknown", "unknown")
WILL_NOT = predicted("expected", "unknown", "will not", "will not")

CASES = [
    ("ready and trains", READY, "trains", (1, 0, 0, 0)),
    ("ready and fails", READY, "forward", (1, 1, 0, 0)),
    ("ready without training", NO_TRAINING, "forward", (1, 0, 0, 0)),
    ("ready without training, and fails", NO_TRAINING, "builds", (1, 1, 0, 0)),
    ("not known", OPEN, "trains", (0, 0, 0, 0)),
    ("nothing said", Prediction(), "trains", (0, 0, 0, 0)),
    ("will not, and stops there", WILL_NOT, "builds", (0, 0, 1, 0)),
    ("will not, and stops before", WILL_NOT, "converts", (0, 0, 1, 0)),
    ("will not, but does", WILL_NOT, "forward", (0, 0, 1, 1)),
]


@pytest.mark.parametrize(("name", "prediction", "reached", "expected"), CASES)
def test_score(name: str, prediction: Prediction, reached: str, expected: tuple[int, int, int, int]) -> None:
    found = score([(name, reached, prediction)], RANKS)
    lists = (found.ready, found.ready_but_fail, found.will_not, found.said_not_but_do)
    assert tuple(map(len, lists)) == expected
    assert found.programs == 1
