"""Shares of `mindport prove` that are put together: refused unless they are all of one run."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from mindport.cli.main import main
from mindport.mapping.index import load_index
from mindport.mapping.schema import Evidence
from mindport.mapping.shared_evidence import EvidenceShare, as_text, read_shared, shared_rows

FIRST = EvidenceShare(number=1, count=2, asked=("torch.abs", "torch.relu"), target="MindSpore 2.10.0 on CPU")
SECOND = msgspec.structs.replace(FIRST, number=2)
SEEN = Evidence("value-shape-dtype", "2.13.0", "2.10.0", "CPU", "run", 3, case=0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, api: str, share: EvidenceShare | None, evidence: Evidence = SEEN) -> str:
    mapping = load_index().find(api)
    assert mapping is not None
    Path(name).write_text(as_text(shared_rows(mapping, [evidence]), share))
    return name


def test_all_shares(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = msgspec.structs.replace(SEEN, agrees=False)
    files = [written("b", "torch.relu", SECOND, other), written("a", "torch.abs", FIRST)]
    assert main(["evidence", "merge", *files]) == 1
    printed = capsys.readouterr()
    assert [line.split()[:2] for line in printed.out.splitlines()] == [
        ["agrees", "torch.abs"],
        ["DIFFERS", "torch.relu"],
    ]
    merged = folder / "mindport-evidence.json"
    assert [row.api for row in read_shared(merged)] == ["torch.abs", "torch.relu"]
    assert list(json.loads(merged.read_text())) == ["format", "rows"]


def test_a_share_without_rows_is_one(folder: Path) -> None:
    Path("b").write_text(as_text((), SECOND))
    assert main(["evidence", "merge", written("a", "torch.abs", FIRST), "b"]) == 0


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        (FIRST, "share 2/2 is missing"),
        (None, "b: is no share of a run"),
        (msgspec.structs.replace(SECOND, count=3), "b: is not of the same run as a"),
        (msgspec.structs.replace(SECOND, asked=()), "b: is not of the same run as a"),
        (msgspec.structs.replace(SECOND, target="MindSpore 2.9.0 on CPU"), "b: is not of the same run as a"),
    ],
)
def test_what_is_no_whole(
    folder: Path, capsys: pytest.CaptureFixture[str], second: EvidenceShare | None, complaint: str
) -> None:
    files = [written("a", "torch.abs", FIRST), written("b", "torch.relu", second)]
    assert main(["evidence", "merge", *files]) == 2
    assert complaint in capsys.readouterr().err
    assert not (folder / "mindport-evidence.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [("--shard", "1/2"), ("--shard", "3/2", "-o", "x"), ("--shard", "1/2", "-o", "x", "--bundle", "y")],
)
def test_what_does_not_go_together(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert main(["prove", "torch.abs", *arguments]) == 2
    assert not Path("x").exists()
