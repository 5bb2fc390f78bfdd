"""The code that is measured with: a pinned release of timm, downloaded once as a wheel and unpacked."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

NAME, VERSION = "timm", "1.0.31"
LONG_FILE = "timm/models/vision_transformer.py"


def fetched(cache: Path) -> Path:
    """The folder with the unpacked package."""
    folder = cache / f"{NAME}-{VERSION}"
    if not (folder / LONG_FILE).is_file():
        downloads = cache / "downloads"
        command = ["download", "--quiet", "--no-deps", "--dest", str(downloads), f"{NAME}=={VERSION}"]
        subprocess.run([sys.executable, "-m", "pip", *command], check=True)
        wheel = next(downloads.glob(f"{NAME}-{VERSION}-*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder
