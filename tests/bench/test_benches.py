"""The parts of the benches that could mislead: where it types, what it counts, and what it says of a server."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from benches import measure, start_up, typing_speed

TEXT = "import torch\n\n\ndef f(x):\n    y = x\n    return y\n\n\nprint(torch.std(f(torch.ones(3))))\n"


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([3.0], 0.95, 3.0), ([1.0, 2.0, 3.0, 4.0], 0.5, 3.0), ([4.0, 1.0], 0.0, 1.0), ([1.0, 2.0], 1.0, 2.0)],
)
def test_percentile(values: list[float], share: float, expected: float) -> None:
    assert measure.percentile(values, share) == expected


def test_typing_is_inside_a_function() -> None:
    assert typing_speed.place_to_type(TEXT) == (5, 4)


def test_cost_of_a_command_that_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        measure.cost_of([sys.executable, "-c", "raise SystemExit(2)"], tmp_path)


def test_processor_time_is_counted(tmp_path: Path) -> None:
    cost = measure.cost_of([sys.executable, "-c", "sum(range(3_000_000))"], tmp_path)
    assert 0 < cost.processor < 30
    assert measure.processor_seconds(2**30) == 0.0


@pytest.mark.thorough
def test_session_of_the_own_server(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(TEXT, encoding="utf-8")
    found = typing_speed.session([sys.executable, "-m", "mindport", "server"], file, tmp_path)
    assert len(found.latencies) == len(typing_speed.TYPED)
    assert found.shown >= 1
    assert found.kept == 1.0
    assert found.invented == 0


@pytest.mark.thorough
def test_start_up_names_every_measure() -> None:
    report = start_up.run(1)
    assert len(report) == 6
    assert all(" x python" in line for line in report[1:])
