"""Which data this mindport has: the frameworks whose facts were collected, and the day of the newest run of both. Read
from the names of files, because `mindport --version` must not take longer than a start."""

from __future__ import annotations

from pathlib import Path

from mindport.registry.location import evidence_folder, frameworks_folder

LAST_RUN = "last_run.txt"  # in the folder of the evidence; scripts write it with each row that changes


def data_version() -> str:
    """`torch 2.13.0, MindSpore 2.10.0, evidence of 2026-11-27`."""
    found = [f"{shown} {_newest(name)}" for name, shown in (("torch", "torch"), ("mindspore", "MindSpore"))]
    if day := evidence_day(evidence_folder()):
        found.append(f"evidence of {day}")
    return ", ".join(found)


def evidence_day(folder: Path) -> str:
    """The day of the newest run, as 2026-11-27; empty where it is not known."""
    try:
        return (folder / LAST_RUN).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _newest(package: str) -> str:
    versions = [path.stem.partition("-")[2] for path in frameworks_folder().glob(f"{package}-*.json")]
    return max(versions, key=lambda text: [int(part) for part in text.split(".")], default="unknown")
