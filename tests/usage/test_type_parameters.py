"""Names in the type syntax of Python 3.12 are seen; an older Python says that it cannot read such a file."""

import sys

import pytest

from mindport.usage.project import Project

TEXTS = [
    ("type Images = list[torch.Tensor]\n", "torch.Tensor"),
    ("type Many[U: torch.dtype] = list[U]\n", "torch.dtype"),
    ("def f[V: torch.Tensor](a: V): ...\n", "torch.Tensor"),
    ("def f():\n    type Q = torch.Size\n", "torch.Size"),
    ("class C[W: torch.device](list[W]): ...\n", "torch.device"),
    ("class C:\n    def g[Z: (torch.Tensor, int)](self, a: Z): ...\n", "torch.Tensor"),
]


@pytest.mark.parametrize(("text", "api"), TEXTS)
def test_names_in_type_syntax(text, api):
    project = Project("/p")
    project.add("/p/a.py", f"import torch\n{text}")
    if sys.version_info >= (3, 12):
        assert [use.api for use in project.usage("/p/a.py").uses] == ["torch", api]
    else:
        assert project.problems("/p/a.py")
