"""The programs written for the bench: each is ported by one command and comes as far as expected_levels.toml says."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest
from program_bench.bench import ALL_LEVELS, Bench, run_program
from program_bench.case import read_cases
from program_bench.sides import Sides

pytestmark = pytest.mark.oracle

HERE = Path(__file__).parent
EXPECTED = msgspec.toml.decode((HERE / "expected_levels.toml").read_bytes(), type=dict[str, str])
CASES = {case.id: case for case in read_cases([HERE / "own"])}


def test_a_level_is_expected_of_every_program() -> None:
    assert set(EXPECTED) == set(CASES)
    assert set(EXPECTED.values()) <= set(ALL_LEVELS)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_program_comes_as_far_as_before(name: str, tmp_path: Path) -> None:
    sides = Sides(Path(sys.executable), tmp_path / "packages")
    mindport = [sys.executable, "-I", "-m", "mindport"]
    result = run_program(CASES[name], Bench(sides, mindport, tmp_path / "cache", tmp_path / "work"))
    reached, expected = ALL_LEVELS.index(result.level or "none"), ALL_LEVELS.index(EXPECTED[name])
    assert reached >= expected, f"{result.level} instead of {EXPECTED[name]}: {result.cause}"
