"""Of two `import *` the one below gives a name that both have: behind torch's a class of the project's own."""

from __future__ import annotations

import pytest

from mindport.usage.project import Project
from usage.marks import check, usage_of

LAYERS = "import torch\n\n\nclass Linear:\n    pass\n\n\ndef relu(x):\n    return x\n"


@pytest.mark.parametrize(
    ("imports", "rest"),
    [
        ("from .layers import *", "Linear(3), relu(3), ReLU()  #: torch.nn.ReLU"),
        ("from .handing import *", "Linear(3), relu(3), ReLU()  #: torch.nn.ReLU"),
        (
            "from .layers import *\nfrom torch.nn import *",
            "Linear(3, 4), ReLU()  #: torch.nn.Linear; torch.nn.ReLU",
        ),
        ("from .others import *", "Linear(3, 4), ReLU()  #: torch.nn.Linear; torch.nn.ReLU"),
        ("from .missing import *", "Linear(3, 4), ReLU()  #: torch.nn.Linear; torch.nn.ReLU"),
        ("from .layers import relu", "Linear(3, 4), relu(3)  #: torch.nn.Linear"),
    ],
)
def test_the_last_star_gives_the_name(imports: str, rest: str) -> None:
    source = f"from torch.nn import *\n{imports}\n{rest}\n"
    check(source, layers=LAYERS, others="def load():\n    pass\n", handing="from .layers import *\n")


def test_a_name_handed_on_by_a_file_with_both() -> None:
    both = "from torch.nn import *\nfrom .layers import *\n"
    check("from .both import *\nLinear(3), ReLU()  #: torch.nn.ReLU\n", layers=LAYERS, both=both)
    check("from .both import Linear, ReLU\nLinear(3), ReLU()  #: torch.nn.ReLU\n", layers=LAYERS, both=both)


def test_functions_read_names_as_the_module_has_them() -> None:
    source = "from torch.nn.functional import *\nfrom .layers import *\n"
    source += "def f(x):\n    return relu(x), gelu(x)  #: torch.nn.functional.gelu\n"
    check(source, layers=LAYERS)


@pytest.mark.parametrize(
    ("imports", "given"),
    [
        ("from .files import *", {"os", "json"}),
        ("from .handing import *  # 工具 🙂", {"os", "json"}),
        ("from .files import *\nfrom .others import *", {"os", "json"}),
        ("from .files import *\nfrom .circle import *", {"os", "json"}),
        ("from .files import *\nfrom .own import *", {"json"}),
        ("from .files import *\nimport json", {"os"}),
        ("from .files import *\nos = None", {"json"}),
        ("from .files import *\nfrom numpy import *", set()),
        ("from .files import *\nfrom .missing import *", set()),
        ("from .own import *", set()),
        ("from .renamed import *", set()),
        ("from .set_later import *", set()),
        ("from .files import os, json", set()),
        ("import os, json", set()),
        ("", set()),
    ],
)
def test_modules_of_python_that_come_by_stars(imports: str, given: set[str]) -> None:
    usage = usage_of(
        f"{imports}\ndef save(x):\n    return os.path, json.dumps(x)\n",
        files="import os\nimport json as json\nimport sys\n",
        handing="from .files import *\n",
        others="import math\n",
        circle="from .module import *\n",
        own="from .systems import os\n",
        renamed="import posixpath as os\nfrom json import encoder as json\n",
        set_later="import os\nimport json\ndef change():\n    global os, json\n    os = json = None\n",
    )
    assert usage.python_modules == given


def test_a_change_of_the_file_behind_the_star_is_seen() -> None:
    project = Project("")
    project.add("files.py", "import os\n")
    project.add("save.py", "from files import *\nprint(os.name)\n")
    assert project.usage("save.py").python_modules == {"os"}
    project.add("files.py", "from systems import os\n")
    assert project.usage("save.py").python_modules == frozenset()
