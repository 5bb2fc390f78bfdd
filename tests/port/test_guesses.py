"""What is only guessed to be torch's is converted in a port, and stands among what is to review; in code that only
prepares data, and by `mindport fix`, it stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_port import Command

TEXT = """import torch
from torch.utils.data import Dataset
from elsewhere import build, read

class Pictures(Dataset):
    def __getitem__(self, index):
        image = read(index)
        {data}
        return image

class Runner:
    def __init__(self):
        self.nets = build()

    def run(self, batch):
        for net in self.nets.values():
            {use}
"""
NETWORKS = [
    ("net.eval()", "net.set_train(False)", "torch.nn.Module.eval"),
    ("net.eval().zero_grad()", "net.set_train(False)", "torch.nn.Module.zero_grad"),
    ("net.flatten_parameters()", "pass", "torch.nn.RNNBase.flatten_parameters"),
    ("out = net(batch.float().cuda())", "out = net(batch.float())", "torch.Tensor.cuda"),
    ("out = [one.cuda() for one in batch]", "out = [one for one in batch]", "torch.Tensor.cuda"),
    ("out = batch[0].cuda(non_blocking=True)", "out = batch[0]", "torch.Tensor.cuda"),
]
STAYING = ["self.nets.clear()", "net.describe()", "net.update(batch)"]


def port(command: Command, use: str, data: str = "pass") -> tuple[str, str]:
    Path("src").mkdir()
    Path("src/a.py").write_text(TEXT.format(use=use, data=data))
    assert command("port", "src", "-o", "dst").code in (0, 1)
    return Path("dst/a.py").read_text(), Path("dst/PORT.md").read_text()


@pytest.mark.parametrize(("use", "expected", "api"), NETWORKS)
def test_guess_is_converted_and_told(command: Command, use: str, expected: str, api: str) -> None:
    text, page = port(command, use)
    assert use not in text
    assert expected in text
    assert api in page.partition("## To review")[2]


@pytest.mark.parametrize("use", STAYING)
def test_what_is_no_guess_stays(command: Command, use: str) -> None:
    text, _ = port(command, use)
    assert use in text


def test_a_move_to_the_gpu_that_the_project_defines_stays(command: Command) -> None:
    own = "out = batch[0].cuda()\n\nclass Scale:\n    def cuda(self):\n        return self"
    assert "out = batch[0].cuda()" in port(command, own)[0]


def test_values_of_data_code_stay(command: Command) -> None:
    text, _ = port(command, "net.eval()", data="image = image.transpose(2, 0).repeat(2, 1)")
    assert "image.transpose(2, 0).repeat(2, 1)" in text


def test_what_no_array_has_is_converted_in_data_code(command: Command) -> None:
    text, page = port(command, "net.eval()", data="image = image.size(0) * image")
    assert "image.shape[0] * image" in text
    assert "torch.Tensor.size" in page.partition("## To review")[2]


def test_fix_takes_no_guess(command: Command) -> None:
    Path("a.py").write_text(TEXT.format(use="net.eval()", data="pass"))
    command("fix", "--unsafe-fixes", "--allow-dirty", "a.py")
    assert "net.eval()" in Path("a.py").read_text()
