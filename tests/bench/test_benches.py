"""The parts of the benches that could mislead: where it types, what it counts, and what it says of a server."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from benches import growth, kept_baseline, measure, monorepo, open_files, start_up, typing_speed

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
def test_edits_of_open_files_are_counted(tmp_path: Path) -> None:
    for name in ("model.py", "块🧱.py"):
        (tmp_path / name).write_text(TEXT + "# 块 🧱\n", encoding="utf-8")
    report = open_files.run(tmp_path, edits=60)
    assert report[0].startswith("project of 2 files, 2 of them open")
    assert re.search(r"stale +0 of \d+ answers in 60 edits", report[-1]), report


@pytest.mark.thorough
def test_start_up_names_every_measure() -> None:
    report = start_up.run(1)
    assert len(report) == 6
    assert all(" x python" in line for line in report[1:])


def test_a_monorepo_has_so_many_lines_and_parses(tmp_path: Path) -> None:
    assert 6_000 <= monorepo.write_monorepo(tmp_path / "a", 6_000, lines_of_package=2_000) < 7_000
    monorepo.write_monorepo(tmp_path / "b", 6_000, lines_of_package=2_000)
    files = sorted((tmp_path / "a").rglob("*.py"))
    assert len({file.parent for file in files}) >= 3
    for file in files:
        ast.parse(file.read_bytes())
        assert file.read_bytes() == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()


@pytest.mark.thorough
def test_shares_of_a_monorepo_are_one_run() -> None:
    lines = growth.run((4_000,), shares=2)
    assert [line.split()[0] for line in lines] == ["lines", "4,000", "share", "share", "merge"]
    assert lines[-1].endswith("equal to one run")


@pytest.mark.thorough
def test_only_findings_on_lines_that_only_moved_are_false(tmp_path: Path) -> None:
    code = "import torch\n\n\ndef f(x):\n    return torch.none(x)\n"
    repository = tmp_path / "r"
    repository.mkdir()
    for text in (code, "# more\n" * 5 + code, code + "\n\ntorch.none_too\n", code.replace("f(x)", "g(x)")):
        (repository / "a.py").write_text(text)
        for words in (
            ("init", "-q"),
            ("add", "."),
            ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"),
        ):
            subprocess.run(["git", *words], cwd=repository, check=True)
    [line] = kept_baseline.run(repository / ".git", 3)
    assert line == "3 commits: 3 findings known again, 1 new, 0 of them not on added lines"
