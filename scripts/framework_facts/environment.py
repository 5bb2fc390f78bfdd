"""Throw-away environments: a framework version is installed where it meets no other one."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path


@contextlib.contextmanager
def throw_away_environment(packages: Sequence[str], keep: Path | None = None) -> Iterator[Path]:
    """The interpreter of an environment with `packages`, removed afterwards; with `keep` it is made in that folder,
    stays there, and is used as it is next time. Raises CalledProcessError where the packages cannot be had."""
    with contextlib.ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mindport-")))
        interpreter = folder / "bin" / "python"
        stamp = folder / ".mindport-packages"
        if not stamp.is_file() or stamp.read_text() != "\n".join(packages):
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*install, *packages], check=True)
            stamp.write_text("\n".join(packages))
        yield interpreter
