"""The changelog is made from entries that lie in files of their own."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from build_changelog import CHANGES, gathered, kind_of, main, released  # noqa: E402

BEFORE = """\
# Changelog

## Unreleased

The second version. You can now

- a;
- b, which is
  longer.

What is run, and when:

- c.

## 0.1.0 (2026-01-02)

You can now

- old.
"""


def lines_with(*entries: tuple[str, str]) -> list[str]:
    """The lines that entries add, each with the one before it."""
    old = BEFORE.splitlines()
    new = gathered(BEFORE, entries).splitlines()
    assert [line for line in old if line not in new] == []
    return [f"{new[at - 1]}|{line}" for at, line in enumerate(new) if line and line not in old]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], []),
        ([("use", "d.\n")], ["  longer.|- d."]),
        ([("run", "d\ne.\n")], ["- c.|- d e."]),
        ([("use", "d."), ("use", "e.")], ["  longer.|- d.", "- d.|- e."]),
        ([("written", "d.")], ["|What is written, and when:", "|- d."]),
        (
            [("use", "x " * 70)],
            ["  longer.|- " + "x " * 58 + "x", "- " + "x " * 58 + "x|  " + "x " * 10 + "x"],
        ),
    ],
)
def test_entries_stand_at_the_end_of_their_list(entries: list[tuple[str, str]], expected: list[str]) -> None:
    assert lines_with(*entries) == expected


def test_what_was_released_stays() -> None:
    text = gathered(BEFORE, [("use", "d."), ("written", "e."), ("run", "f.")])
    assert text.endswith(BEFORE[BEFORE.index("## 0.1.0") :])
    done = released(text, "0.2.0", datetime.date(2026, 11, 28))
    assert (
        done.index("## Unreleased\n\n## 0.2.0 (2026-11-28)\n") < done.index("- d.") < done.index("## 0.1.0")
    )
    assert "- g." in gathered(done, [("use", "g.")]).partition("## 0.2.0")[0]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a-b.use.md", "use"),
        ("a.written.md", "written"),
        ("a.md", None),
        ("a.new.md", None),
        ("a.b.run.md", None),
    ],
)
def test_the_name_says_the_kind(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_entries_that_there_are_can_be_placed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for path in CHANGES.glob("*.*.md"):
        assert " ".join(path.read_text("utf-8").split()) in printed, path


def test_another_version_than_the_packages_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["99.0.0"]) == 1
    assert "the package is of version" in capsys.readouterr().err
