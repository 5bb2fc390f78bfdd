"""The commands on notebooks: places in cells, and fixes that leave everything but the code as it was."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from mindport.cli.main import main

OPTIONS = ("--no-cache", "--jobs", "1", "--device", "CPU", "--target-version", "2.10.0")
NOTEBOOK = """\
{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["torch.abs(x)  # 文 \\u6587"]},
  {"cell_type": "code", "execution_count": 7, "metadata": {"tags": []},
   "outputs": [{"data": {"text/plain": "torch.abs"}}],
   "source": [
    "%pip install torch\\n",
    "import torch  # 🚀\\n",
    "x = torch.ones(2)"
   ]},
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
   "source": "print(torch.no_such_name_at_all)\\ny = torch.cat([x, x], dim=0)  # 文 🚀"}
 ],
 "metadata": {"language_info": {"name": "python"}},
 "nbformat": 4, "nbformat_minor": 5
}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("model.ipynb")
    path.write_text(NOTEBOOK, "utf-8")
    return path


def test_findings_are_placed_in_their_cells(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *OPTIONS]) == 1
    assert "model.ipynb:cell 3:1:7: warning MP113" in capsys.readouterr().out
    assert main(["check", *OPTIONS, "--output-format", "json", "--min-severity", "hint"]) == 1
    rows = json.loads(capsys.readouterr().out)["findings"]
    places = {(row["api"], row["cell"], row["line"], row["column"]) for row in rows}
    assert ("torch.cat", 3, 2, 5) in places and ("torch.ones", 2, 3, 5) in places
    assert main(["inventory", *OPTIONS, "--output-format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["references"]
    assert [(row["cell"], row["line"], row["name_line"]) for row in rows if row["api"] == "torch.cat"] == [
        (3, 2, 2)
    ]


def test_a_script_has_no_cells(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text("import torch\nprint(torch.no_such_name_at_all)\n")
    assert main(["check", *OPTIONS, "--output-format", "json", "a.py"]) == 1
    assert {row["cell"] for row in json.loads(capsys.readouterr().out)["findings"]} == {None}


def test_fixing_changes_the_code_alone(file: Path) -> None:
    assert main(["fix", *OPTIONS]) == 1  # one name is left
    assert file.read_text("utf-8") == NOTEBOOK.replace('"x = torch.ones(2)"', '"x = ops.ones((2,))"').replace(
        "torch.cat([x, x], dim=0)", "ops.cat([x, x], axis=0)"
    ).replace('"import torch  # 🚀\\n",\n', '"import torch  # 🚀\\n",\n    "from mindspore import ops\\n",\n')
    before = file.read_bytes()
    assert main(["fix", *OPTIONS]) == 1
    assert file.read_bytes() == before


def test_a_diff_of_a_notebook_is_one_of_its_file(
    file: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["fix", *OPTIONS, "--diff"]) == 1
    out = capfdbinary.readouterr().out.decode()
    assert '-    "x = torch.ones(2)"\n' in out and '+    "x = ops.ones((2,))"\n' in out
    assert file.read_text("utf-8") == NOTEBOOK


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(NOTEBOOK.encode())))
    assert main(["fix", *OPTIONS, "--stdin-filename", "model.ipynb", "-"]) == 1
    assert "ops.cat([x, x], axis=0)" in "".join(
        json.loads(capfdbinary.readouterr().out)["cells"][2]["source"]
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "not a notebook of format 4"),
        (NOTEBOOK.replace('"python"', '"R"'), "is a notebook of r"),
    ],
)
def test_what_cannot_be_read_is_said_and_left_alone(
    content: str, message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(content, "utf-8")
    assert main(["fix", *OPTIONS]) == 2
    assert message in capsys.readouterr().err
    assert file.read_text("utf-8") == content


def test_a_broken_cell_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(NOTEBOOK.replace("x = torch.ones(2)", "x = torch.ones(2"), "utf-8")
    assert main(["check", *OPTIONS]) == 1
    out = capsys.readouterr().out
    assert "model.ipynb:cell 2:" in out and "MP901" in out
    assert "model.ipynb:cell 3:1:7: warning MP113" in out
    main(["fix", *OPTIONS])
    assert "model.ipynb:cell 2:" in capsys.readouterr().err


def cells(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]


def test_many_lines_of_helpers_lie_beside_a_notebook(file: Path) -> None:
    layers = "layers = {1: torch.nn.Conv1d, 2: torch.nn.Conv2d}"
    file.write_text(NOTEBOOK.replace("print(torch.no_such_name_at_all)", layers), "utf-8")
    assert main(["fix", *OPTIONS]) == 0
    _, first, last = cells(file)
    assert "from torch_equivalents import TorchConv1d, TorchConv2d\n" in first and "class " not in first
    assert last.startswith("layers = {1: TorchConv1d, 2: TorchConv2d}\n")
    assert "class TorchConv2d" in Path("torch_equivalents.py").read_text("utf-8")
    before = file.read_bytes()
    assert main(["fix", *OPTIONS]) == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "beside"),
    [
        ("y = torch.cumprod(x, 0)", ()),  # a helper of few lines
        ("layers = {1: torch.nn.Conv1d, 2: torch.nn.Conv2d}", ("__init__.py",)),  # in a package
    ],
)
def test_other_helpers_stay_in_their_cell(line: str, beside: tuple[str, ...], file: Path) -> None:
    file.write_text(NOTEBOOK.replace("print(torch.no_such_name_at_all)", line), "utf-8")
    for name in beside:
        Path(name).write_text("")
    assert main(["fix", *OPTIONS]) == 0
    assert "\n\n\n" in cells(file)[1] and not Path("torch_equivalents.py").exists()
