"""Small projects, ported with `mindport port` and run where torch cannot be imported, print what they print in torch.
A project is a folder of `projects/` with a `main.py`; numbers may differ by rounding."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.registry.probe_process import PROBES

pytestmark = pytest.mark.oracle

PROJECTS = Path(__file__).parent / "projects"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


WITH_TORCHVISION = f"""
import runpy, sys
sys.path.append({str(PROBES)!r})
from oracle.torchvision_import import import_torchvision
import_torchvision()
runpy.run_path("main.py", run_name="__main__")
"""


def run(folder, *path):
    has_torchvision = re.search(
        r"^(?:from|import) torchvision", (folder / "main.py").read_text(), re.MULTILINE
    )
    done = subprocess.run(
        [sys.executable, *(["-c", WITH_TORCHVISION] if has_torchvision else ["main.py"])],
        cwd=folder,
        env={
            **os.environ,
            "GLOG_v": "4",
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("project", sorted(PROJECTS.iterdir()), ids=lambda folder: folder.name)
def test_a_ported_project_prints_the_same(project, tmp_path):
    ported, without_torch = tmp_path / "ported", tmp_path / "without_torch"
    without_torch.mkdir()
    (without_torch / "torch.py").write_text("raise ImportError('no torch here')\n")
    command = ["port", str(project), "-o", str(ported), "--device", "CPU", "--no-try"]
    subprocess.run(
        [sys.executable, "-m", "mindport", *command], check=False, capture_output=True, timeout=300
    )
    expected, found = run(project), run(ported, without_torch)
    assert [NUMBER.sub("#", line) for line in found] == [NUMBER.sub("#", line) for line in expected]
    for ours, theirs in zip(found, expected, strict=True):
        numbers = [list(map(float, NUMBER.findall(line))) for line in (ours, theirs)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-3, abs=1e-4), (ours, theirs)
