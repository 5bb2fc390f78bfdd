"""A module that hands torch's names on has them as its own, where others look a name up in it."""

from __future__ import annotations

import pytest

from mindport.rewrite.names_handed_on import names_handed_on
from mindport.rewrite.text_edits import with_edits

PATH = "package/optimizers/__init__.py"


def begun(module: str, *others: str) -> str:
    texts = {PATH: module} | {f"{place}.py": text for place, text in enumerate(others)}
    edits = names_handed_on(texts)
    assert edits.keys() <= {PATH}
    return with_edits(module, edits.get(PATH, []))


LOOKED_UP = "import package.optimizers\n\nmade = getattr(package.optimizers, kind)(weights)\n"


@pytest.mark.parametrize(
    "other",
    [
        LOOKED_UP,
        "from package import optimizers\nmade = getattr(optimizers, config['kind'], None)\n",
        "import package.optimizers as chosen\nmade = chosen.__dict__[kind]\n",
        "from . import optimizers\nmade = build(config, optimizers)\n",
        "from . import optimizers\nmade = config.init('optimizer', module=optimizers)\n",
        "from . import optimizers\nmade = vars(optimizers)[kind]\n",
    ],
)
def test_names_that_are_looked_up(other: str) -> None:
    module = "import math\nfrom torch.optim import SGD, Adam as Usual  # 优化 🙂\nfrom .own import *\n"
    assert begun(module, other) == (
        "import math\nimport torch\nSGD = torch.optim.SGD\nUsual = torch.optim.Adam  # 优化 🙂\nfrom .own import *\n"
    )


def test_all_that_a_module_has() -> None:
    text = begun("from torch.optim import *  # NOQA\n\nfrom .own import *  # NOQA\n", LOOKED_UP)
    assert text.startswith("import torch\n")
    assert "\nAdam = torch.optim.Adam\nAdamW = torch.optim.AdamW\n" in text
    assert text.endswith("\nSparseAdam = torch.optim.SparseAdam\n\nfrom .own import *  # NOQA\n")
    assert "lr_scheduler" not in text


def test_what_the_project_names() -> None:
    module = "from torch.nn import *\n\n\nclass Net(Module):\n    pass\n"
    other = "from package import optimizers\nlayer = getattr(optimizers, {'a': 'ReLU', 'b': 'Net'}[kind])()\n"
    assert begun(module, other) == module.replace(
        "from torch.nn import *\n", "import torch\nfrom torch.nn import *\nReLU = torch.nn.ReLU\n"
    )


@pytest.mark.parametrize(
    ("module", "other"),
    [
        # The name is known where it is read.
        (
            "from torch.optim import SGD\n",
            "import package.optimizers\nmade = package.optimizers.SGD(weights)\n",
        ),
        (
            "from torch.optim import SGD\n",
            "import package.optimizers\nmade = getattr(package.optimizers, 'SGD')\n",
        ),
        ("from torch.optim import *\n", "import package.others\nmade = getattr(package.others, kind)\n"),
        ("from torch.optim import *\n", "from package.optimizers import *\n"),
        # The module reads it itself.
        ("from torch.optim import SGD\nmade = SGD(weights)\n", LOOKED_UP),
        ("from .own import SGD\nfrom tensorflow import Adam\n", LOOKED_UP),
        ("from torch.optim import NothingOfTheKind\n", LOOKED_UP),
        ("from torch.optim import *\n(", LOOKED_UP),
    ],
)
def test_what_stays(module: str, other: str) -> None:
    assert begun(module, other) == module


def test_some_names_of_an_import() -> None:
    module = "from torch.optim import SGD, Adam\nmade = SGD(weights)\n"
    assert begun(module, LOOKED_UP) == (
        "import torch\nfrom torch.optim import SGD\nAdam = torch.optim.Adam\nmade = SGD(weights)\n"
    )
