"""What repositories show of themselves: blocks of their pages and main blocks run, ported, as they do in torch."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from example_bench.examples import FOLDER, Repository, lay_out, repositories_in

PAGE = """# A network
```python
import torch
from net import Net

y = Net()(torch.ones(2, 3))
```
Not of torch, broken, and of another language:
```python
print("hello")
```
```python
import torch
net = Net(
```
```bash
import torch
```
After what is no Python:
```python
import torch

z = torch.ones(3).cuda()
```
- in a list
  ```python
  import torch

  x = torch.zeros(4, dtype=torch.int64)
  ```
"""
NET = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.linear = nn.Linear(3, 5)

    def forward(self, x):
        return self.linear(self.norm(x))


if __name__ == "__main__":
    net = Net()
    y = net(torch.ones(2, 3))
"""
NEEDS_DATA = 'import torch\n\nif __name__ == "__main__":\n    x = torch.load("weights.pth")\n'


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    tree = tmp_path / "stored" / "somebody+net" / "repo"
    tree.mkdir(parents=True)
    (tree / "README.md").write_text(PAGE)
    (tree / "net.py").write_text(NET)
    (tree / "convert.py").write_text(NEEDS_DATA)
    (tree / "imported.py").write_text("import torch\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=tree, check=True)
    (found,) = repositories_in(tmp_path / "stored")
    return found


def test_examples_are_blocks_that_use_torch_and_files_with_a_main_block(
    repository: Repository, tmp_path: Path
) -> None:
    assert repository.name == "somebody/net"
    examples = lay_out(repository, "", tmp_path / "copy")
    blocks = [f"{FOLDER}/readme_0{number}.py" for number in range(3)]
    assert sorted(examples) == ["convert.py", *blocks, "net.py"]
    assert "z = " in (tmp_path / "copy" / blocks[1]).read_text()
    assert (tmp_path / "copy" / blocks[2]).read_text().startswith("import torch\n")


@pytest.mark.oracle
def test_what_runs_in_torch_runs_when_it_is_ported(repository: Repository, tmp_path: Path) -> None:
    from example_bench.running import Settings, examples_of

    rows = examples_of(repository, "", Settings(tmp_path / "work", seconds=120))
    assert {one.file: one.problem for one in rows} == {
        f"{FOLDER}/readme_00.py": "",
        f"{FOLDER}/readme_01.py": "",
        f"{FOLDER}/readme_02.py": "",
        "net.py": "",
    }


@pytest.mark.oracle
def test_another_shape_dtype_or_number_of_weights_is_a_difference() -> None:
    from example_bench.running import Ran, compared

    left = {"x": ["tensor", [2, 3], "float32"], "net": ["layer", 26]}
    same = Ran(values={**left, "more": ["layer", 1]})
    assert compared("a/b", "x.py", Ran(values=left), same).problem == ""
    for other in (
        {"x": ["tensor", [2, 3], "float64"]},
        {"x": ["tensor", [3, 2], "float32"]},
        {"net": ["layer", 25]},
    ):
        assert compared("a/b", "x.py", Ran(values=left), Ran(values={**left, **other})).problem
    assert (
        "no tensor" in compared("a/b", "x.py", Ran(values=left), Ran(values={"net": ["layer", 26]})).problem
    )
    assert compared("a/b", "x.py", Ran(values=left), Ran("ValueError: no", "x.py:3")).at == "x.py:3"
