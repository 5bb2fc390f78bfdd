"""Real files with random changes: what must hold of every file holds. `scripts/fuzz.py` runs more of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from fuzzing.mutations import mutated
from fuzzing.properties import failures

SAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "sample").rglob("*.py"))]


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(one, marks=pytest.mark.thorough) for one in range(12, 120))]
)
def test_what_must_hold_of_every_file(seed: int, tmp_path: Path) -> None:
    assert list(failures(mutated(SAMPLES, seed), tmp_path)) == []


def test_the_same_seed_gives_the_same_file_and_another_one_another() -> None:
    made = [mutated(SAMPLES, seed) for seed in range(60)]
    assert made == [mutated(SAMPLES, seed) for seed in range(60)]
    assert len(set(made)) > 50


def test_what_does_not_hold_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The properties would tell of a defect of each kind."""
    from fuzzing import properties

    content = b"import torch\n\nx = torch.std(torch.ones(3))\n"
    assert list(failures(content, tmp_path)) == []
    numbers = iter(range(100))
    monkeypatch.setattr(
        properties, "_fixed", lambda file, unsafe: properties.FixedBytes(b"(" * next(numbers), ())
    )
    found = " ".join(failures(content, tmp_path))
    assert "does not parse after a fix" in found and "a second fix changes something" in found
    monkeypatch.setattr(properties, "check_paths", lambda *_, **__: 1 / 0)
    assert list(failures(content, tmp_path)) == ["raises ZeroDivisionError: division by zero"]
