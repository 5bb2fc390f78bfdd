"""Values of torch that a file has through another one of the project are read as those that it imports itself."""

import pytest

from mindport.usage.api_use import Argument, TorchName
from mindport.usage.project import Project

COMMON = "import torch\nimport torch.nn.functional as F\nfrom torch import float64 as DOUBLE\n"


def argument(body: str, head: str = "from common import *") -> Argument:
    project = Project("/p")
    project.add("/p/common.py", COMMON)
    project.add("/p/beside.py", "import torch\n")
    project.add("/p/a.py", f"{head}\n\n\ndef f(x, kind):  # 类型 🙂\n    {body}\n")
    calls = [use.call for use in project.usage("/p/a.py").uses if use.call is not None and use.call.arguments]
    return calls[-1].arguments[-1]


@pytest.mark.parametrize(
    ("body", "head", "name"),
    [
        ("torch.set_default_dtype(torch.float32)", "from common import *", "torch.float32"),
        (
            "torch.set_default_dtype(torch.float32)",
            "from common import *\nfrom beside import *",
            "torch.float32",
        ),
        ("torch.set_default_dtype(torch.double)", "from common import torch", "torch.double"),
        ("torch.zeros(3, dtype=DOUBLE)", "from common import *", "torch.float64"),
        ("torch.zeros(3, dtype=common.DOUBLE)", "import torch\nimport common", "torch.float64"),
        ("torch.zeros(3, dtype=common.torch.half)", "import torch\nimport common", "torch.half"),
    ],
)
def test_handed_on(body: str, head: str, name: str) -> None:
    found = argument(body, head)
    assert found.is_literal
    assert found.value == TorchName(name)


@pytest.mark.parametrize(
    "body",
    [
        "torch.zeros(3, dtype=kind)",
        "torch.zeros(3, dtype=x.dtype)",
        "DOUBLE = kind; torch.zeros(3, dtype=DOUBLE)",
        "torch.zeros(3, dtype=F.float32)",
        "torch.zeros(3, dtype=UNKNOWN)",
    ],
)
def test_what_is_not_known(body: str) -> None:
    assert not argument(body).is_literal
