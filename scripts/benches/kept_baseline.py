"""A baseline over the history of a repository: of the findings that `mindport check` calls new from commit to commit,
how many are on lines that the commit did not add. Those are false: lines only moved."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

COMMITS = 50
_SHOWN = ("--min-severity", "information")
_TARGET = ("--device", "CPU", "--target-version", "2.10", "--jobs", "1")


def run(repository: Path, commits: int = COMMITS) -> list[str]:
    """The figures for the last commits of a repository (its git directory) that change Python files."""
    listed = _git(
        repository, "log", "--first-parent", "--format=%H", f"-{commits + 1}", "HEAD", "--", "*.py"
    ).split()
    hashes = listed[::-1]
    new, false, known = 0, [], 0
    with tempfile.TemporaryDirectory(prefix="mindport-baseline-") as work:
        tree = Path(work, "tree")
        tree.mkdir()
        _check_out(repository, hashes[0], tree)
        _mindport(tree, "baseline", "write", ".")
        for before, commit in itertools.pairwise(hashes):
            _check_out(repository, commit, tree)
            added = _added_lines(repository, before, commit)
            output = json.loads(_mindport(tree, "check", ".", "--output-format", "json", *_SHOWN))
            known += output["summary"]["in_baseline"]
            for row in output["findings"]:
                new += 1
                lines = range(row["line"], row["end_line"] + 1)
                if row["cell"] is None and not any((row["file"], line) in added for line in lines):
                    false.append(f"  {commit[:10]} {row['file']}:{row['line']} {row['code']} {row['api']}")
            _mindport(tree, "baseline", "write", ".")
    return [
        f"{len(hashes) - 1} commits: {known} findings known again, {new} new, {len(false)} of them not on added lines",
        *false,
    ]


def _check_out(repository: Path, commit: str, tree: Path) -> None:
    """Put the files of a commit in the place of those that are there, but for the baseline."""
    for name in _git(repository, "ls-tree", "-r", "--name-only", "-z", commit).split("\0"):
        wanted = tree / name
        if name.endswith(".py"):
            wanted.parent.mkdir(parents=True, exist_ok=True)
            content = subprocess.run(
                ["git", "--git-dir", str(repository), "show", f"{commit}:{name}"],
                capture_output=True,
                check=True,
            ).stdout
            if not wanted.is_file() or wanted.read_bytes() != content:
                wanted.write_bytes(content)
    present = set(_git(repository, "ls-tree", "-r", "--name-only", "-z", commit).split("\0"))
    for path in tree.rglob("*.py"):
        if str(path.relative_to(tree)) not in present:
            path.unlink()


def _added_lines(repository: Path, before: str, after: str) -> set[tuple[str, int]]:
    """The lines of files that a commit added or changed."""
    found: set[tuple[str, int]] = set()
    file = ""
    for line in _git(
        repository, "diff", "--unified=0", "--no-color", before, after, "--", "*.py"
    ).splitlines():
        if line.startswith("+++ "):
            file = line[6:]
        elif line.startswith("@@ "):
            start, _, count = line.split()[2][1:].partition(",")
            found.update((file, int(start) + offset) for offset in range(int(count or 1)))
    return found


def _git(repository: Path, *words: str) -> str:
    done = subprocess.run(["git", "--git-dir", str(repository), *words], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def _mindport(folder: Path, *arguments: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "mindport", *arguments, *_TARGET], cwd=folder, capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode())
    return done.stdout
