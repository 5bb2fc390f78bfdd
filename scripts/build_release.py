#!/usr/bin/env python3
"""Builds what is published into a folder (dist): the wheel, the sdist, their hashes, and a bill of materials of what an
installation brings along. With `--twice` all of it is built again and compared byte by byte.

    .venv/bin/python scripts/build_release.py [--twice] [--out FOLDER] [--no-materials]

Times in the archives are those of the last commit, or SOURCE_DATE_EPOCH."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> int:
    """Build, and say what came out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=REPOSITORY / "dist")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--no-materials", action="store_true", help="without the bill of materials")
    options = parser.parse_args(arguments)
    shutil.rmtree(options.out, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="mindport-release-") as name:
        first = built(Path(name) / "first")
        if options.twice and hashes(built(Path(name) / "second")) != hashes(first):
            print("two builds differ", file=sys.stderr)
            return 1
        options.out.mkdir(parents=True)
        for path in first:
            shutil.copyfile(path, options.out / path.name)
        if not options.no_materials:
            wheel = next(path for path in first if path.suffix == ".whl")
            materials(wheel, options.out / f"{wheel.stem}.cdx.json", Path(name))
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(hashes(options.out.iterdir()).items()))
    (options.out / "SHA256SUMS").write_text(lines, "utf-8")
    print(lines, end="")
    return 0


def built(folder: Path) -> list[Path]:
    """The wheel and the sdist of what git has of this checkout, built in a copy of it."""
    source = folder / "source"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True)
    for name in filter(None, tracked.stdout.decode().split("\0")):
        if (REPOSITORY / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPOSITORY / name, source / name)
            shutil.copymode(REPOSITORY / name, source / name)
    command = [sys.executable, "-m", "build", "--outdir", str(folder / "out"), str(source)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or commit_time()}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return sorted((folder / "out").iterdir())


def commit_time() -> str:
    """When the last commit was made, in seconds since 1970."""
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.strip()


def hashes(paths: Iterable[Path]) -> dict[str, str]:
    """The SHA-256 of files by their names."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def materials(wheel: Path, file: Path, folder: Path) -> None:
    """Write what an environment with the wheel alone holds, in CycloneDX's format, without times and random numbers."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheel)], check=True)
    # By its name, so that no path of this machine stands in the bill.
    again = ["--force-reinstall", "--no-deps", "--no-index", "--find-links", str(wheel.parent), "mindport"]
    subprocess.run([*install, *again], check=True)
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON"]
    command += ["--pyproject", str(REPOSITORY / "pyproject.toml"), "-o", str(file), str(python)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
