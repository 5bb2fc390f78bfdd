"""Ports a repository with one command and runs its examples on both sides."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
from program_bench.commands import run
from program_bench.sides import FRAMEWORKS

from example_bench.examples import Repository, lay_out
from loaded_frameworks import run_python

PORTING_SECONDS = 1800
ONE_EXAMPLE = Path(__file__).resolve().parent / "one_example.py"


class Ran(msgspec.Struct, frozen=True):
    """What one side of an example left behind; `error` is empty where it ran to its end."""

    error: str = ""
    at: str = ""
    values: dict[str, object] = {}


class Example(msgspec.Struct, frozen=True):
    """One that runs in torch: `problem` is empty where its port runs and leaves the same shapes, dtypes and counts."""

    repository: str
    file: str
    problem: str = ""
    at: str = ""


class Settings(msgspec.Struct, frozen=True):
    """Seconds that an example may take in torch, how many times as long in MindSpore, where the copies go, and a
    folder of packages that examples import."""

    work: Path
    seconds: int = 60
    patience: int = 4
    packages: Path | None = None


def examples_of(repository: Repository, under: str, settings: Settings) -> list[Example]:
    """Run all examples of a repository, or of a folder `under` it, whose originals run."""
    folder = settings.work / repository.name.replace("/", "+")
    shutil.rmtree(folder, ignore_errors=True)
    original, ported = folder / "torch", folder / "port"
    original.mkdir(parents=True)
    files = lay_out(repository, under, original)
    ran = {file: _run("torch", original, file, settings.seconds, settings.packages) for file in files}
    (folder / "torch.json").write_bytes(msgspec.json.format(msgspec.json.encode(ran)))
    ran = {file: one for file, one in ran.items() if not one.error}
    if not ran:
        return []
    command = [sys.executable, "-m", "mindport", "port", str(original), "-o", str(ported), "--device", "CPU"]
    server = Path(__file__).resolve().parents[3] / "server"
    done = run(command, PORTING_SECONDS, folder, {**os.environ, "PYTHONPATH": str(server)})
    (folder / "port.txt").write_text(done.printed)
    longest = settings.seconds * settings.patience
    return [
        compared(repository.name, file, one, _run("mindspore", ported, file, longest, settings.packages))
        for file, one in ran.items()
    ]


def _run(side: str, root: Path, file: str, seconds: int, packages: Path | None) -> Ran:
    out = root.parent / f"{side}-{file.replace('/', '+')}.json"
    arguments = [str(ONE_EXAMPLE), side, str(root), file, str(out), str(packages or ""), ",".join(FRAMEWORKS)]
    try:
        done = run_python(arguments, root, side, seconds=seconds)
    except subprocess.TimeoutExpired:
        return Ran(error=f"took more than {seconds} s")
    out.with_suffix(".txt").write_text(done.stdout + done.stderr)
    if not out.exists():
        return Ran(error=f"ended with {done.returncode}: {done.stderr[-200:]}")
    return msgspec.json.decode(out.read_bytes(), type=Ran)


def compared(repository: str, file: str, before: Ran, after: Ran) -> Example:
    """Whether a port ran and left what torch left; what it leaves besides does not matter."""
    if after.error:
        return Example(repository, file, after.error, after.at)
    for name, value in before.values.items():
        if name in after.values and after.values[name] != value:
            return Example(repository, file, f"{name} is {after.values[name]}, in torch {value}")
        if name not in after.values:
            return Example(repository, file, f"{name} is no tensor or layer any more")
    return Example(repository, file)
