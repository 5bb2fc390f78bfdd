"""TensorBoard that a file can do without may be missing as well where another package stands for torch's."""

from __future__ import annotations

import pytest

from mindport.rewrite.optional_boards import optional_boards
from mindport.rewrite.text_edits import with_edits

TRIED = "import torch\ntry:  # 可选 🙂\n    {}\n    HAS = True\nexcept {}:\n    HAS = False\n"


@pytest.mark.parametrize(
    "missing", ["ImportError", "(ImportError, AttributeError)", "ModuleNotFoundError", "Exception"]
)
@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("from torch.utils.tensorboard import SummaryWriter", "from tensorboardX import SummaryWriter"),
        (
            "from torch.utils.tensorboard import SummaryWriter as W",
            "from tensorboardX import SummaryWriter as W",
        ),
        ("import torch.utils.tensorboard as tb", "import tensorboardX as tb"),
        ("from torch.utils import tensorboard", "import tensorboardX as tensorboard"),
        ("from torch.utils import tensorboard as tb", "import tensorboardX as tb"),
    ],
)
def test_it_is_tried(statement: str, written: str, missing: str) -> None:
    text, expected = TRIED.format(statement, missing), TRIED.format(written, missing)
    assert with_edits(text, optional_boards(text)) == expected
    assert optional_boards(expected) == []


@pytest.mark.parametrize(
    "text",
    [
        "from torch.utils.tensorboard import SummaryWriter\n",
        TRIED.format("from torch.utils.tensorboard import SummaryWriter, FileWriter", "ImportError"),
        TRIED.format("from torch.utils.tensorboard import SummaryWriter", "ValueError"),
        TRIED.format("import torch.utils.tensorboard", "ImportError"),
        TRIED.format("from tensorboard import SummaryWriter", "ImportError"),
        TRIED.format("from torch.utils import data, tensorboard", "ImportError"),
        "try:\n    pass\nexcept ImportError:\n    from torch.utils.tensorboard import SummaryWriter\n",
        TRIED.format("from torch.utils.tensorboard import SummaryWriter (", "ImportError"),
    ],
)
def test_others_stay(text: str) -> None:
    assert optional_boards(text) == []
