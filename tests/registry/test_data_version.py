"""The day of the newest evidence, and the copies that go into a wheel."""

from __future__ import annotations

import datetime
import os
import sys
from pathlib import Path

import pytest

from mindport.registry import compiled
from mindport.registry.data_version import data_version, evidence_day
from mindport.registry.location import evidence_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from oracles.evidence import write_rows


def test_says_frameworks_and_day() -> None:
    assert data_version().startswith("torch ")
    assert datetime.date.fromisoformat(evidence_day(evidence_folder()))
    assert data_version().endswith(f"evidence of {evidence_day(evidence_folder())}")


@pytest.mark.parametrize("content", [None, b"\xff"])
def test_a_day_that_is_not_known_is_left_out(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "last_run.txt").write_bytes(content)
    assert evidence_day(tmp_path) == ""


def test_only_rows_that_change_set_the_day(tmp_path: Path) -> None:
    file = tmp_path / "mindspore-9.9.9.json"
    write_rows(file, ())
    assert evidence_day(tmp_path) == str(datetime.date.today())
    (tmp_path / "last_run.txt").write_text("2026-01-02\n")
    write_rows(file, ())
    assert evidence_day(tmp_path) == "2026-01-02"


def test_copies_for_a_wheel_say_nothing_of_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "compiled_folder", lambda: tmp_path / "_compiled")
    source = tmp_path / "facts.json"
    source.write_text("{}")
    made = []
    for when in (10**18, 2 * 10**18):
        os.utime(source, ns=(when, when))
        compiled.load_compiled(source, "whole", dict[str, int], lambda: {"whole": {"a": 1}})
        (tmp_path / "_compiled" / "index.msgpack").write_bytes(b"\x90")
        compiled.forget_times()
        kept = (tmp_path / "_compiled" / "facts.whole.msgpack").read_bytes()
        assert compiled.load_compiled(source, "whole", dict[str, int], lambda: {"whole": {"a": 2}}) == {
            "a": 2
        }
        made.append(kept)
    assert made[0] == made[1]
