"""Shares of a check on several machines: `mindport merge` makes of them what one run gives, and refuses what it cannot
make it of."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.checking.analysis import Sources
from mindport.checking.choice import Share
from mindport.cli.main import main
from mindport.source.text import SourceText

# Packages that know nothing of each other; in `net` one file says of the other what its values are.
FILES = {
    "net/__init__.py": "",
    "net/model.py": (
        "import torch.nn as nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x.add_(1)\n"
    ),
    "net/run.py": "import torch\nfrom net.model import Net\n\nnet = Net()\ny = net(torch.ones(2)).nope()\n",
    "a/tool.py": "import torch\n\nprint(torch.no_such_name)\nprint(torch.std(torch.ones(3)))\n",
    "b/plain.py": "import numpy\n",
    "b/broken.py": "import torch\n\ndef f(:\n    pass\n\nprint(torch.nope)\n",
    "c/conf.yaml": "optimizer: torch.optim.Adam\n",
    "d/own.py": "import torch\n\nprint(torch.other)  # mindport: ignore[MP113]\n",
}
FORMATS = ("text", "json", "jsonl", "sarif", "gitlab", "junit", "csv", "github", "concise")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    (tmp_path / "one").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    Path(".git").mkdir()
    Path("pyproject.toml").write_text('[tool.mindport]\ndevice = "CPU"\ntarget-version = "2.10"\n')
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        output = capfd.readouterr()
        return code, output.out, output.err

    return run


def shares(run: Run, count: int, *arguments: str) -> list[str]:
    names = [f"../{number}of{count}.share" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        shard = ("--shard", f"{number}/{count}", "--output-file", name)
        assert run("check", ".", "--no-cache", "--jobs", "1", *shard, *arguments)[:2] == (0, "")
    return names


@pytest.mark.parametrize(
    "count", [1, 3, *(pytest.param(count, marks=pytest.mark.thorough) for count in (2, 20))]
)
def test_merged_shares_are_one_run(run: Run, count: int) -> None:
    files = shares(run, count)
    assert run("merge", *files) == run("check", ".", "--no-cache")


def test_in_every_format(run: Run) -> None:
    files = shares(run, 3)
    for form in FORMATS:
        options = ("--output-format", form)
        assert run("merge", *files, *options) == run("check", ".", *options)


def test_with_what_is_said_of_the_outcome(run: Run) -> None:
    assert run("baseline", "write", "a")[0] == 0
    files = shares(run, 2, "--ignore", "MP101")
    for options in (
        ("--statistics",),
        ("--no-baseline",),
        ("--exit-zero",),
        ("--fail-on", "never"),
        ("--output-format", "text,junit", "--output-file", "../m.xml"),
    ):
        assert run("merge", *files, *options) == run("check", ".", "--ignore", "MP101", *options)


@pytest.mark.parametrize(
    "form", ["json", "text", *(pytest.param(form, marks=pytest.mark.thorough) for form in ("jsonl", "sarif"))]
)
def test_with_the_fixes_written_out(run: Run, form: str) -> None:
    options = ("--output-format", form)
    one = run("check", ".", "--with-edits", *options)
    assert run("merge", *shares(run, 3, "--with-edits"), *options) == one
    assert run("check", ".", "--with-edits", *options) == one  # as it was kept
    assert run("check", ".", "--with-edits", "--no-cache", "--jobs", "2", *options) == one
    assert ("import mindspore" in one[1]) is (form != "text")
    assert (run("check", ".", *options) == one) is (form == "text")


def test_shares_with_and_without_fixes_are_not_of_one_run(run: Run) -> None:
    Path(shares(run, 2, "--with-edits")[0]).rename("../first.share")
    code, _, err = run("merge", "../first.share", shares(run, 2)[1])
    assert code == 2
    assert "is not of the same run" in err


def test_in_another_copy_of_the_folder(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = shares(run, 2)
    expected = run("check", ".", "--no-cache")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    monkeypatch.chdir(tmp_path / "two")
    assert run("merge", *files) == expected


def test_what_is_no_whole(run: Run) -> None:
    files = shares(run, 3)
    other = shares(run, 2)
    shutil.copy(files[0], "../copy.share")
    for given, said in (
        (files[1:], "share 1/3 is missing"),
        ([*files, "../copy.share"], "share 1/3 is there twice"),
        ([*files[1:], other[0]], "is not of the same run"),
        (["../none.share"], "none.share: "),
        (["a/tool.py"], "a/tool.py: is no share of a check"),
    ):
        code, out, err = run("merge", *given)
        assert (code, out) == (2, "")
        assert said in err


def test_a_damaged_share_is_refused(run: Run) -> None:
    [file] = shares(run, 1)
    whole = Path(file).read_bytes()
    for seed in range(40):
        chance = random.Random(seed)
        content = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            content[chance.randrange(len(content))] ^= chance.randint(1, 255)
        Path(file).write_bytes(content[: chance.randint(1, len(content))] if seed % 3 == 0 else content)
        assert run("merge", file) == (2, "", f"error: {file}: is no share of a check, or damaged\n"), seed


@pytest.mark.parametrize(
    "change",
    [
        lambda: Path("a/new.py").write_text(""),
        lambda: Path("a/tool.py").unlink(),
        lambda: Path("pyproject.toml").write_text('[tool.mindport]\ndevice = "Ascend"\n'),
    ],
)
def test_of_another_tree(run: Run, change: Callable[[], object]) -> None:
    files = shares(run, 2)
    change()
    code, out, err = run("merge", *files)
    assert (code, out) == (2, "")
    assert "other files, settings or another mindport" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--shard", "0/2", "--output-file", "x"),
        ("--shard", "3/2", "--output-file", "x"),
        ("--shard", "two", "--output-file", "x"),
        ("--shard", "1/2"),
        ("--shard", "1/2", "--output-format", "json", "--output-file", "x"),
        ("--shard", "1/2", "--output-file", "x", "--add-suppressions"),
        ("--shard", "1/2", "--output-file", "x", "--since", "HEAD"),
        ("--shard", "1/2", "--output-file", "x", "--watch"),
        ("--shard", "1/2", "--output-file", "x", "-"),
    ],
)
def test_what_makes_no_share(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("check", *arguments)[0] == 2
    assert not Path("x").exists()


def part(name: str, size: int) -> Sources:
    return Sources(((name, SourceText(name, "x" * size)),), {})


def test_each_part_is_in_one_share_and_none_has_much_more_than_the_others() -> None:
    parts = [part(f"{number}.py", 1 + number * number % 97) for number in range(200)]
    found = [Share(number, 7).of(parts) for number in range(1, 8)]
    assert sorted(index for one in found for index in one) == list(range(200))
    sizes = [sum(1 + index * index % 97 for index in one) for one in found]
    assert max(sizes) - min(sizes) < 97
    backwards = Share(3, 7).of(parts[::-1])
    assert {199 - index for index in backwards} == found[2]
