"""`mindport prove` where nothing can be run: it says what is missing. tests/oracle runs it with both frameworks."""

from __future__ import annotations

import sys

import pytest

from mindport.cli.main import main

FAKE = """\
#!{python}
import json, sys
name = sys.argv[1].rpartition("/")[2]
if name == "versions.py":
    print(json.dumps({versions}))
else:
    sys.stdin.readline()
    print(json.dumps({first}))
"""
ALL = {"python": "3.11.0", "torch": "2.13.0", "mindspore": "2.10.0", "numpy": "1.26.4"}


@pytest.fixture
def prove(tmp_path, monkeypatch, capsys):
    """Runs the command with an interpreter that says it has these versions, and then `first`."""
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments, versions=ALL, first=None):
        fake = tmp_path / "python"
        fake.write_text(FAKE.format(python=sys.executable, versions=versions, first=first))
        fake.chmod(0o755)
        code = main(["prove", "--interpreter", str(fake), *arguments])
        return code, capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("versions", "complaint"),
    [
        ({"mindspore": None}, "(Python 3.11.0) lacks mindspore: install"),
        ({"torch": None}, "lacks torch: install"),
        ({"torch": None, "mindspore": None}, "lacks torch and mindspore: install"),
        ({"mindspore": ""}, "does not tell the version of its MindSpore"),
        ({"mindspore": "main"}, "(it says 'main')"),
    ],
)
def test_an_interpreter_without_the_frameworks(prove, versions, complaint):
    code, err = prove("torch.abs", versions={**ALL, **versions})
    assert code == 2 and complaint in err and "--interpreter" in err + "--interpreter"


@pytest.mark.parametrize("interpreter", ["/no/such/python", "/dev/null"])
def test_no_interpreter(prove, interpreter):
    code, err = prove("torch.abs", "--interpreter", interpreter)
    assert code == 2 and "cannot be started" in err


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("torch.abss", "(did you mean 'torch.abs'?)"),
        ("no such name", "is no torch name that mindport judges"),
    ],
)
def test_a_name_that_is_none(prove, name, complaint):
    code, err = prove(name)
    assert code == 2 and complaint in err


def test_a_device_that_is_not_there(prove):
    code, err = prove("torch.abs", "--device", "Ascend", first={"error": "ValueError: no Ascend"})
    assert code == 2 and "cannot run MindSpore on Ascend: ValueError: no Ascend" in err


@pytest.mark.parametrize(("mode", "words"), [("graph", "graph mode"), ("pynative", "PyNative")])
def test_the_mode_is_that_of_the_option(prove, mode, words):
    _, err = prove("torch.abs", "--device", "CPU", "--mode", mode, first={"error": "ValueError: no"})
    assert f"MindSpore 2.10.0 on CPU, {words}" in err


def test_a_mode_that_is_none(prove):
    code, err = prove("torch.abs", "--mode", "graf")
    assert code == 2 and "mode" in err


@pytest.mark.parametrize("first", [{"torch": "2.13.0"}, {}, [1], None])
def test_an_interpreter_that_answers_something_else(prove, first):
    code, err = prove("torch.abs", "--device", "CPU", first=first)
    assert code == 2 and ("does not tell its versions" in err or "could not load" in err)


def test_a_device_that_is_none(prove):
    code, err = prove("torch.abs", "--device", "TPU")
    assert code == 2 and "device" in err


def test_evidence_that_cannot_be_read_is_not_overwritten(prove, tmp_path):
    file = tmp_path / "mindport-evidence.json"
    file.write_text("precious")
    code, err = prove("torch.abs")
    assert code == 2 and "no evidence file" in err and file.read_text() == "precious"
