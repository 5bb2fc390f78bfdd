"""`mindport fix` on whole packages: what comes out parses, a second run changes nothing, `--diff` says what `fix` does,
and a run that is killed in the middle leaves no half-written file."""

from __future__ import annotations

import ast
import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path

from benches.corpus import Package, fetched

PACKAGES = (
    Package("timm", "1.0.31", "timm/models/vision_transformer.py"),
    Package("kornia", "0.9.0", "kornia/filters/kernels.py"),
    Package("torchvision", "0.29.1", "torchvision/ops/boxes.py"),
    Package("transformers", "5.23.0", "transformers/modeling_utils.py"),
)
_MOST_NAMED = 5
_TARGET = ("--device", "CPU", "--target-version", "2.10", "--unsafe-fixes", "--no-cache")


def run(cache: Path, names: tuple[str, ...] = ()) -> list[str]:
    """The figures, as lines of text."""
    return [
        _figures(package, fetched(cache, package))
        for package in PACKAGES
        if package.name in names or not names
    ]


def _figures(package: Package, source: Path) -> str:
    with tempfile.TemporaryDirectory(prefix="mindport-fixes-") as work:
        original, fixed, patched, killed = (Path(work, name) for name in ("a", "fixed", "patched", "killed"))
        shutil.copytree(source / package.name, original / package.name)
        for copy in (fixed, patched, killed):
            shutil.copytree(original, copy)
        before = _contents(original)
        diff = _fix(patched, "--diff").stdout
        began = time.monotonic()
        _fix(fixed)
        seconds = time.monotonic() - began
        after = _contents(fixed)
        broken = [
            name for name, content in after.items() if _parses(before.get(name, b"")) and not _parses(content)
        ]
        _fix(fixed)
        again = [name for name, content in _contents(fixed).items() if content != after.get(name)]
        subprocess.run(["patch", "-p1", "--quiet"], cwd=patched, input=diff, check=True)
        differing = {name for name, content in _contents(patched).items() if content != after.get(name)}
        differing |= after.keys() - _contents(patched).keys()
        half = _killed(killed, seconds, before, after)
    changed = sum(after[name] != before.get(name) for name in after)
    return (
        f"{package.name} {package.version}: {len(before)} files, {changed} changed; do not parse: {_named(broken)}; "
        f"changed by a second run: {_named(again)}; other than --diff says: {_named(differing)}; "
        f"half written after a kill: {half}"
    )


def _named(files: Collection[str]) -> str:
    """How many files there are, and the first of them."""
    first = ", ".join(sorted(files)[:_MOST_NAMED])
    return f"{len(files)} ({first})" if files else "0"


def _killed(folder: Path, seconds: float, before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """How many files are neither as before nor as after, when a run is killed while it writes."""
    process = subprocess.Popen(_command(), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 4 * seconds
    while time.monotonic() < deadline and process.poll() is None and _contents(folder) == before:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = _contents(folder)
    half = [name for name, content in found.items() if content not in (before.get(name), after.get(name))]
    written = sum(content != before.get(name) for name, content in found.items())
    return f"{len(half)} (of {written} written)"


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "mindport", "fix", ".", *_TARGET, *arguments]


def _fix(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(_command(*arguments), cwd=folder, capture_output=True, check=False)
    if b"Traceback" in done.stderr:
        raise RuntimeError(done.stderr.decode())
    return done


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*.py") if path.is_file())


def _parses(content: bytes) -> bool:
    with contextlib.suppress(SyntaxError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(content)
        return True
    return False
