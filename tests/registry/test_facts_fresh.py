"""The committed facts are what the collectors write for the frameworks they name."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "mappings" / "_frameworks"


@pytest.mark.oracle
@pytest.mark.parametrize("framework", ["torch", "torchvision"])
def test_facts_are_fresh(framework: str, tmp_path: Path) -> None:
    committed = committed_facts(framework)
    output = collected(framework, tmp_path / committed.name)
    assert output.read_text(encoding="utf-8") == committed.read_text(encoding="utf-8")


@pytest.mark.oracle
def test_mindspore_facts_are_fresh(tmp_path: Path) -> None:
    """Names in full; of the kernels, which take a minute to try, a sample."""
    committed = json.loads(committed_facts("mindspore").read_text(encoding="utf-8"))
    output = collected("mindspore", tmp_path / "facts.json", "--every", "23")
    fresh = json.loads(output.read_text(encoding="utf-8"))
    kernels, known = fresh.pop("cpu"), committed.pop("cpu")
    assert fresh == committed
    assert len(kernels) > 20
    assert kernels.items() <= known.items()


def committed_facts(framework: str) -> Path:
    version = importlib.metadata.version(framework).partition("+")[0]
    return FACTS / f"{framework}-{version}.json"


def collected(framework: str, output: Path, *options: str) -> Path:
    script = ROOT / "scripts" / f"collect_{framework}_facts.py"
    command = [sys.executable, str(script), "--output", str(output), *options]
    subprocess.run(command, check=True, capture_output=True)
    return output
