"""What older MindSpore versions were seen to do counts for exactly those versions, while the case is the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from snippet import CPU, HEADER, Kind, target_for, usage_of

from mindport.mapping import shared_evidence
from mindport.mapping.index import MappingIndex
from mindport.mapping.judge import judge
from mindport.mapping.judgement import Judgement
from mindport.mapping.load import read_mapping
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import as_text, shared_rows, shipped_evidence
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
    return Evidence(0, "value", "2.13.0", version, "CPU", "run", 3, agrees=agrees)


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that shipped evidence is read from."""
    monkeypatch.setattr(shared_evidence, "evidence_folder", lambda: tmp_path)
    shared_evidence._shipped.cache_clear()
    yield tmp_path
    shared_evidence._shipped.cache_clear()


def judged(one: Mapping, version: Version) -> Judgement:
    usage = usage_of(f"{HEADER}torch.concat([x, z], 1)\n", {"x": Kind.TENSOR, "z": Kind.TENSOR})
    target = Target(version, Device.CPU)
    index = MappingIndex.of([one])
    return judge(usage.uses[0], target, index, torch_facts(), mindspore_facts(version))


def write(folder: Path, *rows: Evidence) -> None:
    for row in rows:
        path = folder / f"mindspore-{row.mindspore}.json"
        path.write_text(as_text(shared_rows(mapping(), [row])), encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "agrees", "grade", "applicability"),
    [
        (Version(2, 9, 0), True, Grade.RUN, Applicability.SAFE),
        (Version(2, 9, 0), False, Grade.DOCUMENTED, Applicability.UNSAFE),
        (Version(2, 8, 0), True, Grade.DOCUMENTED, Applicability.UNSAFE),
    ],
)
def test_a_run_counts_for_its_version(
    ship: Path, version: Version, agrees: bool, grade: Grade, applicability: Applicability
) -> None:
    write(ship, seen("2.9.0", agrees))
    judgement = judged(mapping(), version)
    assert (judgement.grade, judgement.applicability) == (grade, applicability)


def test_explanations_may_change(ship: Path) -> None:
    write(ship, seen("2.9.0"))
    assert judged(mapping(", why: Another text."), Version(2, 9)).applicability is Applicability.SAFE


@pytest.mark.parametrize("more", [", when: {dim: 1}", ", add: {x: '1'}"])
def test_a_case_that_changed_has_no_evidence(ship: Path, more: str) -> None:
    write(ship, seen("2.9.0"))
    target = Target(Version(2, 9), Device.CPU)
    assert shipped_evidence(mapping(more), target) == []
    assert len(shipped_evidence(mapping(), target)) == 1


def test_versions_without_runs(ship: Path) -> None:
    assert shipped_evidence(mapping(), CPU) == []


def test_runs_in_graph_mode_have_a_file_of_their_own(ship: Path) -> None:
    row = msgspec.structs.replace(seen("2.10.0"), mode="graph")
    path = shared_evidence.evidence_file(CPU.version, Mode.GRAPH)
    assert path.parent == ship
    path.write_text(as_text(shared_rows(mapping(), [row])), encoding="utf-8")
    assert shipped_evidence(mapping(), CPU) == []
    assert [one.mode for one in shipped_evidence(mapping(), target_for("CPU", "graph"))] == ["graph"]


def test_what_ships_can_be_read() -> None:
    for path in evidence_folder().glob("*.json"):
        version, _, mode = path.stem.removeprefix("mindspore-").partition("-")
        rows = shared_evidence.read_shared(path)
        assert rows
        assert {row.evidence.mindspore for row in rows} == {version}
        assert {row.evidence.device for row in rows} == {"CPU"}
        assert {row.evidence.mode for row in rows} == {mode or "pynative"}
