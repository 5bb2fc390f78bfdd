"""What older MindSpore versions were seen to do counts for exactly those versions, while the case is the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from snippet import HEADER, Kind, usage_of

from mindport.mapping import shared_evidence
from mindport.mapping.files import states_beside
from mindport.mapping.index import load_index
from mindport.mapping.judge import judge
from mindport.mapping.judgement import Judgement
from mindport.mapping.load import read_mapping
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import as_text, evidence_file, shared_rows
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Applicability, Grade
from mindport.registry.location import evidence_folder
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts

CAT = (
    "torch: {function: [torch.cat, torch.concat]}\nsummary: x\n"
    "cases: [{verdict: renamed, call: mindspore.ops.cat, args: {dim: axis}, fix: safe%s}]\n"
)


def mapping(more: str = "") -> Mapping:
    found = read_mapping(CAT % more, "test.yaml")
    assert isinstance(found, Mapping)
    return found


def seen(version: str, agrees: bool = True) -> Evidence:
    return Evidence("value", "2.13.0", version, "CPU", "run", 3, agrees=agrees, case=0)


@pytest.fixture
def ship(tmp_path: Path) -> Iterator[Path]:
    """A folder of mappings with one, and with a place for what was seen of it."""
    (tmp_path / "cat.yaml").write_text(CAT % "")
    (tmp_path / "_evidence").mkdir()
    load_index.cache_clear()
    yield tmp_path
    load_index.cache_clear()


def judged(folder: Path, version: Version) -> Judgement:
    usage = usage_of(f"{HEADER}torch.concat([x, z], 1)\n", {"x": Kind.TENSOR, "z": Kind.TENSOR})
    target = Target(version, Device.CPU)
    return judge(usage.uses[0], target, load_index(folder), torch_facts(), mindspore_facts(version))


def write(folder: Path, *rows: Evidence) -> None:
    for row in rows:
        path = folder / "_evidence" / evidence_file(Version.parse(row.mindspore), Mode(row.mode)).name
        path.write_text(as_text(shared_rows(mapping(), [row])), encoding="utf-8")


def known(folder: Path) -> list[Evidence]:
    load_index.cache_clear()
    found = load_index(folder).find("torch.cat")
    assert found is not None
    return found.evidence


@pytest.mark.parametrize(
    ("version", "agrees", "grade", "applicability"),
    [
        (Version(2, 9, 0), True, Grade.RUN, Applicability.SAFE),
        (Version(2, 9, 0), False, Grade.DOCUMENTED, Applicability.UNSAFE),
        (Version(2, 8, 0), True, Grade.COMPILED, Applicability.UNSAFE),  # the signatures are the same
    ],
)
def test_a_run_counts_for_its_version(
    ship: Path, version: Version, agrees: bool, grade: Grade, applicability: Applicability
) -> None:
    write(ship, seen("2.9.0", agrees))
    judgement = judged(ship, version)
    assert (judgement.grade, judgement.applicability) == (grade, applicability)


def test_explanations_may_change(ship: Path) -> None:
    write(ship, seen("2.9.0"))
    (ship / "cat.yaml").write_text(CAT % ", why: Another text.")
    assert judged(ship, Version(2, 9)).applicability is Applicability.SAFE


@pytest.mark.parametrize("more", [", when: {dim: 1}", ", add: {x: '1'}"])
def test_a_case_that_changed_has_no_evidence(ship: Path, more: str) -> None:
    write(ship, seen("2.9.0"))
    assert len(known(ship)) == 1
    (ship / "cat.yaml").write_text(CAT % more)
    assert known(ship) == []


def test_a_case_put_before_another_does_not_take_its_evidence(ship: Path) -> None:
    write(ship, seen("2.10.0"))
    assert judged(ship, Version(2, 10)).applicability is Applicability.SAFE
    wrong = "cases: [{verdict: renamed, call: mindspore.ops.stack, args: {dim: axis}, fix: safe}, "
    (ship / "cat.yaml").write_text((CAT % "").replace("cases: [", wrong))
    load_index.cache_clear()
    judgement = judged(ship, Version(2, 10))
    assert judgement.mindspore_name == "mindspore.ops.stack"
    assert judgement.applicability is Applicability.UNSAFE
    assert [row.case for row in known(ship)] == [1]


def test_new_evidence_is_read(ship: Path) -> None:
    assert known(ship) == []
    write(ship, seen("2.10.0"), seen("2.9.0"), msgspec.structs.replace(seen("2.10.0"), mode="graph"))
    assert sorted((row.mindspore, row.mode) for row in known(ship)) == [
        ("2.10.0", "graph"),
        ("2.10.0", "pynative"),
        ("2.9.0", "pynative"),
    ]


HELPER = "torch: {function: torch.cat}\nsummary: x\ncases: [{verdict: composed, %s, fix: safe}]\n"


@pytest.mark.parametrize("written", ["helper: torch_a", "rewrite: 'torch_a($tensors)'"])
@pytest.mark.parametrize("changed", ["torch_a", "torch_b"])
def test_a_case_whose_helper_changed_has_no_evidence(
    written: str, changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {
        "torch_a": "def torch_a(x):\n    return torch_b(x)\n",
        "torch_b": "def torch_b(x):\n    return x\n",
    }
    monkeypatch.setattr(shared_evidence, "helper_source", lambda name: sources.get(name, ""))
    monkeypatch.setattr(shared_evidence, "needed_helpers", lambda name: ("torch_b", "torch_a"))
    found = read_mapping(HELPER % written, "x.yaml")
    assert isinstance(found, Mapping)
    before = shared_evidence.content_of(found.cases[0])
    assert shared_evidence.content_of(found.cases[0]) == before
    sources[changed] += "    # 层 🚀\n"
    assert shared_evidence.content_of(found.cases[0]) != before


def test_a_helper_that_changed_on_the_disk_is_seen(tmp_path: Path) -> None:
    (tmp_path / "_helpers").mkdir()
    (tmp_path / "_helpers" / "torch_a.py").write_text("def torch_a(x): ...\n")
    before = states_beside(tmp_path)
    assert states_beside(tmp_path) == before
    (tmp_path / "_helpers" / "torch_a.py").write_text("def torch_a(x, y): ...\n")
    assert states_beside(tmp_path) != before


def test_what_ships_can_be_read() -> None:
    for path in evidence_folder().glob("*.json"):
        version, _, mode = path.stem.removeprefix("mindspore-").partition("-")
        rows = shared_evidence.read_shared(path)
        assert rows
        assert {row.evidence.mindspore for row in rows} == {version}
        assert {row.evidence.device for row in rows} == {"CPU"}
        assert {row.evidence.mode for row in rows} == {mode or "pynative"}


def test_what_was_run_with_the_newest_version_is_what_is_written_today() -> None:
    """A row of a case, or of a helper in it, that changed says nothing any more, and what was proved is believed alone:
    scripts/run_oracles.py FILE runs the case again."""
    newest = mindspore_facts().collected_version
    assert newest is not None
    written = {
        (name, content)
        for _, one in load_index().mappings()
        for name, _ in listed_names(one.torch)
        for content in one.contents
    }
    rows = shared_evidence.read_shared(evidence_file(newest, Mode.PYNATIVE))
    assert [f"{row.api}: {row.content}" for row in rows if (row.api, row.content) not in written] == []


def test_every_safe_case_was_run_as_it_is() -> None:
    """A helper that changes takes the evidence of all cases with it: scripts/run_oracles.py FILE."""
    newest = mindspore_facts().collected_version
    unproved = []
    for file, one in load_index().mappings():
        proved = {
            row.case
            for row in one.evidence
            if row.is_proof and row.mindspore == str(newest) and row.device == "CPU"
        }
        unproved += [
            f"{file}: cases[{number}]"
            for number, case in enumerate(one.cases)
            if case.fix == "safe"
            and number not in proved
            and (not case.devices or "CPU" in case.devices)
            and (case.until is None or Version.parse(case.until) >= newest)
        ]
    assert unproved == []
