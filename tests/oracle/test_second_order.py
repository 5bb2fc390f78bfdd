"""The committed data on second-order gradients are what the installed MindSpore shows."""

from __future__ import annotations

import copy
import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "mappings" / "_frameworks" / "second_order"
SECONDS = 600


def run_script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / f"{name}.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture(scope="module")
def registry() -> dict[str, Any]:
    version = importlib.metadata.version("mindspore")
    content: dict[str, Any] = json.loads((DATA / f"mindspore-{version}.json").read_text(encoding="utf-8"))
    return content


def test_registry_is_extracted_again(registry: dict[str, Any], tmp_path: Path) -> None:
    output = tmp_path / "bprops.json"
    done = run_script("collect_bprops", "--output", str(output))
    assert done.returncode == 0, done.stderr
    found = json.loads(output.read_text(encoding="utf-8"))
    for content in (found, registry):
        content["stamp"].pop("date", None)
    assert found == registry


@pytest.mark.parametrize(
    ("section", "lost", "added"),
    [
        ("cpp_bprops", "StridedSliceGrad", None),
        ("cpp_bprops", "StridedSlice", None),
        ("cpp_bprops", "Abs", None),  # only the count shows it
        ("cpp_bprops", None, "StridedSliceGradOfNothing"),
        ("python_bprops", "Eigh", None),
    ],
)
def test_self_check_refuses(
    registry: dict[str, Any], section: str, lost: str | None, added: str | None
) -> None:
    from collect_bprops import ExtractionError, check

    check(registry)
    broken = copy.deepcopy(registry)
    broken[section] = [name for name in broken[section] if name != lost] + ([added] if added else [])
    with pytest.raises(ExtractionError):
        check(broken)


def test_measured_results_repeat() -> None:
    done = run_script("measure_second_order", "--hand-written", "--every", "7", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pynative  wrong" in done.stderr  # a run that sees nothing wrong sees nothing


def test_chains_do_what_is_expected() -> None:
    done = run_script("compare_second_order", "--count", "6", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "of 6 chains ran" in done.stdout
