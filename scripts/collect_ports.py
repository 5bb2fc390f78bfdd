#!/usr/bin/env python3
"""Collects which models exist for MindSpore already, from the folders of the repositories that hold them.

    scripts/collect_ports.py [--checkout OWNER/NAME=GIT_DIRECTORY ...]

Each repository is cloned without files where no checkout is given. What is written to mappings/_ports/ports.json are
facts only: the name of a model family, the repository, the path, and the commit it was read from."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "mappings" / "_ports" / "ports.json"

# Repository, revision, and the folders whose entries are model families; `*.py` for files, `/` for folders.
SOURCES = (
    ("mindspore-lab/mindcv", "HEAD", ("mindcv/models/*.py", "examples/seg/", "examples/det/")),
    ("mindspore-lab/mindyolo", "HEAD", ("mindyolo/models/*.py",)),
    ("mindspore-lab/mindformers", "HEAD", ("mindformers/models/", "research/")),
    ("mindspore-lab/mindnlp", "v0.4.1", ("mindnlp/transformers/models/",)),
    ("mindspore-lab/mindone", "HEAD", ("mindone/transformers/models/", "mindone/diffusers/pipelines/", "examples/")),
    ("mindspore-lab/mindocr", "HEAD", ("configs/det/", "configs/rec/")),
    ("mindspore-lab/mindrl", "HEAD", ("mindspore_rl/algorithm/",)),
    ("mindspore-lab/mindaudio", "HEAD", ("examples/",)),
    ("mindspore-lab/mindpose", "HEAD", ("configs/",)),
    (
        "mindspore-lab/mindediting",
        "HEAD",
        tuple(
            f"mindediting/models/{task}/*.py"
            for task in ("image_deblur", "image_denoise", "image_super_resolution", "video_super_resolution")
        ),
    ),
    (
        "mindspore-ai/models",
        "HEAD",
        tuple(
            f"{kind}/{field}/"
            for kind in ("official", "research")
            for field in ("audio", "cv", "gnn", "nlp", "recommend", "rl")
        ),
    ),
)  # fmt: skip
# Parts that are no family of models.
_PARTS = re.compile(
    r"^(_.*|features?|helpers|utils?|registry|layers|heads|losses|model_factory|initializer|auto|common|data|clip_utils"
    r"|finetune|config|docs|images|test.*|deprecated|multi_modal|llm_boost|user|user_friendly.*)$"
)


def main() -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", action="append", default=[], metavar="OWNER/NAME=GIT_DIRECTORY")
    arguments = parser.parse_args()
    checkouts = dict(item.split("=", 1) for item in arguments.checkout)
    rows: list[dict[str, str]] = []
    before = json.loads(OUTPUT.read_text(encoding="utf-8"))["ports"] if OUTPUT.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        for repository, revision, patterns in SOURCES:
            git_directory = checkouts.get(repository) or _clone(repository, Path(folder))
            found = list(_families(repository, revision, patterns, git_directory)) if git_directory else []
            # What cannot be had this time stays as it was.
            rows += found or [row for row in before if row["repository"] == repository]
            print(f"{repository}: {len(found)} families")
    rows.sort(key=lambda row: (row["repository"], row["path"]))
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    OUTPUT.write_text(f'{{"ports": [\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{len(rows)} in {OUTPUT.relative_to(ROOT)}")
    return 0


def _clone(repository: str, folder: Path) -> str:
    target = folder / repository.replace("/", "+")
    command = [
        "git",
        "clone",
        "--quiet",
        "--bare",
        "--filter=blob:none",
        f"https://github.com/{repository}",
        str(target),
    ]
    return str(target) if subprocess.run(command, check=False, timeout=600).returncode == 0 else ""


def _families(repository: str, revision: str, patterns: tuple[str, ...], git_directory: str):  # type: ignore[no-untyped-def]
    commit = _git(git_directory, "rev-parse", f"{revision}^{{commit}}")
    if not commit:
        return
    for pattern in patterns:
        folder = pattern.rpartition("/")[0] + "/"
        wants_files = pattern.endswith("*.py")
        for line in _git(git_directory, "ls-tree", revision, folder).splitlines():
            kind, path = line.split(None, 3)[1], line.split("\t", 1)[1]
            name = path.rpartition("/")[2]
            if wants_files != (kind == "blob" and name.endswith(".py")):
                continue
            family = name.removesuffix(".py")
            if not _PARTS.match(family) and (wants_files or kind == "tree"):
                yield {"family": family, "repository": repository, "path": path, "commit": commit.strip()}


def _git(git_directory: str, *arguments: str) -> str:
    command = ["git", "-C", git_directory, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60).stdout


if __name__ == "__main__":
    raise SystemExit(main())
