"""What the checklist is made from: the parts of a project that its training reaches."""

from __future__ import annotations

import pytest

from mindport.usage.recipe.entry import ChecklistTopic
from usage.recipes import IMPORTS, lines, recipe_of

RUN = "\nif __name__ == '__main__':\n    main()\n"

# name: (files, topic, expected lines)
CASES: dict[str, tuple[dict[str, str], ChecklistTopic, list[str]]] = {
    "makers that nobody calls, also those of others": (
        {
            "nets.py": IMPORTS
            + """
def small(m):
    nn.init.constant_(m.bias, 1)
def large(m):
    nn.init.constant_(m.bias, 2)
    deep(m)
def deep(m):
    nn.init.constant_(m.bias, 3)
""",
            "train.py": "from nets import small\ndef main():\n    small(3)\n" + RUN,
        },
        ChecklistTopic.INITIALISATION,
        ["constant_ val=1 @nets.py:6"],
    ),
    "everything, where no script trains": (
        {"nets.py": IMPORTS + "\ndef small(m):\n    nn.init.constant_(m.bias, 1)\n"},
        ChecklistTopic.INITIALISATION,
        ["constant_ val=1 @nets.py:6"],
    ),
    "what tries a module out": (
        {
            "data.py": """
from torch.utils.data import DataLoader
def loader(data):
    return DataLoader(data, batch_size=32)
if __name__ == '__main__':
    DataLoader(None, batch_size=5)
""",
            "train.py": "from data import loader\ndef main():\n    loader(3)\n" + RUN,
        },
        ChecklistTopic.TRAINING,
        ["batch size batch_size=32 @data.py:4"],
    ),
    "the function of the same name in another file": (
        {
            "check.py": IMPORTS + "def main():\n    torch.optim.SGD(m, lr=0.5)\ndef part():\n    pass\n",
            "train.py": IMPORTS
            + "from check import part\ndef main():\n    part()\n    torch.optim.SGD(m, lr=0.1)\n"
            + RUN,
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 @train.py:7"],
    ),
    "names that are looked up in a module": (
        {
            "nets/__init__.py": "",
            "nets/inits.py": IMPORTS + "\ndef small(m):\n    nn.init.constant_(m.bias, 1)\n",
            "nets/others.py": IMPORTS + "\ndef unused(m):\n    nn.init.constant_(m.bias, 2)\n",
            "train.py": "from nets import inits, others\ndef main():\n    getattr(inits, args.init)(m)\n"
            + RUN,
        },
        ChecklistTopic.INITIALISATION,
        ["constant_ val=1 @nets/inits.py:6"],
    ),
    "an option that is looked up by its name is no module": (
        {
            "inits.py": IMPORTS + "\ndef small(m):\n    nn.init.constant_(m.bias, 1)\n",
            "train.py": "import inits\ndef main(args):\n    getattr(args, args.init)\n" + RUN,
        },
        ChecklistTopic.INITIALISATION,
        [],
    ),
    "all that a script takes by a star, to choose from": (
        {
            "nets/__init__.py": "from .inits import *\n",
            "nets/inits.py": IMPORTS + "\ndef small(m):\n    nn.init.constant_(m.bias, 1)\n",
            "train.py": "from nets import *\ndef main():\n    pass  # small(m)\n" + RUN,
        },
        ChecklistTopic.INITIALISATION,
        ["constant_ val=1 @nets/inits.py:6"],
    ),
    "what a decorator registers": (
        {
            "inits.py": IMPORTS
            + """
@INITS.register()
def small(m):
    nn.init.constant_(m.bias, 1)
@torch.no_grad()
def large(m):
    nn.init.constant_(m.bias, 2)
""",
            "train.py": "import inits\ndef main():\n    pass\n" + RUN,
        },
        ChecklistTopic.INITIALISATION,
        ["constant_ val=1 @inits.py:7"],
    ),
    "experiments that are loaded by name": (
        {
            "experiments/first.py": IMPORTS
            + "\nclass Experiment:\n    def make(self):\n        F.mse_loss(x, y)\n",
            "stray.py": IMPORTS + "\nfor x in range(3):\n    F.l1_loss(x, x)\n",
            "train.py": "import importlib\ndef main(name):\n    importlib.import_module(name).Experiment()\n"
            + RUN,
        },
        ChecklistTopic.LOSS,
        ["mse_loss @experiments/first.py:7"],
    ),
    "files that nothing imports": (
        {
            "experiments/first.py": IMPORTS
            + "\nclass Experiment:\n    def make(self):\n        F.mse_loss(x, y)\n",
            "train.py": "def main(name):\n    pass\n" + RUN,
        },
        ChecklistTopic.LOSS,
        [],
    ),
    "a folder that a script puts on the path": (
        {
            "lib/core/loss.py": IMPORTS + "\ndef step(x, y):\n    F.mse_loss(x, y)\n",
            "tools/train.py": "import paths\nfrom core.loss import step\ndef main():\n    step(1, 2)\n" + RUN,
        },
        ChecklistTopic.LOSS,
        ["mse_loss @lib/core/loss.py:6"],
    ),
    "two folders of the same name": (
        {
            "one/core/loss.py": IMPORTS + "\ndef step(x, y):\n    F.mse_loss(x, y)\n",
            "two/core/loss.py": IMPORTS + "\ndef step(x, y):\n    F.l1_loss(x, y)\n",
            "tools/train.py": "from core.loss import step\ndef main():\n    step(1, 2)\n" + RUN,
        },
        ChecklistTopic.LOSS,
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_entries(name: str) -> None:
    files, topic, expected = CASES[name]
    assert lines(recipe_of(files).entries, topic) == expected


def test_the_order_of_porting_knows_every_import() -> None:
    files = {
        "net.py": "def unused():\n    import helper\n",
        "helper.py": "import torch\n",
        "train.py": "import net\ndef main():\n    pass\n" + RUN,
    }
    assert [step.path for step in recipe_of(files).order] == ["helper.py", "net.py", "train.py"]
