#!/usr/bin/env python3
"""Compares the parameter counts that the checklist says of networks with what torch counts.

    scripts/compare_parameter_counts.py FOLDER ... [--seconds N]

A FOLDER holds the files of one repository, or, as `name/repo` or `name/repo/.git`, a git directory of it. Every class
of the repository that derives from `torch.nn.Module`, stands at the top of its file, and can be made without arguments
is made by torch and by mindport. The code of the repositories runs for that, each in a process of its own. A count
that mindport does not know is no error, a wrong one is: the run fails then."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType

from mindport.source.discovery import discover
from mindport.usage.project import Project
from mindport.usage.recipe.built import Builder
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.settings import ProjectSettings
from mindport.usage.recipe.values import Values

_SECONDS_A_CLASS = 12


def main() -> int:
    """Print a line for each repository with such classes, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seconds", type=int, default=60, help="for one repository")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(compared(options.folders[0].resolve())))
        return 0
    total: Counter[str] = Counter()
    for folder in options.folders:
        counts, wrong = _in_a_process(folder, options.seconds)
        total += counts
        for text in wrong:
            print(f"{folder.name}: {text}")
        if counts:
            print(f"{folder.name:<50} {_line(counts)}", flush=True)
    print(f"{'all':<50} {_line(total)}")
    return 1 if total["wrong"] else 0


def _line(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[kind]} {kind}" for kind in ("equal", "unknown", "wrong"))


def _in_a_process(folder: Path, seconds: int) -> tuple[Counter[str], list[str]]:
    """What one repository gives; nothing where it takes too long or dies."""
    with tempfile.TemporaryDirectory() as temporary:
        files = _files_of(folder, Path(temporary))
        command = [sys.executable, __file__, str(files), "--inside"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return Counter(), []
    lines = run.stdout.strip().splitlines()
    if run.returncode or not lines:
        return Counter(), []
    counts, wrong = json.loads(lines[-1])
    return Counter(counts), wrong


def _files_of(folder: Path, temporary: Path) -> Path:
    """A folder with the files of a repository."""
    for place in (folder / "repo" / ".git", folder / "repo", folder):
        if (place / "HEAD").is_file():
            archive = ["git", f"--git-dir={place}", "archive", "HEAD", "--", ":(glob)**/*.py"]
            packed = subprocess.run(archive, check=False, capture_output=True, timeout=120)
            if packed.returncode:
                return temporary  # nothing in it is Python, or it cannot be read
            subprocess.run(["tar", "-x", "-C", temporary], input=packed.stdout, check=True, timeout=120)
            return temporary
    return folder


def compared(folder: Path) -> tuple[dict[str, int], list[str]]:
    """How many counts are equal, unknown and wrong, and the wrong ones in words."""
    project, texts = Project(str(folder)), {}
    for path in discover([str(folder)], root=folder).python_files:
        texts[path] = Path(path).read_text(encoding="utf-8", errors="replace")
        project.add(path, texts[path])
    files = {
        Path(path).relative_to(folder).as_posix(): (text, project.usage(path)) for path, text in texts.items()
    }
    code = Code(files)
    builder = Builder(code, Values(code, ProjectSettings(code, {})))
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    signal.signal(signal.SIGALRM, _too_long)
    counts: Counter[str] = Counter()
    wrong = []
    for node, file in code.module_classes.items():
        real = counted_by_torch(file.path, node.name) if node in file.tree.body else None
        if real is None:
            continue
        network = builder.made_with_defaults(node.name, file.path)
        ours = None if network is None else network.parameters
        kind = "unknown" if ours is None else "equal" if ours == real else "wrong"
        counts[kind] += 1
        if kind == "wrong":
            wrong.append(f"{node.name} ({file.path}) has {real} parameters, not {ours}")
    return dict(counts), wrong


def counted_by_torch(path: str, name: str) -> int | None:
    """The number of parameters of a class that is made without arguments; None where it cannot be."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    signal.alarm(_SECONDS_A_CLASS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            made = getattr(importlib.import_module(module), name)()
        return sum(parameter.numel() for parameter in made.parameters())
    except BaseException:  # noqa: BLE001  whatever a repository does when it is imported
        return None
    finally:
        signal.alarm(0)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


if __name__ == "__main__":
    sys.exit(main())
