"""Real loaders, gone through in a process of their own."""

import sys
from pathlib import Path

import pytest

from mindport.prove.batch_shapes import batch_shapes

pytestmark = pytest.mark.oracle

SOURCE = """
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Equal(Dataset):
    def __len__(self):
        return 10
    def __getitem__(self, index):
        return torch.ones(3, 4), index % 2

class Longer(Equal):
    def __getitem__(self, index):
        return torch.ones(2 + index), index

def pad(batch):
    return {"x": nn.utils.rnn.pad_sequence([x for x, _ in batch], batch_first=True), "y": torch.ones(len(batch))}

def broken():
    yield torch.ones(2)
    raise ValueError("no more")

def slow():
    time.sleep(60)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = nn.Flatten()
        self.last = nn.Linear(12, 2)
    def forward(self, x):
        return self.last(self.flat(x))
"""


@pytest.fixture
def look(tmp_path):
    pytest.importorskip("torch")
    file = tmp_path / "data_of_a_user.py"
    file.write_text(SOURCE)

    def look(loader, entry="", batches=50, seconds=120.0):
        return batch_shapes(Path(sys.executable), file, loader, entry, batches, seconds)

    return look


def test_equal_batches(look):
    found = look("DataLoader(Equal(), 5)")
    assert (found.batches, found.is_whole, found.problem) == (2, True, "")
    assert {one.name: one.shapes for one in found.values} == {
        "batch[0]": ((5, 3, 4), (5, 3, 4)),
        "batch[1]": ((5,), (5,)),
    }


def test_a_smaller_last_batch(look):
    found = look("DataLoader(Equal(), 4)", "Net()")
    assert all(one.varies and one.only_last for one in (*found.values, *found.layers))
    assert {one.name: one.kind for one in found.layers} == {"flat": "Flatten", "last": "Linear"}


def test_padding_to_the_longest(look):
    x, y = look("DataLoader(Longer(), 5, collate_fn=pad)").values
    assert x.axes() == ((1, 6, 11),) and not x.only_last and not y.varies


def test_no_more_than_asked_for(look):
    found = look("DataLoader(Equal(), 2)", batches=2)
    assert (found.batches, found.is_whole) == (2, False)


@pytest.mark.parametrize(
    ("loader", "batches", "problem"),
    [("broken()", 1, "ValueError: no more"), ("nothing", 0, "NameError"), ("(", 0, "is no expression")],
)
def test_what_the_user_raises_is_told(look, loader, batches, problem):
    found = look(loader)
    assert found.batches == batches and problem in found.problem


def test_a_time_limit(look):
    assert "did not answer within 3 s" in look("slow()", seconds=3.0).problem
