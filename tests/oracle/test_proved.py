"""What ran already runs again in one part of ten; what changed runs in each."""

import pytest
from proved import ASKED, PARTS, Proved, todays_part

pytestmark = pytest.mark.oracle
CASES = {f"case {number}": f"content {number}" for number in range(50)}


def test_what_is_not_kept_runs_in_every_part(tmp_path):
    for part in (*range(PARTS), None):
        assert Proved("test", CASES, tmp_path).to_run(part) == list(CASES)


def test_what_is_kept_runs_in_one_part(tmp_path):
    Proved("test", CASES, tmp_path).keep(CASES)
    again = Proved("test", CASES, tmp_path)
    parts = [again.to_run(part) for part in range(PARTS)]
    assert sorted(name for part in parts for name in part) == sorted(CASES)
    assert max(map(len, parts)) < len(CASES) / 2
    assert again.to_run(None) == list(CASES)


@pytest.mark.parametrize("changed", [{"case 3": "other"}, {"new": "content 3"}])
def test_what_changed_runs_in_every_part(tmp_path, changed):
    Proved("test", CASES, tmp_path).keep(CASES)
    later = Proved("test", CASES | changed, tmp_path)
    assert all(set(changed) <= set(later.to_run(part)) for part in range(PARTS))
    assert len(later.to_run(0)) < len(CASES)


def test_what_did_not_agree_is_not_kept(tmp_path):
    Proved("test", CASES, tmp_path).keep(CASES)
    Proved("test", CASES, tmp_path).keep(["case 1"])
    runs = Proved("test", CASES, tmp_path).to_run
    assert all(len(runs(part)) >= len(CASES) - 1 for part in range(PARTS))


@pytest.mark.parametrize("other", ["torch", "mindspore"])
def test_another_version_proves_anew(tmp_path, monkeypatch, other):
    Proved("test", CASES, tmp_path).keep(CASES)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "99.1" if name == other else "1.0")
    assert Proved("test", CASES, tmp_path).to_run(0) == list(CASES)


@pytest.mark.parametrize(("asked", "part"), [("all", None), ("3", 3), ("13", 3)])
def test_the_part_that_is_asked_for(monkeypatch, asked, part):
    monkeypatch.setenv(ASKED, asked)
    assert todays_part() == part


def test_a_part_that_is_no_number_is_an_error(monkeypatch):
    monkeypatch.setenv(ASKED, "some")
    with pytest.raises(ValueError):
        todays_part()
