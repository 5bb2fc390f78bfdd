"""A project in which any file has a sign of complex numbers is another one for each use in it."""

import pytest

from mindport.usage.project import Project

USER = "import torch\n\ndef size(x: torch.Tensor):\n    return x.abs()\n"


def marks(project: Project) -> set[bool]:
    return {"complex" in use.signs for use in project.usage("size.py").uses if use.api == "torch.Tensor.abs"}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("import torch\nz = torch.fft.rfft(torch.ones(4))\n", True),
        ("import torch\nz = torch.stft(x, 16, return_complex=True)\n", True),
        ("import torch\nz = torch.view_as_complex(x)\n", True),
        ("import torch\nz = torch.complex(x, y)\n", True),
        ("import torch\nz = x.to(torch.cfloat)\n", True),
        ("z = 1j\n", True),
        ("import torch\nz = torch.linalg.eig(x)\n", True),
        ("import torch\nz = torch.sin(x)  # not complex\n", False),
        ("import torch\nz = x.to(torch.float16)\n", False),
        ("z = 'polarity'\n", False),
        ("", False),
    ],
)
def test_signs_in_another_file(other: str, expected: bool) -> None:
    project = Project("")
    project.add("size.py", USER)
    project.add("other.py", other)
    assert marks(project) == {expected}


def test_the_order_of_edits_never_shows() -> None:
    project = Project("")
    project.add("size.py", USER)
    assert marks(project) == {False}
    project.add("other.py", "import torch\nz = torch.fft.fft(x)\n")
    assert marks(project) == {True}
    project.add("other.py", "import torch\n")
    assert marks(project) == {False}
    project.add("size.py", USER + "z = 2j\n")
    assert marks(project) == {True}
    project.add("third.py", "z = 2j\n")
    project.add("size.py", USER)
    assert marks(project) == {True}
    project.remove("third.py")
    assert marks(project) == {False}
