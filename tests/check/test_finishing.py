"""What only the whole of a converted text shows is written so that the text stays Python."""

import pytest

from mindport.checking import finishing
from mindport.model.target import Device, Mode, Target, Version
from mindport.usage.project import Project

BEFORE = "import torch\ny = (~x).float()\n"
TEXT = "import mindspore\ny = (torch_not(x)).float()\n"


def finished(text: str) -> str:
    project = Project()
    project.add("a.py", BEFORE)
    target = Target(Version.parse("2.10.0"), Device.CPU, Mode.PYNATIVE)
    return finishing.finished("a.py", BEFORE, text, target, finishing.whole_project(project, ("a.py",)))


def test_every_pass_writes() -> None:
    assert finished(TEXT) == "import mindspore\ny = torch_not(x).float()\n"


@pytest.mark.parametrize("broken", ["y = (", "", "y = 1\n  z = 2\n"])
def test_a_pass_that_breaks_the_text_is_left_out(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finishing, "with_lists_of_cells", lambda text: text + broken)
    expected = "import mindspore\ny = torch_not(x).float()\n"
    assert finished(TEXT) == expected
