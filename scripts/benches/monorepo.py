"""A monorepo that nobody wrote: packages of networks, data code, training scripts and code without torch, each
importing only from itself, in any number of lines. The same number gives the same bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

_LAYERS = (
    "Linear({i}, {o})",
    "Conv2d({i}, {o}, 3)",
    "BatchNorm2d({i})",
    "LayerNorm({i})",
    "Dropout(0.{d})",
    "LeakyReLU()",
)
_CALLS = (
    "torch.{f}(x, dim=1)",
    "x.view(x.size(0), -1).{f}()",
    "F.relu(x) + torch.{f}(x)",
    "torch.cat([x, x.{f}()], dim=0)",
    "torch.zeros_like(x).add_(x)",
)
_FUNCTIONS = ("mean", "sum", "std", "var", "abs", "exp", "sigmoid", "argmax", "cumsum", "norm")
_PLAIN = """\
def {name}(rows, limit={number}):
    total = 0
    for row in rows:
        if row.get("{name}", 0) > limit:
            total += row["{name}"] * {number}
    return {{"total": total, "limit": limit, "rows": [row for row in rows if row]}}
"""
_TRAINING = """\
import torch
from {package}.{model} import Net{number}
from {package}.data0 import loader

net = Net{number}()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range({epochs}):
    for x, y in loader():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
"""
_DATA = """\
import numpy
import torch


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return {number}

    def __getitem__(self, index):
        return torch.from_numpy(numpy.ones({number})).float(), index % 3


def loader():
    return torch.utils.data.DataLoader(Rows(), batch_size={number}, shuffle=True)
"""


def write_monorepo(root: Path, lines: int, lines_of_package: int = 20_000) -> int:
    """Write packages until they have so many lines; how many there are."""
    written = 0
    for number in range(10**6):
        if written >= lines:
            break
        written += _write_package(root / f"package{number}", number, min(lines_of_package, lines - written))
    return written


def _write_package(folder: Path, number: int, lines: int) -> int:
    chance = random.Random(number)
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    written = 0
    for index, text in enumerate(_files(folder.name, chance)):
        count = text.count("\n")
        if index > 2 and written + count > lines:
            break
        name = (
            ("data0", "model0", "train0")[index]
            if index < 3
            else f"{'model' if index % 3 == 0 else 'part'}{index}"
        )
        (folder / f"{name}.py").write_text(text)
        written += count
    return written


def _files(package: str, chance: random.Random) -> Iterator[str]:
    yield _DATA.format(number=chance.randint(2, 99))
    yield _model(chance, 0, None)
    yield _TRAINING.format(package=package, model="model0", number=0, epochs=chance.randint(1, 9))
    index, before = 3, 0
    while True:
        if index % 3 == 0:
            yield _model(chance, index, f"from {package}.model{before} import Net{before}\n")
            before = index
        else:
            names = [f"{chance.choice('abcdefgh')}_{chance.randint(0, 999)}" for _ in range(40)]
            yield "\n\n".join(_PLAIN.format(name=name, number=chance.randint(1, 99)) for name in names)
        index += 1


def _model(chance: random.Random, index: int, imported: str | None) -> str:
    head = f"import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n{imported or ''}\n\n"
    blocks = []
    for block in range(12):
        layers = [
            chance.choice(_LAYERS).format(
                i=chance.randint(1, 64), o=chance.randint(1, 64), d=chance.randint(1, 9)
            )
            for _ in range(6)
        ]
        made = "\n".join(f"        self.layer{place} = nn.{layer}" for place, layer in enumerate(layers))
        calls = [chance.choice(_CALLS).format(f=chance.choice(_FUNCTIONS)) for _ in range(5)]
        done = "\n".join(f"        x = {call}" for call in calls)
        name = f"Net{index}" if block == 11 else f"Block{block}"
        blocks.append(
            f"class {name}(nn.Module):\n    def __init__(self):\n        super().__init__()\n{made}\n\n"
            f"    def forward(self, x: torch.Tensor):\n{done}\n        return self.layer0(x)\n"
        )
    return head + "\n\n".join(blocks)
