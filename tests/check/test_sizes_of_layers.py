"""Sizes that torch's layers take and MindSpore's refuse: numbers of NumPy, and lists."""

import pytest
from converting import converted

HEADER = """import numpy as np
import torch
from torch import nn

"""
WRITTEN = {
    "a sum of unknown numbers": (
        "def f(sizes):\n    return nn.Embedding(sum(sizes), 8)",
        "nn.Embedding(int(sum(sizes)), 8,",
    ),
    "a largest number": ("def f(ids):\n    return nn.Linear(max(ids), 8)", "nn.Dense(int(max(ids)), 8)"),
    "arithmetic with one": (
        "def f(ids):\n    return nn.Linear(8, max(ids) + 1)",
        "nn.Dense(8, int(max(ids) + 1))",
    ),
    "by name": (
        "def f(sizes):\n    return nn.Linear(in_features=sum(sizes), out_features=2)",
        "nn.Dense(in_channels=int(sum(sizes)), out_channels=2)",
    ),
    "an array's element": (
        "counts = np.array([3, 4])\nm = nn.BatchNorm2d(counts[0], track_running_stats=False)",
        "nn.BatchNorm2d(int(counts[0]), ",
    ),
    "what a class of the file takes": (
        "n = np.max(np.array([3, 4])) + 1\nm = nn.Embedding(n, 8, padding_idx=0)",
        "TorchEmbedding(int(n), 8, padding_idx=0)",
    ),
    "sizes by name of such a class": (
        "n = np.array([3, 4]).max()\nm = nn.GRU(hidden_size=8, input_size=n, batch_first=True)",
        "TorchGRU(hidden_size=8, input_size=int(n), batch_first=True)",
    ),
    "a count of ids in a table": (
        "import pandas as pd\nids = pd.read_csv('ids.csv')\nm = nn.Linear(ids['user'].max() + 1, 8)",
        "nn.Dense(int(ids['user'].max() + 1), 8)",
    ),
    "an array of a table": (
        "import pandas as pd\nids = pd.read_csv('ids.csv').values\nm = nn.Linear(8, ids.max())",
        "nn.Dense(8, int(ids.max()))",
    ),
    "a number here and NumPy's there": (
        "def f(n):\n    return nn.LSTM(n, 8)\nf(3)\nf(np.max(np.array([3, 4])) + 1)",
        "TorchLSTM(int(n), 8)",
    ),
    "a product that has a name": (
        "width = np.prod((2, 3))\nm = nn.Linear(width, 2)",
        "nn.Dense(int(width), 2)",
    ),
    "a call of NumPy": ("m = nn.Linear(np.prod((2, 3)), 2)", "nn.Dense(int(np.prod((2, 3))), 2)"),
    "a convolution": (
        "def f(sizes):\n    return nn.Conv2d(sum(sizes), 4, 3, bias=True)",
        "nn.Conv2d(int(sum(sizes)), 4, 3,",
    ),
    "a list for one axis": (
        "def f(x):\n    return nn.functional.avg_pool1d(x, [2], stride=(2,))",
        "ops.avg_pool1d(x, 2, stride=2)",
    ),
    "a list for one axis, twice": (
        "def f(x):\n    return nn.functional.avg_pool1d(x, [4])",
        "ops.avg_pool1d(x, 4, 4)",
    ),
    "a list for each axis": (
        "def f(x):\n    return nn.functional.avg_pool2d(x, [2, 1])",
        "ops.avg_pool2d(x, (2, 1), (2, 1))",
    ),
    "a list": ("pad = [1, 2, 0, 1]\nm = nn.ReflectionPad2d(pad)", "nn.ReflectionPad2d(tuple(pad))"),
    "a written list": ("m = nn.ReflectionPad2d([1, 2, 0, 1])", "nn.ReflectionPad2d((1, 2, 0, 1))"),
    "a repeated list": ("m = nn.ReplicationPad2d([1] * 4)", "nn.ReplicationPad2d(tuple([1] * 4))"),
    "a list of sizes": (
        "k = [3, 5]\nm = nn.Conv2d(1, 2, k, bias=True)",
        "nn.Conv2d(1, 2, tuple(k), ",
    ),
    "a list where a pool is": ("k = [2, 2]\nm = nn.AdaptiveAvgPool2d(k)", "nn.AdaptiveAvgPool2d(tuple(k))"),
    "a list of strides": (
        "import torch.nn.functional as F\ndef f(x, w):\n    s = [2, 2]\n    return F.conv2d(x, w, stride=s)",
        "ops.conv2d(x, w, stride=tuple(s))",
    ),
    "a list that a window goes over": (
        "import torch.nn.functional as F\ndef f(x):\n    return F.max_pool2d(x, [2, 2])",
        "ops.max_pool2d(x, (2, 2))",
    ),
    "one of two lists": (
        "def f(small):\n    pad = [1, 1, 1, 1] if small else [2, 2, 2, 2]\n    return nn.ReplicationPad2d(pad)",
        "nn.ReplicationPad2d(tuple(pad))",
    ),
}
KEPT = {
    "a name": ("def f(width):\n    return nn.Linear(width, 2)", "nn.Dense(width, 2)"),
    "an attribute": ("def f(c):\n    return nn.Linear(c.width, 2)", "nn.Dense(c.width, 2)"),
    "a number": ("width = 3\nm = nn.Linear(width * 2, 2)", "nn.Dense(width * 2, 2)"),
    "whole numbers added up": ("m = nn.Linear(sum((2, 3)), 2)", "nn.Dense(sum((2, 3)), 2)"),
    "a number for a class of the file": (
        "def f(n):\n    return nn.LSTM(n, 8)\nf(3)\nf(5)",
        "TorchLSTM(n, 8)",
    ),
    "a number of rows of a table": (
        "import pandas as pd\nids = pd.read_csv('ids.csv')\nm = nn.Linear(len(ids), 8)",
        "nn.Dense(len(ids), 8)",
    ),
    "a share for a class of the file": (
        "m = nn.Dropout(np.array([0.5]).max())",
        "TorchDropout(np.array([0.5]).max())",
    ),
    "a length": ("def f(x):\n    return nn.Linear(len(x) * 2, 2)", "nn.Dense(len(x) * 2, 2)"),
    "a whole number already": (
        "def f(s):\n    return nn.Linear(2 * int(sum(s)), 2)",
        "nn.Dense(2 * int(sum(s)), 2)",
    ),
    "a command line's": (
        "import argparse\nargs = argparse.ArgumentParser().parse_args()\nm = nn.Linear(args.width, 2)",
        "nn.Dense(args.width, 2)",
    ),
    "a written tuple": ("m = nn.ReflectionPad2d((1, 2, 0, 1))", "nn.ReflectionPad2d((1, 2, 0, 1))"),
    "a tuple already": (
        "def f(p):\n    return nn.ReflectionPad2d(tuple(p))",
        "nn.ReflectionPad2d(tuple(p))",
    ),
    "a stride": (
        "import torch.nn.functional as F\ndef f(x, w, s):\n    return F.conv2d(x, w, stride=s)",
        "ops.conv2d(x, w, stride=s)",
    ),
    "a list of axes": ("def f(x):\n    return torch.sum(x, [0, 1])", "ops.sum(x, [0, 1])"),
    "an unknown size": ("def f(p):\n    return nn.ReflectionPad2d(p)", "nn.ReflectionPad2d(p)"),
    "the shape of a tensor": (
        "def f(x: torch.Tensor):\n    return nn.AdaptiveAvgPool2d(x.shape)",
        "nn.AdaptiveAvgPool2d(x.shape)",
    ),
    "what is no size": (
        "def f(rates):\n    return nn.Dropout(sum(rates))",
        "TorchDropout(sum(rates))",
    ),
    "a truth value": (
        "def f(flags):\n    return nn.Linear(3, 2, max(flags))",
        "nn.Dense(3, 2, has_bias=max(flags))",
    ),
}


@pytest.mark.parametrize(("code", "expected"), [*WRITTEN.values(), *KEPT.values()], ids=[*WRITTEN, *KEPT])
def test_sizes(code, expected):
    once = converted(f"{HEADER}{code}\n", unsafe=True)
    assert expected in once, once
    assert converted(once, unsafe=True) == once
