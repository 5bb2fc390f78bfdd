"""Ports one model file with what it imports, by safe fixes alone, and runs both."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.programs import ComparedProgram, compare_programs
from open_bench.closure import Closure
from open_bench.entries import Model
from open_bench.packages import Downloads

CPU = Target(Version(2, 10, 0), Device.CPU)
GRAPH = Target(Version(2, 10, 0), Device.CPU, Mode.GRAPH)
# The stages of the bench: those of `mindport verify`, and whether graph mode computes the same.
STAGES = ("import", "build", "weights", "forward", "gradient", "steps", "graph")


class Result(msgspec.Struct, frozen=True):
    """How far one model came. `wanted` are the stages that torch's side has; `left` the files that still import torch;
    `graph_problem` what graph mode refuses."""

    file: str
    reached: tuple[str, ...]
    wanted: tuple[str, ...]
    problem: str = ""
    trace: str = ""
    graph_problem: str = ""
    errors: dict[str, float] = {}
    left: tuple[str, ...] = ()


def run_model(
    model: Model, downloads: Downloads, roots: frozenset[str], folder: Path, with_graph: bool = True
) -> Result:
    """Lay out `folder`/torch and `folder`/port, convert the second, and compare. The folder is emptied before."""
    original, port = write_trees(model, downloads, roots, folder)
    (folder / "fix.txt").write_text(convert(port))
    path = (str(downloads.dependencies),)
    program = ComparedProgram(
        original / model.file, port / model.file, model.entry, model.inputs, steps=3, path=path
    )
    outcome = compare_programs(program, CPU, Path(sys.executable), 400)
    reached, graph_problem = list(outcome.reached), ""
    if with_graph and "forward" in reached:
        only_forward = msgspec.structs.replace(program, steps=0, gradient=False)
        graph = compare_programs(only_forward, GRAPH, Path(sys.executable), 400)
        graph_problem = graph.problem
        if "forward" in graph.reached:
            reached.append("graph")
    left = [
        file.relative_to(port).as_posix()
        for file in sorted(port.rglob("*.py"))
        if _imports_torch(file.read_text())
    ]
    return Result(
        model.file,
        tuple(reached),
        (*outcome.wanted, *(["graph"] if outcome.wanted else [])),
        outcome.problem,
        outcome.trace,
        graph_problem,
        outcome.errors,
        tuple(left),
    )


def write_trees(model: Model, downloads: Downloads, roots: frozenset[str], folder: Path) -> tuple[Path, Path]:
    """The original and what will become the port: the file with all that it imports from the packages."""
    shutil.rmtree(folder, ignore_errors=True)
    original, port = folder / "torch", folder / "port"
    closure = Closure(downloads.sources, roots, model.file, *model.also)
    closure.write(original)
    shutil.copytree(original, port)
    return original, port


def convert(port: Path) -> str:
    """Run the command line that a user runs; gives what it says."""
    options = ["--device", "CPU", "--target-version", "2.10", "--allow-dirty", "--no-respect-gitignore"]
    command = [sys.executable, "-m", "mindport", "fix", *options, "."]
    done = subprocess.run(command, cwd=port, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def _imports_torch(text: str) -> bool:
    lines = (line.strip() for line in text.splitlines())
    return any(
        line.startswith(("import torch", "from torch")) and "torch_einops" not in line for line in lines
    )
