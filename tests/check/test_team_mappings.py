"""Mapping files of a team: they judge what the catalogue does not, count before it, and what is no mapping file is an
error with its place."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mindport.checking.fixing import fix_paths
from mindport.checking.project import check_paths
from mindport.checking.project_evidence import project_index
from mindport.config.problem import ConfigurationError
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.mapping.schema import Evidence
from mindport.mapping.shared_evidence import DEFAULT_FILE, as_text, content_of, shared_rows
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Applicability

CPU = Target(Version(2, 10, 0), Device.CPU)
# `torch.erfc` otherwise than the catalogue has it, and a name that it has no mapping for.
OVERRIDE = """
torch: {function: torch.erfc}
summary: The team's own kernel.
cases:
  - verdict: composed
    rewrite: team_ops.erfc($input)
    imports: [import team_ops]
    fix: FIX
examples: [{before: y = torch.erfc(x), after: y = team_ops.erfc(x), inputs: {x: 'rand(3)'}}]
"""
NEW = """
torch: {function: torch._foreach_max}
summary: A name that the catalogue leaves out.
cases:
  - verdict: composed
    rewrite: "[x.max() for x in $input]"
    fix: unsafe
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "maps").mkdir()
    return tmp_path


def settings(*paths: str) -> Settings:
    return Settings(mapping_paths=paths or ("maps",))


def fixed(root: Path, code: str, chosen: Settings) -> str:
    """What `fix --unsafe-fixes` makes of a line."""
    (root / "a.py").write_text(f"import torch\n\n\ndef f(x: torch.Tensor):\n    return {code}\n")
    [file] = fix_paths([str(root / "a.py")], chosen, CPU, str(root), {}, unsafe=True, allow_dirty=True)
    assert file.after is not None
    return file.after.text


def grade(root: Path, code: str, chosen: Settings) -> Applicability | None:
    (root / "a.py").write_text(f"import torch\n\n\ndef f(x: torch.Tensor):\n    return {code}\n")
    [report] = check_paths([str(root / "a.py")], chosen, CPU, str(root))
    return next(
        fix for finding, fix in zip(report.findings, report.fixes, strict=True) if finding.api == "torch.erfc"
    )


def test_a_team_overrides_the_catalogue(project: Path) -> None:
    (project / "maps" / "erfc.yaml").write_text(OVERRIDE.replace("FIX", "unsafe"))
    assert "team_ops.erfc(x)" in fixed(project, "torch.erfc(x)", settings())
    assert "import team_ops" in fixed(project, "torch.erfc(x)", settings())
    for code, chosen in (
        ("torch.erfc(x)", Settings()),
        ("torch.special.erfc(x)", settings()),
        ("x.erfc()", settings()),
    ):
        assert "team_ops" not in fixed(project, code, chosen)


def test_a_team_adds_to_the_catalogue(project: Path) -> None:
    (project / "maps" / "deeper").mkdir()
    (project / "maps" / "deeper" / "new.yml").write_text(NEW)
    assert load_index().find("torch._foreach_max") is None
    assert "return [x.max() for x in [x, x]]" in fixed(project, "torch._foreach_max([x, x])", settings())
    assert "_foreach_max" in fixed(project, "torch._foreach_max([x, x])", Settings())


def test_only_what_was_run_is_safe(project: Path) -> None:
    (project / "maps" / "erfc.yaml").write_text(OVERRIDE.replace("FIX", "safe"))
    assert grade(project, "torch.erfc(x)", settings()) is Applicability.UNSAFE
    mapping = project_index(settings(), str(project)).find("torch.erfc")
    assert mapping is not None
    seen = Evidence("value-shape-dtype", "2.13.0", "2.10.0", "CPU", "run", 3, max_abs=0.0, case=0)
    (project / DEFAULT_FILE).write_text(as_text(shared_rows(mapping, [seen])))
    assert grade(project, "torch.erfc(x)", settings()) is Applicability.SAFE
    changed = OVERRIDE.replace("FIX", "safe").replace("erfc($input)", "erfc($input, 1)")
    (project / "maps" / "erfc.yaml").write_text(changed)
    assert grade(project, "torch.erfc(x)", settings()) is Applicability.UNSAFE


def test_what_writes_the_same_as_a_shipped_case_is_proved_by_its_runs(project: Path) -> None:
    shipped = load_index().find("torch.erfc")
    assert shipped is not None
    case = next(number for number, one in enumerate(shipped.cases) if one.fix == "safe" and one.call)
    row = (
        f"torch: {{function: torch.erfc}}\nsummary: s\ncases:\n  - verdict: {shipped.cases[case].verdict}\n"
        f"    call: {shipped.cases[case].call}\n    fix: safe\n"
    )
    (project / "maps" / "erfc.yaml").write_text(row)
    mapping = project_index(settings(), str(project)).find("torch.erfc")
    assert mapping is not None
    is_same = content_of(mapping.cases[0]) == content_of(shipped.cases[case])
    assert bool(mapping.evidence) is is_same


def test_a_change_of_a_mapping_is_not_answered_from_the_cache(project: Path) -> None:
    (project / "maps" / "erfc.yaml").write_text(OVERRIDE.replace("FIX", "unsafe"))
    before = grade(project, "torch.erfc(x)", settings())
    (project / "maps" / "erfc.yaml").write_text(OVERRIDE.replace("FIX", "display"))
    assert (before, grade(project, "torch.erfc(x)", settings())) == (
        Applicability.UNSAFE,
        Applicability.DISPLAY,
    )


BOMB = "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefghijk", "bcdefghijkl", strict=True)
)
VALID = OVERRIDE.replace("FIX", "unsafe")
BAD = {
    "aliases": (BOMB, "has an alias"),
    "a little alias": (OVERRIDE.replace("FIX", "&f unsafe") + "links: [*f]\n", "has an alias"),
    "depth": ("[" * 100_000, "is nested deeper"),
    "steps": ("- " * 50_000 + "a", "is nested deeper"),
    "size": ("# x\n" * 100_000, "cannot be read"),
    "no YAML": ("a: [\n", "not YAML"),
    "a list": ("- a\n", "holds keys"),
    "a wrong key": (VALID.replace("summary", "sumary"), "sumary"),
    "a wrong verdict": (VALID.replace("composed", "equivalant"), "cases[0].verdict"),
    "no torch name": (VALID.replace("torch.erfc}", "numpy.abs}"), "is no dotted torch name"),
    "no Python": (VALID.replace("$input)", "$input"), "cases[0]"),
    "own evidence": (VALID + "evidence: []\n", "evidence"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_mapping_is_told_with_its_place(project: Path, name: str) -> None:
    text, said = BAD[name]
    (project / "maps" / "bad.yaml").write_text(text)
    began = time.monotonic()
    with pytest.raises(ConfigurationError) as failed:
        project_index(settings(), str(project))
    assert time.monotonic() - began < 20
    assert "maps/bad.yaml" in str(failed.value.problems)
    assert said in str(failed.value.problems)


def test_bytes_pipes_and_links(project: Path) -> None:
    maps = project / "maps"
    (maps / "loop").symlink_to("..")
    (maps / "erfc.yaml").write_text(OVERRIDE.replace("FIX", "unsafe"))
    assert project_index(settings(), str(project)).file("torch.erfc") == (maps / "erfc.yaml").as_posix()
    (maps / "bytes.yaml").write_bytes(b"torch: \xff")
    os.mkfifo(maps / "pipe.yaml")
    (maps / "zero.yaml").symlink_to("/dev/zero")
    with pytest.raises(ConfigurationError) as failed:
        project_index(settings(), str(project))
    said = str(failed.value.problems)
    assert all(name in said for name in ("bytes.yaml", "pipe.yaml", "zero.yaml"))


def test_two_files_with_one_name_and_folders_that_are_not_there(project: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (project / "maps" / name).write_text(OVERRIDE.replace("FIX", "unsafe"))
    with pytest.raises(ConfigurationError, match=r"torch\.erfc is already in"):
        project_index(settings(), str(project))
    with pytest.raises(ConfigurationError, match="is no folder of mappings"):
        project_index(settings("nowhere"), str(project))
