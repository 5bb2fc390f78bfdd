"""A small project that trains, what a folder holds, and commands that are run in the folder of a test."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mindport.cli.main import main

TARGET = ("--device", "CPU", "--target-version", "2.10.0", "--locale", "en")


class Result(msgspec.Struct):
    code: int
    out: str
    err: str


class Command:
    """Runs commands in the folder of the test and gives what they wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, name: str, *arguments: str) -> Result:
        code = main([name, *TARGET, *arguments])
        output = self._capsys.readouterr()
        return Result(code, output.out, output.err)


NET = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LeakyReLU()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.act(x))
"""
TRAIN = """import torch
from torch import nn, optim

from net import Net

model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1)
loss_function = nn.MSELoss()
for _ in range(3):
    x, y = torch.rand(8, 4), torch.rand(8, 2)
    optimizer.zero_grad()
    loss = loss_function(model(x), y)
    loss.backward()
    optimizer.step()
    torch.cuda.current_stream()
"""


def write(files: dict[str, str | bytes], folder: str = "src") -> Path:
    """Write files below a folder, which is given back."""
    for name, content in files.items():
        place = Path(folder, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Path(folder)


def content(folder: Path | str) -> dict[str, bytes]:
    """The files below a folder with their bytes, links with where they lead."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = b"-> " + str(path.readlink()).encode()
        elif path.is_file():
            found[name] = path.read_bytes()
    return found
