"""The code that is measured with: pinned releases, downloaded once as wheels and unpacked."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec


class Package(msgspec.Struct, frozen=True):
    """A release, and a long file in it to type in."""

    name: str
    version: str
    long_file: str


TIMM = Package("timm", "1.0.31", "timm/models/vision_transformer.py")
LARGE = Package("transformers", "5.23.0", "transformers/modeling_utils.py")  # 2,860 files


def fetched(cache: Path, package: Package = TIMM) -> Path:
    """The folder with the unpacked package."""
    folder = cache / f"{package.name}-{package.version}"
    if not (folder / package.long_file).is_file():
        downloads = cache / "downloads"
        pinned = f"{package.name}=={package.version}"
        command = ["download", "--quiet", "--no-deps", "--dest", str(downloads), pinned]
        subprocess.run([sys.executable, "-m", "pip", *command], check=True)
        wheel = next(downloads.glob(f"{package.name}-{package.version}-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder
