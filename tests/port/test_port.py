"""A project is ported whole: what is converted, copied, left out and told."""

from __future__ import annotations

import ast
import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from small_port import NET, TRAIN, Command, content, write

from mindport.source.notebook import read_notebook

ABS = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "code", "source": ["import torch\n", "x = torch.zeros(2)"], "metadata": {}}],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def test_project_that_trains(command: Command) -> None:
    write({"net.py": NET, "train.py": TRAIN, "data/numbers.csv": "1,2\n", "notes.ipynb": NOTEBOOK})
    result = command("port", "src", "-o", "dst")
    assert result.code == 1  # torch.cuda.current_stream is left
    first = content("dst")
    assert {"net.py", "train.py", "notes.ipynb", "data/numbers.csv", "PORT.md", ".mindport/port.json"} <= set(
        first
    )
    for name in ("net.py", "train.py"):
        assert "mindspore" in first[name].decode()
        ast.parse(first[name])
    assert b"mindspore" in first["notes.ipynb"]
    assert content("src")["train.py"] == TRAIN.encode()
    assert "train.py:" in result.out
    line = first["train.py"].decode().splitlines().index("    torch.cuda.current_stream()") + 1
    assert f"train.py:{line} (was train.py:15)  torch.cuda.current_stream()" in result.out
    assert result.out.count("Target: ") == 1
    again = command("port", "src", "-o", "dst")
    assert (again.code, content("dst")) == (1, first)
    assert "0 files written" in again.out
    command("fix", "--unsafe-fixes", "dst")
    assert content("dst") == first


DATA = """import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __init__(self, images):
        self.images = images

    def __getitem__(self, index):
        return torch.from_numpy(self.images[index]).float()  # 图 🙂

    def __len__(self):
        return len(self.images)
"""


def test_advice_is_not_called_left(command: Command) -> None:
    write({"data.py": DATA})
    result = command("port", "src", "-o", "dst")
    page = Path("dst/PORT.md").read_text()
    assert result.code == 0
    assert "Left as it is" not in result.out + page
    assert "Advice (1)" in result.out
    assert "## Advice (1)" in page
    assert "`Images.__getitem__` only prepares data" in page.partition("## Advice")[2]


RATES = """import torch
from torch import nn, optim

net = nn.Linear(3, 1)
optimizer = optim.SGD(net.parameters(), lr=0.1)
scheduler = optim.lr_scheduler.StepLR(optimizer, 2)
print(scheduler.get_last_lr()[0], scheduler.get_last_lr())  # 学习率 🙂
"""
LABELS = """import torch
from torch import nn


class Loss(nn.Module):
    def forward(self, logits, labels):
        positive = torch.where(labels != -1)[0]
        mask = torch.ones([positive.size(0), logits.size(1)], device=logits.device)
        mask.scatter_(1, labels[positive], 0)
        return mask
"""


@pytest.mark.parametrize(("text", "written"), [(RATES, "float(scheduler"), (LABELS, "labels[positive, ...]")])
def test_what_was_written_is_not_called_left(command: Command, text: str, written: str) -> None:
    write({"a.py": text})
    result = command("port", "src", "-o", "dst")
    assert written in Path("dst/a.py").read_text()
    assert "Left as it is" not in result.out


def test_what_stays_is_left(command: Command) -> None:
    write(
        {
            "a.py": RATES.replace("StepLR(optimizer, 2)", "CosineAnnealingLR(optimizer, 2)")
            + "f(scheduler.get_lr())\n"
        }
    )
    assert "get_lr())" in command("port", "src", "-o", "dst").out.partition("Left as it is (1)")[2]


def test_page_has_every_place(command: Command) -> None:
    write({"a.py": "import torch\n\nx = torch.zeros(2)\n" + "torch.cuda.current_stream()\n" * 9})
    result = command("port", "src", "-o", "dst")
    assert "… and 5 more" in result.out
    page = Path("dst/PORT.md").read_text()
    assert all(f"(was a.py:{line})" in page or f"`a.py:{line}`" in page for line in range(4, 13))
    assert page.count("torch.cuda.current_stream differs") == 1


@pytest.mark.parametrize(("count", "is_short"), [(2, False), (8, False), (9, True)])
def test_page_has_many_places_to_review_of_a_file_in_one_line(
    command: Command, count: int, is_short: bool
) -> None:
    moves = "".join(f"y{number} = x.pin_memory()  # 移动 🙂\n" for number in range(count))
    write({"a.py": f"import torch\n\nx = torch.ones(2)\n{moves}", "b.py": ABS})
    command("port", "src", "-o", "dst")
    review = Path("dst/PORT.md").read_text(encoding="utf-8").partition("## To review")[2]
    assert (f"`a.py`, {count} places in lines " in review) is is_short
    assert review.count("  - `a.py") == (1 if is_short else count)


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ((), "dst/PORT.md"),
        (("--report", "r.md"), "r.md"),
        (("--no-report",), ""),
        (("--no-report",), "dst/none"),
    ],
)
def test_report(command: Command, options: tuple[str, ...], place: str) -> None:
    write({"a.py": ABS})
    command("port", "src", "-o", "dst", *options)
    reports = [name for name in ("dst/PORT.md", "r.md") if Path(name).exists()]
    assert reports == ([place] if place and place != "dst/none" else [])


def test_own_page_of_the_project_is_kept(command: Command) -> None:
    write({"a.py": ABS, "PORT.md": "ours\n"})
    command("port", "src", "-o", "dst")
    assert Path("dst/PORT.md").read_text() == "ours\n"
    assert Path("dst/.mindport/PORT.md").exists()


def test_one_file(command: Command) -> None:
    write({"a.py": ABS, "b.py": ABS})
    assert command("port", "src/a.py", "-o", "dst").code == 0
    assert {"a.py", "PORT.md", ".mindport/port.json"} == set(content("dst"))
    assert json.loads(Path("dst/.mindport/port.json").read_text())["source"] == "../src"


@pytest.mark.parametrize("name", ["two words.py", "模型/网络.py", "🔥.py", "a;b&c.py"])
def test_names(command: Command, name: str) -> None:
    write({name: ABS})
    assert command("port", "src", "-o", "dst").code == 0
    assert b"mindspore" in content("dst")[name]


@pytest.mark.parametrize(
    ("data", "is_readable"),
    [
        (b"import torch\ndef (:\n", True),
        (b"import torch\nx = '\xff'\n", False),
        (b"import torch\0\n", False),
        (b"# coding: no-such\nimport torch\n", False),
    ],
    ids=["syntax", "encoding", "null", "unknown encoding"],
)
def test_bad_files_are_copied_and_told(command: Command, data: bytes, is_readable: bool) -> None:
    write({"bad.py": data, "good.py": ABS})
    result = command("port", "src", "-o", "dst")
    assert result.code == (1 if is_readable else 2)
    assert content("dst")["bad.py"] == data
    assert b"mindspore" in content("dst")["good.py"]
    assert "bad.py" in result.err
    assert "bad.py" in Path("dst/PORT.md").read_text()


def test_bytes_and_mode_bits(command: Command) -> None:
    text = ABS.replace("\n", "\r\n").encode()
    write({"a.py": b"\xef\xbb\xbf" + text, "run.sh": "#!/bin/sh\n"})
    Path("src/a.py").chmod(0o755)
    Path("src/run.sh").chmod(0o755)
    command("port", "src", "-o", "dst")
    written = content("dst")["a.py"]
    assert written.startswith(b"\xef\xbb\xbf")
    assert written.count(b"\r\n") == written.count(b"\n") > 4
    assert all(stat.S_IMODE(Path("dst", name).stat().st_mode) == 0o755 for name in ("a.py", "run.sh"))


def test_links_are_kept(command: Command, tmp_path: Path) -> None:
    write({"pkg/a.py": ABS})
    write({"data.txt": "1"}, "elsewhere")
    for name, target in {
        "b.py": "pkg/a.py",
        "loop": ".",
        "self": "self",
        "gone": "nowhere",
        "data": "../elsewhere",
        "far": str(tmp_path / "elsewhere"),
    }.items():
        Path("src", name).symlink_to(target)
    command("port", "src", "-o", "deeper/dst")
    written = content("deeper/dst")
    assert written["b.py"] == b"-> pkg/a.py"
    assert [written[name] for name in ("loop", "self", "gone")] == [b"-> .", b"-> self", b"-> nowhere"]
    assert Path("deeper/dst/data/data.txt").read_text() == Path("deeper/dst/far/data.txt").read_text() == "1"
    assert b"mindspore" in written["pkg/a.py"]
    again = command("port", "src", "-o", "deeper/dst")
    assert "0 files written" in again.out


def test_left_out(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindport.port.tree.LARGE", 1000)
    write(
        {"a.py": ABS, ".gitignore": "runs/\n*.pt\n", "runs/log.txt": "1", "m.pt": "1", "big.bin": b"0" * 2000}
    )
    write(
        {
            ".git/config": "",
            "__pycache__/a.pyc": "",
            "env/pyvenv.cfg": "",
            "env/lib/a.py": ABS,
            "big.py": "#" * 2000,
        }
    )
    os.mkfifo("src/pipe")
    result = command("port", "src", "-o", "dst")
    assert set(content("dst")) == {"a.py", "big.py", ".gitignore", "PORT.md", ".mindport/port.json"}
    for name in ("runs/ (git ignores it)", "m.pt", "big.bin (it is large", "pipe"):
        assert f"  {name}" in result.out
    assert "env" not in result.out.replace("environment", "")
    assert command("port", "src", "-o", "dst", "--copy-large-files", "--no-respect-gitignore").code == 0
    assert {"runs/log.txt", "m.pt", "big.bin"} <= set(content("dst"))


def test_excluded_files_are_copied_as_they_are(command: Command) -> None:
    write({"a.py": ABS, "vendored/b.py": ABS})
    command("port", "src", "-o", "dst", "--extend-exclude", "vendored")
    assert content("dst")["vendored/b.py"] == ABS.encode()


REFUSED = [
    (("nowhere", "-o", "dst"), "no such file"),
    (("src",), "-o"),
    (("src", "-o", "dst", "--in-place"), "-o"),
    (("src", "-o", "src"), "inside"),
    (("src", "-o", "src/port"), "inside"),
    (("src/pkg", "-o", "src"), "inside"),
    (("src", "-o", "link/port"), "inside"),
    (("src", "-o", "full"), "not empty"),
    (("src", "-o", "src/a.py/x"), "inside"),
    (("src", "-o", "file"), "no folder"),
    (("src", "-o", "bad"), "no manifest"),
    (("src", "-o", "other"), "is the port of"),
    (("src", "-o", "dst", "--branch", "b"), "--branch"),
    (("src", "-o", "dst", "--report", "no/r.md"), "does not exist"),
]


@pytest.mark.parametrize(("arguments", "reason"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_refused(command: Command, arguments: tuple[str, ...], reason: str) -> None:
    write({"a.py": ABS, "pkg/b.py": ABS})
    write({"mine.txt": "mine"}, "full")
    write({".mindport/port.json": "{"}, "bad")
    write({".mindport/port.json": '{"format": 1, "source": "../full", "files": {}}'}, "other")
    Path("file").touch()
    Path("link").symlink_to("src")
    before = content(".")
    result = command("port", *arguments)
    assert result.code == 2
    assert reason in result.err
    assert content(".") == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_destination(command: Command) -> None:
    write({"a.py": ABS})
    Path("locked").mkdir(mode=0o555)
    result = command("port", "src", "-o", "locked/dst")
    assert result.code == 2
    assert "locked" in result.err


def test_place_that_is_taken_by_a_folder(command: Command) -> None:
    write({"a.py": ABS, "b.py": ABS})
    command("port", "src", "-o", "dst")
    Path("dst/a.py").unlink()
    Path("dst/a.py").mkdir()
    result = command("port", "src", "-o", "dst", "--overwrite")
    assert Path("dst/a.py").is_dir()
    assert "Edited by hand" in result.out


def test_nothing_is_written_through_a_link(command: Command) -> None:
    write({"pkg/a.py": ABS, "pkg/sub/b.py": ABS})
    command("port", "src", "-o", "dst")
    write({"a.py": "mine\n"}, "outside")
    shutil.rmtree("dst/pkg")
    Path("dst/pkg").symlink_to("../outside")
    result = command("port", "src", "-o", "dst", "--overwrite")
    assert result.code == 2
    assert "out of the port" in result.err
    assert content("outside") == {"a.py": b"mine\n"}
    assert not Path("outside/sub").exists()


REVIEWED = {
    "plain": ABS.replace("torch.abs(x)", "x.pin_memory()"),
    "in a string": "import torch\n\n\ndef f(x: torch.Tensor):\n    return '''\n''', (\n        x.pin_memory())\n",
    "notebook": "",
}


@pytest.mark.parametrize("kind", REVIEWED)
def test_review_comments(command: Command, kind: str) -> None:
    name, text = "a.py", REVIEWED[kind]
    if kind == "notebook":
        name = "a.ipynb"
        text = NOTEBOOK.replace("torch.zeros(2)", "torch.zeros(2).pin_memory()")
    write({name: text})
    result = command("port", "src", "-o", "dst", "--review-comments")
    written = content("dst")[name].decode()
    if kind == "notebook":
        notebook = read_notebook(written, name)
        written = notebook.text  # type: ignore[union-attr]
    assert written.count("# review: ") == 1
    ast.parse(written)
    lines = written.splitlines()
    comment = next(number for number, line in enumerate(lines) if "# review: " in line)
    assert "return" in lines[comment + 1] or "x =" in lines[comment + 1]
    assert "To review" in result.out
    before = content("dst")
    command("port", "src", "-o", "dst", "--review-comments")
    command("fix", "--unsafe-fixes", "dst")
    assert content("dst") == before


def test_what_is_left_out_is_quoted(command: Command) -> None:
    text = "import torch\n\n\ndef f(net, c):\n    if c:\n        net.cuda()\n    y = torch.abs(net)\n    return y\n"
    write({"a.py": text.replace("f(net", "f(net: torch.nn.Module")})
    result = command("port", "src", "-o", "dst", "--review-comments")
    assert "a.py:6  (left out: net.cuda())" in result.out
    assert "`a.py:6`: `(left out: net.cuda())`" in Path("dst/PORT.md").read_text()
    lines = content("dst")["a.py"].decode().splitlines()
    (comment,) = (number for number, line in enumerate(lines) if "# review: " in line)
    assert lines[comment].endswith(" (left out: net.cuda())")
    assert lines[comment + 1].strip().startswith("y = ")


STEP = """\
import torch
import torch.nn.functional as F


class Agent:
    def __init__(self, net: torch.nn.Module):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.1)

    def learn(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        self.net.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()
"""


RECORDED = """import types

import torch
from torch import nn

state = types.SimpleNamespace()
state.net = nn.Linear(2, 1)
state.optimizer = torch.optim.SGD(state.net.parameters(), lr=0.1)
state.optimizer.zero_grad()
loss = state.net(torch.ones(3, 2)).mean()  # 损失 🙂
loss.backward()
print(state.net.weight.grad)
state.optimizer.step()
"""


def test_what_a_recorded_program_keeps_needs_no_look(command: Command) -> None:
    Path("src").mkdir()
    Path("src/a.py").write_text(RECORDED, encoding="utf-8")
    result = command("port", "src", "-o", "dst")
    review = result.out.partition("To review")[2]
    assert "torch_backward(loss)" in review
    assert "step()" not in review
    assert "zero_grad()" not in review
    assert "state.optimizer.step()" in Path("dst/a.py").read_text(encoding="utf-8")


def test_a_step_is_reviewed_as_a_whole(command: Command) -> None:
    write({"a.py": STEP, "b.py": ABS.replace("torch.abs(x)", "x.pin_memory()")})
    result = command("port", "src", "-o", "dst")
    step, *others = result.out.partition("To review")[2].split("\n  MP")[1:]
    assert "compare the step as a whole" in step
    assert [f"(was a.py:{line})" in step for line in (12, 13, 14, 15)] == [True] * 4
    assert step.count("a.py") == 2 * 4
    assert any("b.py" in other and "as a whole" not in other for other in others)


def test_no_comments_unless_asked(command: Command) -> None:
    write({"a.py": REVIEWED["plain"]})
    command("port", "src", "-o", "dst")
    assert b"# review" not in content("dst")["a.py"]


@pytest.mark.parametrize(
    ("gain", "is_left"),
    [
        ("init.calculate_gain('relu')", False),
        ("init.calculate_gain(nonlinearity='tanh', param=None)", False),
        ("torch._C.gain()", True),
    ],
)
def test_what_a_rewrite_moves_is_converted_with_it(command: Command, gain: str, is_left: bool) -> None:
    text = (
        "import torch\nfrom torch import nn\nfrom torch.nn import init\n\nfc = nn.Linear(2, 2)  # 中文 😀\n"
    )
    Path("src").mkdir()
    Path("src/a.py").write_text(f"{text}init.orthogonal_(fc.weight, gain={gain})\n", encoding="utf-8")
    printed = command("port", "src", "-o", "dst").out
    assert ("Still torch" in printed) is is_left
    assert (gain in Path("dst/a.py").read_text(encoding="utf-8")) is is_left


@pytest.mark.parametrize(
    ("imports", "called", "is_left"),
    [
        ("from einops import rearrange", "rearrange", False),
        ("import einops", "einops.rearrange", False),
        ("import einops", "einops.parse_shape", True),
        ("from einops import rearrange, parse_shape", "rearrange", True),
    ],
)
def test_a_library_is_told_of_where_no_helper_stands_in_its_place(
    command: Command, imports: str, called: str, is_left: bool
) -> None:
    Path("src").mkdir()
    text = f"import torch\n{imports}\n\n\ndef f(x):\n    return {called}(torch.abs(x), 'a b -> b a')\n"
    Path("src/a.py").write_text(text, encoding="utf-8")
    printed = command("port", "src", "-o", "dst").out
    assert ("einops is built on torch" in printed) is is_left


@pytest.mark.parametrize(
    ("line", "is_left"),
    [
        ("torch.backends.cudnn.benchmark = torch.backends.cudnn.deterministic = True", True),
        ("print(torch.backends.cudnn.benchmark_limit)  # 移 🚀", True),
        ("y = torch.relu(x); print x", True),  # does not parse
        ("torch.backends.cudnn.benchmark = True; y = torch.relu(x)", False),
        ("torch.manual_seed(0); y = x  # torch", False),
    ],
)
def test_whatever_still_names_torch_is_said(command: Command, line: str, is_left: bool) -> None:
    write({"a.py": f"import torch\n\nx = torch.ones(2)\n{line}\n".encode()})
    assert ("Still torch" in command("port", "src", "-o", "dst").out) is is_left
    assert (b"import torch" in content("dst")["a.py"]) is is_left
