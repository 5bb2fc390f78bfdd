"""Evidence that a project brings counts for exactly the version and device it is from; what has changed since says
nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mindport.checking.project import check_paths
from mindport.checking.project_evidence import project_index
from mindport.config.problem import ConfigurationError
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.mapping.schema import Evidence
from mindport.mapping.shared_evidence import (
    DEFAULT_FILE,
    SharedRow,
    as_text,
    content_of,
    evidence_for,
    merged,
    read_shared,
    shared_rows,
)
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability

TEXT = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
ASCEND = Target(Version(2, 10, 0), Device.ASCEND)


def case_of_abs() -> int:
    """The first case of torch.abs that could be safe anywhere."""
    mapping = load_index().find("torch.abs")
    return next(
        i for i, case in enumerate(mapping.cases) if case.fix == "safe" and not (case.devices or case.when)
    )


def row(**changes) -> SharedRow:
    seen = Evidence(
        "value-shape-dtype-grad", "2.13.0", "2.10.0", "Ascend", "run", 21, max_abs=1e-7, case=case_of_abs()
    )
    [shared] = shared_rows(load_index().find("torch.abs"), [msgspec.structs.replace(seen, **changes)])
    return shared


def fix_of_abs(root: Path, target: Target = ASCEND, settings: Settings | None = None) -> Applicability | None:
    """How far the fix of `torch.abs(x)` may go in a project with these files."""
    file = root / "a.py"
    file.write_text(TEXT)
    [report] = check_paths([str(file)], settings or Settings(), target, str(root), use_cache=True)
    return next(
        fix for finding, fix in zip(report.findings, report.fixes, strict=True) if finding.api == "torch.abs"
    )


@pytest.mark.parametrize(
    ("changes", "target", "expected"),
    [
        ({}, ASCEND, Applicability.SAFE),
        ({"agrees": False}, ASCEND, Applicability.UNSAFE),
        ({"mindspore": "2.9.0"}, ASCEND, Applicability.UNSAFE),
        ({"device": "GPU"}, ASCEND, Applicability.UNSAFE),
        ({"mode": "graph"}, ASCEND, Applicability.UNSAFE),
        ({"grade": "documented"}, ASCEND, Applicability.UNSAFE),
        ({}, Target(Version(2, 9, 0), Device.ASCEND), Applicability.UNSAFE),
        ({}, Target(Version(2, 10, 0), Device.GPU), Applicability.UNSAFE),
        ({}, Target(Version(2, 10, 0), Device.CPU), Applicability.SAFE),  # from what ships
        ({"device": "CPU", "agrees": False}, Target(Version(2, 10, 0), Device.CPU), Applicability.UNSAFE),
    ],
)
def test_a_row_counts_for_its_own_target_only(tmp_path, changes, target, expected):
    (tmp_path / DEFAULT_FILE).write_text(as_text([row(**changes)]))
    assert fix_of_abs(tmp_path, target) is expected


def test_evidence_that_comes_or_goes_is_seen_at_once(tmp_path):
    file = tmp_path / DEFAULT_FILE
    assert fix_of_abs(tmp_path) is Applicability.UNSAFE
    file.write_text(as_text([row()]))
    assert fix_of_abs(tmp_path) is Applicability.SAFE
    file.unlink()
    assert fix_of_abs(tmp_path) is Applicability.UNSAFE


def test_files_of_the_settings_count_instead_of_the_default_one(tmp_path):
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "npu.json").write_text(as_text([row()]))
    settings = Settings(evidence=("team/npu.json",))
    assert fix_of_abs(tmp_path, settings=settings) is Applicability.SAFE
    assert fix_of_abs(tmp_path) is Applicability.UNSAFE


def test_a_run_against_beats_a_run_for_it(tmp_path):
    for_it, against = row(), row(agrees=False, torch="2.12.0")
    (tmp_path / DEFAULT_FILE).write_text(as_text([for_it, against]))
    assert fix_of_abs(tmp_path) is Applicability.UNSAFE


def test_a_changed_case_loses_its_evidence():
    mapping = load_index().find("torch.abs")
    number, shared = case_of_abs(), row()

    def found(**changes):
        cases = list(mapping.cases)
        cases[number] = msgspec.structs.replace(cases[number], **changes)
        # A case of the same content may stand beside it for another device.
        changed = msgspec.structs.replace(mapping, cases=cases, contents=[])
        return [one.case for one in evidence_for(changed, [shared])]

    assert number in found()
    assert number in found(why="said in another way", differences=["and this"], since="2.3.0")
    assert number not in found(call="mindspore.ops.abs_other")
    assert number not in found(args={"out": {"drop": True}}) and number not in found(add={"a": "1"})


def test_a_case_that_moved_keeps_its_evidence():
    mapping = load_index().find("torch.abs")
    other = msgspec.structs.replace(mapping.cases[0], call="mindspore.ops.other")
    moved = msgspec.structs.replace(mapping, cases=[other, *mapping.cases], contents=[])
    assert case_of_abs() + 1 in [one.case for one in evidence_for(moved, [row()])]


def test_rows_of_unknown_names_are_left_alone(tmp_path):
    shared = msgspec.structs.replace(row(), api="torch.no_such_name")
    (tmp_path / DEFAULT_FILE).write_text(as_text([shared]))
    assert fix_of_abs(tmp_path) is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "no evidence file"),
        (b"not JSON", "no evidence file"),
        (b"[1, 2]", "no evidence file"),
        (b'{"format": 1}', "rows"),
        (b'{"format": 1, "rows": [{"api": 3}]}', "rows[0].api"),
        (b'{"format": 1, "rows": [{"api": "a", "content": "b", "evidence": {"case": 0}}]}', "evidence"),
        (b'{"format": 99, "rows": []}', "format 99 is not known"),
        (b"\xff\xfe", "no evidence file"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path, content, complaint):
    file = tmp_path / "mine.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError) as found:
        project_index(Settings(evidence=("mine.json",)), str(tmp_path))
    assert complaint in str(found.value) and "mine.json" in str(found.value)


def test_a_file_reads_back_and_merges_by_line(tmp_path):
    rows = merged([row()], [row(device="GPU"), row(samples=5)])
    file = tmp_path / "e.json"
    file.write_text(as_text(rows))
    assert read_shared(file) == rows and [one.evidence.samples for one in rows] == [5, 21]
    assert len(file.read_text().splitlines()) == len(rows) + 2
    file.write_text(as_text([]))
    assert read_shared(file) == ()


def test_cases_of_another_content_have_another_word():
    words = {content_of(case) for _, mapping in load_index().mappings() for case in mapping.cases[:1]}
    assert len(words) > 500
