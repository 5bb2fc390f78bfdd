"""What mindport predicts of a program before it is ported, and how that compares with how far the program comes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

import msgspec

from program_bench.commands import run
from program_bench.copies import DRIVER, Copy

PREDICTING_SECONDS = 400
# The levels of the bench that a stage of the prediction decides on.
LEVEL_OF_STAGE = {"import": "imports", "build": "builds", "forward": "forward", "train": "trains"}


class Prediction(msgspec.Struct, frozen=True):
    """What is predicted of the driver: an answer for each level (`expected`, `unknown`, `will not`), what the program
    is said to be, and the first cause. Without levels nothing was said."""

    levels: dict[str, str] = {}
    said: str = "nothing said"
    cause: str = ""


def predict(original: Copy, mindport: list[str]) -> Prediction:
    """Ask for the report of a copy with its driver, before anything is changed."""
    page = original.folder.parent / "programs.json"
    page.unlink(missing_ok=True)
    words = ["report", "--device", "CPU", "--no-cache", "-o", str(page), "."]
    run([*mindport, *words], PREDICTING_SECONDS, original.folder, dict(os.environ))
    rows = json.loads(page.read_text())["programs"] if page.exists() else []
    row = next((one for one in rows if one["file"] == DRIVER), None)
    if row is None:
        return Prediction()
    levels = {LEVEL_OF_STAGE[stage["stage"]]: stage["answer"] for stage in row["stages"]}
    place = row["cause"]
    cause = f"{place['file']}:{place['line']} {row['what']}: {row['why']}" if place else ""
    return Prediction(levels, row["level"], cause)


class Score(msgspec.Struct, frozen=True):
    """How often predictions were wrong. `ready` programs were expected to come through all levels, `ready_but_fail` of
    them did not; `kept` levels were said not to be reached, `said_not_but_do` of them were."""

    programs: int
    ready: tuple[str, ...]
    ready_but_fail: tuple[str, ...]
    will_not: tuple[str, ...]
    said_not_but_do: tuple[str, ...]

    def __str__(self) -> str:
        wrong = ", ".join(self.ready_but_fail) or "none"
        do = ", ".join(self.said_not_but_do) or "none"
        return (
            f"{self.programs} programs: {len(self.ready)} called ready, {len(self.ready_but_fail)} of them fail "
            f"({wrong}); {len(self.will_not)} said that they will not, {len(self.said_not_but_do)} of them do ({do})"
        )


def score(rows: Iterable[tuple[str, str, Prediction]], levels: Mapping[str, int]) -> Score:
    """The score of programs, each with its id, the level that it reached and its prediction; `levels` has the rank of
    each level."""
    ready, fail, will_not, do, count = [], [], [], [], 0
    for name, reached, prediction in rows:
        count += 1
        answers = prediction.levels
        if answers and all(answer == "expected" for answer in answers.values()):
            ready.append(name)
            if levels[reached] < max(levels[level] for level in answers):
                fail.append(name)
        kept = [level for level, answer in answers.items() if answer == "will not"]
        if kept:
            will_not.append(name)
            if levels[reached] >= min(levels[level] for level in kept):
                do.append(name)
    return Score(count, tuple(ready), tuple(fail), tuple(will_not), tuple(do))
