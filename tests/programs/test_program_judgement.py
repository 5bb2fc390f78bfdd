"""What the bench calls equal, and how far a program came: a wrong result must never pass, a rounded one always."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from program_bench.bench import Bench, Result, check_driver, judge_stages, reached, run_program
from program_bench.case import Half, read_case
from program_bench.comparison import first_difference, loosest, same_outputs
from program_bench.sides import Said, SideReport, Sides
from program_bench.table import line, torch_line, totals

pytestmark = pytest.mark.oracle

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("torch", "rounded", "got", "said"),
    [
        ([1.0, 2.0], None, [1.0, 2.0], ""),
        ([1.0, 2.0], None, [1.0, 2.0001], ""),
        ([1.0, 2.0], None, [1.0, 2.001], "differs by 5.0e-04"),
        ([1.0, 2.0], [1.0, 2.001], [1.0, 2.002], ""),
        ([1.0, 2.0], [1.0, 2.0001], [1.0, 2.01], "differs by 5.0e-03"),
        ([0.0, 0.0], None, [0.0, 0.001], "differs"),
        ([1.0, NAN], None, [1.0, NAN], ""),
        ([1.0, 2.0], None, [1.0, NAN], "not finite"),
        ([1.0, INF], None, [1.0, 2.0], "not finite"),
        ([1.0, 2.0], None, [[1.0, 2.0]], "has shape (1, 2), torch's (2,)"),
        ([1.0], None, 1.0, ""),
        ([1.0, 2.0], None, None, "is absent"),
        ([], None, [], ""),
    ],
)
def test_outputs_are_equal_within_rounding(torch: list, rounded: list | None, got: object, said: str) -> None:
    expected = {"train/loss": np.array(torch)}
    if rounded is not None:
        expected["rounding0/train/loss"] = np.array(rounded)
    outputs = {} if got is None else {"train/loss": np.array(got)}
    assert said in (different := str(first_difference("train", expected, outputs, {}) or ""))
    assert bool(different) == bool(said)


@pytest.mark.parametrize(
    ("torch", "got", "equal"), [(0.02, 0.022, True), (0.02, 0.03, False), (0.0, 0.01, False)]
)
def test_the_spread_of_first_weights_may_vary_by_little(torch: float, got: float, equal: bool) -> None:
    spread = {"init/weight": np.array(torch)}, {"init/weight": np.array(got)}
    assert (first_difference("init", *spread, {}) is None) is equal


def test_training_that_rounding_decides_is_called_loose() -> None:
    outputs = {"train/loss": np.array([1.0]), "rounding1/train/loss": np.array([1.05])}
    assert loosest(outputs) == pytest.approx(0.4)
    assert loosest({"forward/x": np.array([1.0]), "rounding1/forward/x": np.array([2.0])}) == pytest.approx(
        1e-4
    )


@pytest.mark.parametrize(
    ("again", "name"),
    [({"x": [1.0, NAN]}, ""), ({"x": [1.0, 0.0]}, "x"), ({}, "x"), ({"x": [1.0, NAN], "y": [1.0]}, "y")],
)
def test_two_runs_are_the_same_to_the_bit(again: dict, name: str) -> None:
    arrays = {key: np.array(value) for key, value in again.items()}
    assert same_outputs({"x": np.array([1.0, NAN])}, arrays) == name


WELL, FAILED = Said(True), Said(False, "TypeError: x", "net.py:3 f()")
FULL = SideReport(stages=dict.fromkeys(("driver", "builds", "init", "forward", "train"), WELL))
OUTPUTS = {"init/w": np.array(1.0), "forward/y": np.array([1.0]), "train/loss": np.array([1.0])}


@pytest.mark.parametrize(
    ("changed", "outputs", "level", "stage", "said"),
    [
        ({}, {}, "trains", "train", "ok"),
        ({"driver": FAILED}, {}, "converts", "driver", "TypeError: x at net.py:3 f()"),
        ({"builds": FAILED}, {}, "imports", "builds", "TypeError"),
        ({"forward": FAILED}, {}, "builds", "forward", "TypeError"),
        ({"train": FAILED}, {}, "forward", "train", "TypeError"),
        ({"train": None}, {}, "forward", "train", "ended the process: Segmentation fault"),
        ({"init": FAILED}, {}, "trains", "init", "TypeError"),
        ({}, {"forward/y": np.array([2.0])}, "builds", "forward", "y differs"),
        ({}, {"train/loss": np.array([1.1])}, "forward", "train", "loss differs"),
        ({}, {"init/w": np.array(2.0)}, "trains", "init", "w differs"),
        ({"graph": WELL}, {"graph/y": np.array([1.0])}, "trains", "graph", "ok"),
        ({"graph": WELL}, {"graph/y": np.array([2.0])}, "trains", "graph", "y differs"),
        ({"graph": FAILED}, {}, "trains", "graph", "TypeError"),
    ],
)
def test_how_far_a_program_came(changed: dict, outputs: dict, level: str, stage: str, said: str) -> None:
    stages = {name: one for name, one in {**FULL.stages, **changed}.items() if one is not None}
    got = SideReport(stages=stages, printed="Segmentation fault")
    judged = judge_stages(FULL, OUTPUTS, got, {**OUTPUTS, **outputs})
    assert reached(judged) == level
    assert said in judged[stage]


def test_an_output_that_fails_on_its_own_says_why() -> None:
    got = SideReport(stages=FULL.stages, parts={"forward/y": "raises TypeError: x"})
    outputs = {key: value for key, value in OUTPUTS.items() if key != "forward/y"}
    assert judge_stages(FULL, OUTPUTS, got, outputs)["forward"] == "y raises TypeError: x"


def result(level: str, half: Half = Half.OPEN, **more: object) -> Result:
    return Result(id="gan", number=1, repository="a/b", kind="GAN", half=half, level=level, **more)


def test_the_table_counts_what_ran_and_names_the_rest() -> None:
    results = [
        result("trains", initial_weights=True, graph=False),
        result("forward", initial_weights=False, cause="train: loss differs"),
        result("none"),
        result("", passed_over=True, cause="a/b is not in /x"),
        result("", cause="torch: driver: no module"),
        result("builds", Half.KEPT),
    ]
    none_called = "0 called ready, 0 of them fail (none); 0 said that they will not, 0 of them do (none)"
    assert totals(results) == [
        "open: 3 programs: 2 converts, 2 imports, 2 builds, 2 forward, 1 trains, initial weights 1 of 2, graph 0 of 1",
        f"open, predicted: 3 programs: {none_called}",
        "kept: 1 programs: 1 converts, 1 imports, 1 builds, 0 forward, 0 trains",
        f"kept, predicted: 1 programs: {none_called}",
        "passed over: gan",
        "torch fails: gan",
    ]
    assert "forward" in line(results[1]) and line(results[1]).endswith("train: loss differs")
    assert "passed over: a/b is not in /x" in line(results[3])
    assert "torch fails: torch: driver" in line(results[4])
    assert "FAILS: x" in torch_line(result("", cause="x"))


DRIVER = """
import numpy as np
import torch


def build():
    return torch.nn.Linear(2, 1)


def forward(net):
    return {"y": net(torch.ones(3, 2))}


def train(net):
    return {"noise": OUTPUT, "w": net.weight}
"""


def bench(tmp_path: Path, command: str = "fix {files}", porter: str = "") -> Bench:
    sides = Sides(Path(sys.executable), tmp_path / "packages")
    return Bench(
        sides, [sys.executable, "-c", porter], tmp_path / "cache", tmp_path / "work", command=command
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "linear"
    folder.mkdir()
    (folder / "program.toml").write_text('kind = "linear"\nseconds = 60\n')
    (folder / "driver.py").write_text(DRIVER.replace("OUTPUT", "torch.ones(1)"))
    return folder


def test_a_driver_has_to_run_twice_with_the_same_bits(folder: Path, tmp_path: Path) -> None:
    assert check_driver(read_case(folder), bench(tmp_path)).cause == ""
    for output, said in (
        ("torch.tensor(__import__('time').perf_counter_ns() % 1000000)", "train/noise"),
        ("torch.rand(1)", "train/noise"),
        ("1 / 0", "ZeroDivisionError: division by zero at driver.py:15"),
        ("torch.cuda.current_device()", "at driver.py:15"),
        ("exit(3)", "SystemExit: 3"),
        ("[1 for _ in iter(int, 1)]", "took more than 2 s"),
    ):
        (folder / "driver.py").write_text(DRIVER.replace("OUTPUT", output))
        (folder / "program.toml").write_text(
            'kind = "linear"\nseconds = 2\n' if "iter" in output else 'kind = "l"\n'
        )
        assert said in check_driver(read_case(folder), bench(tmp_path)).cause


def test_what_was_not_ported_does_not_import(folder: Path, tmp_path: Path) -> None:
    result = run_program(read_case(folder), bench(tmp_path))
    assert result.level == "converts"
    assert "No module named 'torch' (blocked) at driver.py:3" in result.cause
    assert run_program(read_case(folder), bench(tmp_path, porter="exit(2)")).level == "none"


# Writes a correct port by hand, but for a word, so that the rig's judgement of it is seen.
PORTER = """
import pathlib
file = pathlib.Path("driver.py")
text = file.read_text().replace("import torch", "import mindspore as ms\\nfrom mindspore import mint")
text = text.replace("torch.nn.Linear", "mint.nn.Linear").replace("torch.ones", "mint.ones").replace("3, 2", "(3, 2)")
file.write_text(text.replace("OLD", "NEW"))
"""


@pytest.mark.parametrize(
    ("old", "new", "level", "cause"),
    [
        ("nothing", "", "trains", ""),
        ("net.weight", "net.weight + 0.01", "forward", "train: w differs"),
        ("net(", "2 * net(", "builds", "forward: y differs"),
        ("Linear(2, 1)", "Linear(2, [])", "imports", "builds: TypeError"),
        ("mint.ones(1)", "mint.no_such_function(1)", "forward", "train: AttributeError"),
    ],
)
def test_a_port_is_run_and_compared(
    old: str, new: str, level: str, cause: str, folder: Path, tmp_path: Path
) -> None:
    porter = PORTER.replace("OLD", old).replace("NEW", new)
    result = run_program(read_case(folder), bench(tmp_path, porter=porter))
    assert (result.level, result.cause[: len(cause)]) == (level, cause)
    assert (result.cause == "") is (level == "trains")


def test_results_are_kept_until_something_changes(folder: Path, tmp_path: Path) -> None:
    marked = bench(tmp_path)
    first = run_program(read_case(folder), marked)
    (kept,) = (tmp_path / "cache" / "results").iterdir()
    kept.write_text(kept.read_text().replace('"converts"', '"trains"'))

    def level(**changes: object) -> str:
        import msgspec

        return run_program(read_case(folder), msgspec.structs.replace(marked, resume=True, **changes)).level

    assert (first.level, level()) == ("converts", "trains")
    assert level(sources="another state of mindport") == "converts"
    assert level(command="fix --unsafe-fixes {files}") == "converts"
    (folder / "driver.py").write_text(DRIVER.replace("OUTPUT", "torch.zeros(1)"))
    assert level() == "converts"
