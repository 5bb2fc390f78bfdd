"""Names of torch make room for what stands for them in converted code."""

from __future__ import annotations

import pytest

from mindport.rewrite.names_of_helpers import names_of_helpers
from mindport.rewrite.text_edits import with_edits

IMPORT = "from torch.utils.data import DataLoader as TorchDataLoader"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{IMPORT}, Dataset  # 数据 🙂\nclass A(TorchDataLoader): pass\nx = TorchDataLoader(d)\n",
            "from torch.utils.data import DataLoader, Dataset  # 数据 🙂\n"
            "class A(DataLoader): pass\nx = DataLoader(d)\n",
        ),
        (
            f"{IMPORT}\nfrom dgl import DataLoader\nx = '🙂', TorchDataLoader(d)\n",
            "from torch.utils.data import DataLoader as DataLoader_\nfrom dgl import DataLoader\n"
            "x = '🙂', DataLoader_(d)\n",
        ),
        (
            f"try:\n    {IMPORT}\nexcept ImportError:\n    pass\nclass DataLoader(TorchDataLoader): pass\n",
            "try:\n    from torch.utils.data import DataLoader as DataLoader_\nexcept ImportError:\n    pass\n"
            "class DataLoader(DataLoader_): pass\n",
        ),
        (
            "from torch.distributions import Independent as TorchIndependent\ny = TorchIndependent(n, 1)\n",
            "from torch.distributions import Independent\ny = Independent(n, 1)\n",
        ),
    ],
)
def test_they_get_others(text: str, expected: str) -> None:
    assert with_edits(text, names_of_helpers(text)) == expected
    assert names_of_helpers(expected) == []


@pytest.mark.parametrize(
    "text",
    [
        "from torch.utils.data import DataLoader as Loader\nx = Loader(d)\n",
        "from torch.utils.data import DataLoader as TorchNothing\nx = TorchNothing(d)\n",
        "from loaders import DataLoader as TorchDataLoader\nx = TorchDataLoader(d)\n",
        f"{IMPORT}\n",
        f"{IMPORT}\nTorchDataLoader = f(TorchDataLoader)\n",
        f"{IMPORT}\ndef f(TorchDataLoader):\n    return TorchDataLoader(d)\n",
        f"try:\n    {IMPORT}\nexcept ImportError:\n    from mine import TorchDataLoader\nx = TorchDataLoader(d)\n",
        f"{IMPORT}\nx = TorchDataLoader(\n",
    ],
)
def test_others_stay(text: str) -> None:
    assert names_of_helpers(text) == []
