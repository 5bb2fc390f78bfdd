"""Small programs of `small_programs/`, one construct of people's code each, print in MindSpore, ported and without an
edit, what they print in torch."""

import shutil
from pathlib import Path

import pytest
from running_programs import ported, printed_by

pytestmark = pytest.mark.oracle

PROGRAMS = sorted((Path(__file__).parent / "small_programs").glob("*.py.txt"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name.partition(".")[0])
def test_the_port_prints_the_same(program, tmp_path):
    source, port = tmp_path / "project", tmp_path / "port"
    source.mkdir()
    shutil.copy(program, source / "program.py")
    ported(source, port)
    assert "import torch\n" not in (port / "program.py").read_text(encoding="utf-8")
    assert printed_by(port, "program.py") == printed_by(source, "program.py")
