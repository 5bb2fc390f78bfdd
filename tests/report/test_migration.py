"""`mindport report` end to end: what the page holds, that nothing of the user's files is taken for markup, and that the
same input gives the same bytes."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mindport.cli.main import main

TARGET = ("--device", "CPU", "--target-version", "2.10.0")
NET = """\
import torch
import torch.nn as nn
import timm


class Net(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.layer = nn.Linear(width, 2)

    def forward(self, x: torch.Tensor):
        return torch.relu(self.layer(x)) @ x
"""
TRAIN = """\
import torch

from net import Net

EPOCHS = 12
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.autocast("cpu"):
    loss = net(torch.ones(1, 4)).sum()
"""
STEPS = """\
import torch
from torch.utils.data import Dataset


class Data(Dataset):
    def __getitem__(self, index):
        return torch.ones(3)


def step(net, x, y):
    optimizer = torch.optim.Adam(net.parameters())
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()
"""
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "net.py").write_text(NET)
    (folder / "train.py").write_text(TRAIN)
    (folder / "README.md").write_text(
        "# A net\n\nTop-1 accuracy of 71.3 % on CIFAR-10, see arxiv.org/abs/1512.03385\n"
    )
    (folder / "LICENSE").write_text("MIT License\n\nPermission is hereby granted, free of charge ...\n")
    (folder / "requirements.txt").write_text("torch==2.1.0\nnumpy>=1.20\ntqdm\n")
    monkeypatch.chdir(tmp_path)
    return folder


def made(*arguments: str) -> str:
    assert main(["report", *TARGET, *arguments, "-o", "out.tmp"]) == 0
    return Path("out.tmp").read_text(encoding="utf-8")


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_check_and_report_count_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "steps.py").write_text(STEPS)
    report = json.loads(made("project", "--format", "json"))["readiness"]
    main(["check", *TARGET, "--output-format", "json", "--no-cache", "project"])
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert {key: summary[key] for key in ("references", "ready", "by_verdict")} == {
        key: report[key] for key in ("references", "ready", "by_verdict")
    }
    apart = {kind: count for kind, count in report["apart"].items() if count and kind != "import lines"}
    assert summary["apart"] == apart
    assert summary["references"] > 10
    assert set(apart) >= {"operators and indexing", "annotations", "data code"}


def test_page(project: Path) -> None:
    text = made("project", "--format", "html")
    page = Page(text)
    assert page.open == []
    plain = " ".join(page.text.split())
    for expected in (
        "project: from PyTorch to MindSpore",
        "SGD train.py:7 lr 0.1",
        "length of training train.py:5 EPOCHS 12",
        "MIT LICENSE:1",
        "torch ==2.1.0",
        "CIFAR-10",
        "arXiv 1512.03385",
        "timm is a collection of torch image models",
        "MP701",
        "unknown: nothing in the code says it",
    ):
        assert expected in plain
    links = [one["href"] for tag, one in page.tags if tag == "a"]
    ids = {one["id"] for _, one in page.tags if "id" in one}
    assert {link.removeprefix("#") for link in links if link} <= ids


def test_backticks_become_code(project: Path) -> None:
    page = made("project", "--format", "html")
    assert "<code>" in page.partition('id="readiness"')[2].partition('id="order"')[0]
    assert "&lt;code&gt;" not in page


def test_what_could_not_be_read_is_told_beside_the_readiness(project: Path) -> None:
    told = 'href="#problems">Problems (1)'
    assert (
        told not in made("project", "--format", "html").partition('id="checklist"')[0].partition("<main>")[2]
    )
    (project / "broken.py").write_text("def f(:\n")
    assert told in made("project", "--format", "html").partition('id="checklist"')[0].partition("<main>")[2]


def test_page_needs_nothing_else(project: Path) -> None:
    page = Page(made("project", "--format", "html"))
    assert not {tag for tag, _ in page.tags} & {"link", "img", "iframe", "object", "base"}
    assert not [one for _, one in page.tags if "src" in one or any(name.startswith("on") for name in one)]
    assert "url(" not in page.text and "@import" not in page.text


def test_the_page_runs_one_script_and_lets_no_other_run(project: Path) -> None:
    text = made("project", "--format", "html")
    page = Page(text)
    assert [one for tag, one in page.tags if tag == "script"] == [{}]
    script = text.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [one["content"] for _, one in page.tags if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert "innerHTML" not in script and "eval(" not in script


def test_readiness_counts_apart_what_is_no_call_of_the_network(project: Path) -> None:
    report = json.loads(made("project", "--format", "json"))
    readiness = report["readiness"]
    assert readiness["references"] == sum(readiness["by_verdict"].values())
    apart = readiness["apart"]
    # `import timm` and what it offers; `x: torch.Tensor`; three imports of torch; `... @ x`; `forward`.
    assert apart["libraries built on torch"] == 1
    assert apart["annotations"] == 1
    assert apart["import lines"] == 3
    assert apart["operators and indexing"] == 1
    assert apart["methods that the framework calls"] == 1
    names = {row["api"] for row in report["apis"]}
    assert {"torch.nn.Linear", "torch.relu", "torch.optim.SGD"} <= names


def test_data_code_is_counted_apart(project: Path) -> None:
    (project / "data.py").write_text(
        "import torch\nfrom torch.utils.data import Dataset\n\n\nclass Images(Dataset):\n"
        "    def __getitem__(self, i):\n        return torch.from_numpy(self.images[i])\n"
    )
    report = json.loads(made("project", "--format", "json"))
    assert report["readiness"]["apart"]["data code"] >= 1
    assert "torch.from_numpy" not in {row["api"] for row in report["apis"]}


def test_places_in_a_notebook_are_those_of_its_cells(project: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# text"]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": ["import torch\n", "x = torch.nope()\n"],
        },
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "try.ipynb").write_text(json.dumps(notebook))
    report = json.loads(made("project", "--format", "json"))
    places = [
        (one["file"], one["line"])
        for row in report["apis"]
        if row["api"] == "torch.nope"
        for one in row["files"]
    ]
    assert len(places) == 1
    assert places[0][0].startswith("try.ipynb cell ") and places[0][1] == 2


def test_order_puts_first_what_others_import(project: Path) -> None:
    report = json.loads(made("project", "--format", "json"))
    assert [row["file"] for row in report["order"]] == ["net.py", "train.py"]


def test_markup_of_the_user_is_text(project: Path) -> None:
    (project / "evil.py").write_text(
        f"import torch\nlr = {NASTY!r}\no = torch.optim.SGD(m, lr=lr, momentum={NASTY!r} + x)\n"
        "class Net_(torch.nn.Module):\n    pass\n"
    )
    (project / "README.md").write_text(f"accuracy 71.3 {NASTY}\n| top-1 | {NASTY} |\n|---|---|\n")
    (project / "requirements.txt").write_text(f"torch=={NASTY}\n")
    (project / f"{NASTY.replace('/', '')}.py").write_text("import torch\nx = torch.nope()\n")
    page = made("project", "--format", "html")
    assert "<img" not in page
    assert "&lt;img" in page
    assert Page(page).open == []
    markdown = made("project", "--format", "markdown")
    assert not re.search(r"(?<!\\)<img", re.sub(r"`[^`]*`", "", markdown))


def test_csv_cells_are_no_formulas(project: Path) -> None:
    (project / "train.py").write_text("import torch\no = torch.optim.SGD(m, lr='=1+1')\n")
    rows = list(csv.reader(io.StringIO(made("project", "--format", "csv"))))
    assert {len(row) for row in rows} == {7}
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]


def test_same_input_same_bytes(project: Path) -> None:
    for form in ("html", "json", "csv", "markdown"):
        assert made("project", "--format", form) == made("project", "--format", form)
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", made("project", "--format", "html"))
    assert re.search(r"Made on 20\d\d-\d\d-\d\d", made("project", "--format", "html", "--dated"))


def test_the_suffix_says_the_format(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    starts = {
        "a.html": "<!DOCTYPE html>",
        "a.json": "{",
        "a.csv": "section,",
        "a.md": "# project",
        "a.txt": "<!DOCTYPE html>",
    }
    for name, start in starts.items():
        assert main(["report", *TARGET, "project", "-o", name]) == 0
        assert Path(name).read_text().startswith(start)
    capsys.readouterr()
    assert main(["report", *TARGET, "project", "--format", "json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["project"] == "project"
    assert output.err == ""


def test_an_empty_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nothing").mkdir()
    for form in ("html", "json", "csv", "markdown"):
        made("nothing", "--format", form)
    assert "nothing to count" in made("nothing")


@pytest.mark.parametrize(
    "content",
    [b"def broken(:\n", b"\xff\xfe\x00", b"import torch\nx = (\n", b"\x00" * 100, b"x = " + b"(" * 500],
)
def test_broken_files_cost_only_themselves(project: Path, content: bytes) -> None:
    (project / "broken.py").write_bytes(content)
    (project / "setup.py").write_bytes(content)
    (project / "conf.yaml").write_bytes(content)
    report = json.loads(made("project", "--format", "json"))
    assert any(row["file"] == "broken.py" for row in report["problems"])
    assert [
        entry["what"] for row in report["checklist"] for entry in row["entries"] if "SGD" in entry["what"]
    ] == ["SGD"]


def test_a_place_that_cannot_be_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("taken").write_text("")
    assert main(["report", *TARGET, "project", "-o", "taken/a.html"]) == 2
    assert "taken/a.html" in capsys.readouterr().err


def test_a_path_that_is_not_there(project: Path) -> None:
    assert main(["report", *TARGET, "nowhere", "-o", "a.html"]) == 2
