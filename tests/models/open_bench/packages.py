"""The packages that the bench draws from: pinned in packages.toml, downloaded on demand, never committed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import msgspec

LIST = Path(__file__).parent / "packages.toml"


class Package(msgspec.Struct, frozen=True):
    """One package: its name and version on the index, its import root, and whether model files are drawn from it."""

    name: str
    version: str
    root: str
    drawn: bool = True


class PackageList(msgspec.Struct, frozen=True):
    """The content of packages.toml."""

    package: tuple[Package, ...]
    dependencies: tuple[str, ...]


class Downloads(msgspec.Struct, frozen=True):
    """Folders to import from: `sources` has the packages themselves, `dependencies` what they import besides."""

    sources: Path
    dependencies: Path


def read_list() -> PackageList:
    """The pinned packages."""
    return msgspec.toml.decode(LIST.read_bytes(), type=PackageList)


def download(packages: PackageList, cache: Path) -> Downloads:
    """Install what is missing below `cache`, without what it depends on. Raises CalledProcessError where pip fails."""
    pinned = [f"{package.name}=={package.version}" for package in packages.package]
    return Downloads(_installed(pinned, cache), _installed(list(packages.dependencies), cache))


def _installed(pinned: list[str], cache: Path) -> Path:
    folder = cache / f"packages-{hashlib.sha256(' '.join(pinned).encode()).hexdigest()[:12]}"
    complete = folder / ".complete"
    if not complete.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        subprocess.run([*pip, "--upgrade", "--target", str(folder), *pinned], check=True)
        complete.touch()
    return folder
