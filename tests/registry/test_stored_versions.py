"""Facts of older versions are stored as differences, and come back whole."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from framework_facts.versions import collected, read_version, write_version  # noqa: E402

NEWEST: dict[str, Any] = {
    "framework": "mindspore",
    "version": "2.10.0",
    "names": {"a": {"kind": "function"}, "b": {"kind": "class"}, "new": {"kind": "function"}},
    "classes": {"b": ["a"]},
    "cpu": {"a": True, "new": False},
}
OLDER = NEWEST | {
    "version": "2.9.0",
    "names": {"a": {"kind": "method"}, "b": {"kind": "class"}, "old": {"kind": "function"}},
    "cpu": {"a": False},
}
OLDEST = OLDER | {"version": "2.8.0", "names": {"old": {"kind": "function"}}, "classes": {}, "cpu": {}}


@pytest.mark.parametrize(
    "order",
    [
        (NEWEST, OLDER, OLDEST),
        (NEWEST, OLDEST, OLDER),
        (OLDEST, OLDER, NEWEST),
        (OLDER, NEWEST, OLDEST),
        (OLDEST | {"names": {}}, NEWEST, OLDER, OLDEST),
        (NEWEST, OLDER | {"names": {}}, OLDEST, OLDER),
    ],
)
def test_every_version_comes_back_whole(order: tuple[dict[str, Any], ...], tmp_path: Path) -> None:
    for facts in order:
        write_version(tmp_path, facts)
    assert list(collected(tmp_path, "mindspore")) == ["2.8.0", "2.9.0", "2.10.0"]
    for facts in (NEWEST, OLDER, OLDEST):
        assert read_version(tmp_path, "mindspore", facts["version"]) == facts


def test_only_what_differs_is_stored(tmp_path: Path) -> None:
    write_version(tmp_path, NEWEST)
    stored = json.loads(write_version(tmp_path, OLDER).read_text(encoding="utf-8"))
    assert stored["base"] == "2.10.0"
    assert stored["names"] == {"a": {"kind": "method"}, "old": {"kind": "function"}}
    assert stored["lacking"] == {"names": ["new"], "classes": [], "cpu": ["new"]}
    assert stored["classes"] == {}


def test_the_newest_version_stands_in_full(tmp_path: Path) -> None:
    write_version(tmp_path, OLDER)
    assert json.loads(write_version(tmp_path, NEWEST).read_text(encoding="utf-8")) == NEWEST
    older = json.loads((tmp_path / "mindspore-2.9.0.json").read_text(encoding="utf-8"))
    assert (older["base"], older["classes"]) == ("2.10.0", {})


def test_a_version_that_is_not_stored(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"mindspore-2\.9\.0"):
        read_version(tmp_path, "mindspore", "2.9.0")
