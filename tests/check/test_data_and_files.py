"""Loaders of data and saved files, as `mindport fix` leaves them with safe fixes alone."""

import ast

import pytest
from test_whole_classes import converted

HEAD = (
    "import torch\nfrom torch.utils.data import DataLoader, Dataset, TensorDataset, random_split\n"
    "from torch.utils import data\n"
)


def body(text):
    """The statements below imports and helpers of the converted file."""
    lines = converted(HEAD + text).splitlines()
    count = len(text.splitlines())
    return "\n".join(lines[-count:]) + "\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "loader = DataLoader(samples, batch_size=4, shuffle=True, num_workers=2, pin_memory=True)\n",
            "loader = TorchDataLoader(samples, batch_size=4, shuffle=True, num_workers=2, pin_memory=True)\n",
        ),
        ("for x, y in data.DataLoader(samples):  # 数据 🙂\n    print(x)\n", None),
        ("loader = DataLoader(samples, **options)\n", "loader = TorchDataLoader(samples, **options)\n"),
        ("loader = DataLoader(*both)\n", "loader = TorchDataLoader(*both)\n"),
        ("make = [DataLoader, len]\n", "make = [TorchDataLoader, len]\n"),
        ("class Mine(Dataset):\n    pass\n", "class Mine(TorchDataset):\n    pass\n"),
        (
            "loader = DataLoader(TensorDataset(a, b), sampler=data.WeightedRandomSampler(w, 3))\n",
            "loader = TorchDataLoader(TorchTensorDataset(a, b), sampler=TorchWeightedRandomSampler(w, 3))\n",
        ),
        (
            "a, b = random_split(samples, [8, 2], generator=torch.Generator().manual_seed(1))\n",
            "a, b = TorchRandomSplit(samples, [8, 2], generator=mindspore.Generator().manual_seed(1))\n",
        ),
        ("torch.save(model.state_dict(), path)\n", "torch_save(model.state_dict(), path)\n"),
        (
            "state = torch.load(path, map_location='cpu', weights_only=True)\n",
            "state = torch_load(path, map_location='cpu', weights_only=True)\n",
        ),
        (
            "model.load_state_dict(torch.load('net.pth')['model'])\n",
            "model.load_state_dict(torch_load('net.pth')['model'])\n",
        ),
    ],
)
def test_what_is_converted(before, after):
    after = after or before.replace("data.DataLoader", "TorchDataLoader")
    assert body(before) == after


def test_a_batch_is_known_to_hold_tensors():
    before = "for x, y in DataLoader(samples, 4):\n    total = x.size(0) + y.sum(dim=0)\n"
    assert "x.shape[0] + y.sum(" in body(before)
    before = "def collate(samples):\n    x = data.default_collate(samples)['x']\n    return x.size(0)\n"
    assert "return x.shape[0]" in body(before)


def test_every_helper_is_written_once_and_the_file_stays_as_it_is_when_fixed_again():
    text = "from torch.utils import data\n\none = data.DataLoader(a)\n"
    text += "two = data.DataLoader(b, collate_fn=data.default_collate)\n"
    once = converted(text)
    assert converted(once) == once and "import data" not in once
    defined = [
        node.name for node in ast.parse(once).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]
    assert sorted(defined) == [
        "TorchBatchSampler",
        "TorchBatches",
        "TorchDataLoader",
        "TorchDefaultCollate",
        "TorchDefaultConvert",
        "TorchRandomSampler",
        "TorchSampler",
        "TorchSequentialSampler",
        "torch_draws",
        "torch_index",
        "torch_random",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "from mindspore.dataset import GeneratorDataset\nloader = GeneratorDataset(samples, ['x'], shuffle=False)\n",
        "from tensorflow.data import Dataset\n\n\nclass Mine(Dataset):\n    pass\n",
        "class DataLoader:\n    pass\n\n\nloader = DataLoader()\n",
        "from .loading import DataLoader\n\nloader = DataLoader(samples, batch_size=4)\n",
        "import json\n\njson.load(open('a'))\n",
        "import numpy as np\n\nnp.save('a', b)\nnp.load('a')\n",
        "import joblib as torch\n\ntorch.save(model, 'a')\ntorch.load('a')\n",
        "def save(torch):\n    torch.save(torch.state_dict(), 'a')\n",
        "class Store:\n    def load(self, path):\n        return path\n\n\nStore().load('torch.load(a)')\n",
        "# torch.save(model.state_dict(), path)\ntext = 'DataLoader(samples)'\n",
        "def random_split(samples, lengths):\n    return samples\n\n\na, b = random_split(samples, [1, 2])\n",
    ],
)
def test_what_is_not_torch_stays(text):
    assert converted(text) == text
