"""`mindport shapes`: what is said of series of shapes, and wrong arguments. The oracle tier runs real loaders."""

import os
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.cli.shapes import _lines
from mindport.prove.batch_shapes import BatchShapes, ShapeSeries

LAST = "only the last batch is smaller"
GRAPH = "compile a graph for each new shape"


@pytest.mark.parametrize(
    ("shapes", "line", "advice"),
    [
        (((4, 3), (4, 3)), "fixed   batch  (4, 3)", ""),
        (((4,), (4,), (2,)), "varies  batch  axis 0: 2 to 4 (the last batch only)", LAST),
        (((4, 5), (4, 7), (4, 6)), "varies  batch  axis 1: 5 to 7", GRAPH),
        (((4, 5), (4, 7)), "varies  batch  axis 1: 5 to 7", GRAPH),
        (((4, 5), (3, 7)), "varies  batch  axis 0: 3 to 4, axis 1: 5 to 7", GRAPH),
        (((2,), (2, 2)), "varies  batch  in the number of its axes", GRAPH),
        (((2,), None, (2,)), "varies  batch  is missing in some batches", GRAPH),
        (((),), "fixed   batch  ()", ""),
    ],
)
def test_a_series_is_told_in_words(shapes, line, advice):
    lines = _lines(BatchShapes(len(shapes), True, (ShapeSeries("batch", shapes),)))
    assert lines[0] == line and lines[1] == f"all {len(shapes)} batches"
    assert advice in "\n".join(lines[2:]) and (advice or not lines[2:])


def test_what_stopped_it_is_told():
    assert _lines(BatchShapes(problem="NameError: x")) == ["no batch came", "stopped: NameError: x"]


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")
@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ('printf \'{"batches": 2, "is_whole": true, "values": {"batch": [[2], [2]]}, "layers": {}, "kinds": {}, '
         '"error": ""}\'', 0, "fixed   batch  (2)"),
        ('printf \'{"batches": 2, "is_whole": false, "values": {"batch": [[2], [3]]}, "layers": {}, "kinds": {}, '
         '"error": ""}\'', 1, "the first 2 batches"),
        ("exit 3", 2, "failed with exit code 3"),
        ("sleep 30", 2, "did not answer within 1 s"),
    ],
)  # fmt: skip
def test_the_exit_code(tmp_path, monkeypatch, capfd, script, code, said):
    monkeypatch.chdir(tmp_path)
    Path("data.py").write_text("loader = []\n")
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    arguments = ["shapes", "data.py", "--loader", "loader", "--interpreter", str(python), "--seconds", "1"]
    assert main(arguments) == code
    assert said in capfd.readouterr().out


def test_a_loader_must_be_named(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("data.py").write_text("")
    assert main(["shapes", "data.py"]) == 2
    assert "--loader" in capfd.readouterr().err
