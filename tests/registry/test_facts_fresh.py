"""The committed facts are what the collectors write for the frameworks they name."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "mappings" / "_frameworks"


@pytest.mark.oracle
@pytest.mark.parametrize("framework", ["torch", "torchvision", "mindspore"])
def test_facts_are_fresh(framework: str, tmp_path: Path) -> None:
    version = importlib.metadata.version(framework).partition("+")[0]
    committed = FACTS / f"{framework}-{version}.json"
    output = tmp_path / committed.name
    script = ROOT / "scripts" / f"collect_{framework}_facts.py"
    subprocess.run([sys.executable, str(script), "--output", str(output)], check=True, capture_output=True)
    assert output.read_text(encoding="utf-8") == committed.read_text(encoding="utf-8")
