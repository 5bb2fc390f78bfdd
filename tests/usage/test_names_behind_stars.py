"""Of two `import *` the one below gives a name that both have: behind torch's a class of the project's own."""

from __future__ import annotations

import pytest

from usage.marks import check

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
