"""Runs one side of a program, torch or MindSpore, in a process of its own (side/stages.py)."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from mindport.registry.probe_process import FASTER
from program_bench.case import Case
from program_bench.commands import run
from program_bench.copies import Copy

BENCH = Path(__file__).resolve().parent.parent
SIDE, STUBS = BENCH / "side", BENCH / "stubs"
# What a port writes its logs with; who runs one installs it.
INSTALLED_FOR_PORTS = ("tensorboardX",)
FRAMEWORKS = ("torch", "torchvision", "torchaudio", "torchtext")
# A stage may take `seconds` of processor time; this much more may pass on a machine with other work.
PATIENCE = 3
COUNTED_IMPORTS, SECONDS_OF_AN_IMPORT = 8, 25


class Said(msgspec.Struct, frozen=True):
    """How a stage went; `at` is the place in the repository where it raised."""

    ok: bool
    error: str = ""
    at: str = ""
    seconds: float = 0.0


class SideReport(msgspec.Struct, frozen=True):
    """What side/stages.py reports; `parts` has outputs that failed on their own, `printed`
    the end of what was printed."""

    stages: dict[str, Said] = {}
    imports: dict[str, str] = {}
    parts: dict[str, str] = {}
    weights: dict[str, str] = {}
    seconds: float = 0.0
    status: int = 0
    printed: str = ""


class Sides(msgspec.Struct, frozen=True):
    """The interpreter that has both frameworks, and where what programs need besides is installed."""

    python: Path
    packages: Path

    def run(
        self, case: Case, side: str, copy: Copy, out: Path, weights: Path, graph: bool = False, seed: int = 0
    ) -> SideReport:
        """Run all stages of one side; outputs go to `out`.npz, weights are written to or read from `weights`. What
        the framework draws once the weights are there depends on `seed`."""
        said = case.description
        modules = [m for m in copy.modules if not any(fnmatch.fnmatch(m, glob) for glob in said.scripts)]
        spec = {
            "copy": str(copy.folder),
            "out": str(out),
            "weights": str(weights),
            "modules": modules,
            "seconds": said.seconds,
            "stir": said.stir,
            "graph": graph,
            "seed": seed,
        }
        spec_file = out.with_name(f"{out.name}.spec.json")
        spec_file.write_bytes(msgspec.json.encode(spec))
        written = out.with_name(f"{out.name}.json")
        for ending in (".json", ".npz"):
            out.with_name(out.name + ending).unlink(missing_ok=True)
        seconds = 5 * said.seconds + SECONDS_OF_AN_IMPORT * (1 + min(len(modules), COUNTED_IMPORTS))
        command = [str(self.python), str(SIDE / "stages.py"), side, str(spec_file)]
        done = run(command, PATIENCE * seconds, copy.folder, self.environment(case, side, copy.folder))
        report = SideReport()
        if written.exists():
            report = msgspec.json.decode(written.read_bytes(), type=SideReport)
        return msgspec.structs.replace(report, status=done.status, printed=done.printed[-1500:])

    def environment(self, case: Case, side: str, folder: Path) -> dict[str, str]:
        """The variables that a side of a program runs with."""
        stubs = [*case.description.stubs, *(INSTALLED_FOR_PORTS if side == "mindspore" else ())]
        paths = [str(STUBS)]
        if case.description.packages:
            paths.append(str(self._installed(case.description.packages)))
        blocked = [name for name in FRAMEWORKS if side == "mindspore" and name not in stubs]
        return {
            **FASTER,
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "GLOG_v": "4",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "Agg",
            "HOME": str(folder),  # some read their data there
            "PYTHONPATH": os.pathsep.join(paths),
            "PROGRAM_STUBS": ",".join(stubs),
            "PROGRAM_BLOCKED": ",".join(blocked),
        }

    def _installed(self, pinned: tuple[str, ...]) -> Path:
        folder = self.packages / hashlib.sha256(" ".join(pinned).encode()).hexdigest()[:12]
        complete = folder / ".complete"
        if not complete.exists():
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]
            subprocess.run([*pip, "--target", str(folder), *pinned], check=True)
            complete.touch()
        return folder


def digest_of_sides() -> str:
    """Of all code that runs a side."""
    everything = hashlib.sha256()
    for file in sorted([*SIDE.rglob("*.py"), *STUBS.rglob("*.py")]):
        everything.update(file.read_bytes())
    return everything.hexdigest()
