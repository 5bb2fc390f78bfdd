#!/usr/bin/env python3
"""Compares the checklists of real projects with what people found when they read the same code.

    scripts/check_checklists.py [FILE ...] [--checkout OWNER/NAME=FOLDER_OR_GIT_DIRECTORY ...]
    scripts/check_checklists.py --draft OWNER/NAME COMMIT FILE [--checkout ...]

Every file of tests/report/checked/ names a repository, a commit, each entry of its checklist with whether it is right,
and what a reader finds that the checklist lacks; `first_sight` is how many were right before anybody had adapted
the rules to the project. An entry that is reported and has not been judged fails the run, as
does a share of right entries below 90 %. `--draft` writes a file in which every entry is still to be judged."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ruamel.yaml import YAML

from mindport.source.discovery import discover
from mindport.source.documents import read_documents
from mindport.usage.project import Project
from mindport.usage.recipe.entry import Entry
from mindport.usage.recipe.find import find_recipe

ROOT = Path(__file__).resolve().parent.parent
CHECKED = ROOT / "tests" / "report" / "checked"
LEAST_SHARE = 0.9


def main() -> int:
    """Print a line for each project; 1 where one is below the share or has entries that nobody judged."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--checkout", action="append", default=[], metavar="OWNER/NAME=PATH")
    parser.add_argument("--draft", nargs=3, metavar=("OWNER/NAME", "COMMIT", "FILE"))
    arguments = parser.parse_args()
    checkouts = dict(item.split("=", 1) for item in arguments.checkout)
    yaml = YAML()
    yaml.width = 200
    if arguments.draft:
        repository, commit, file = arguments.draft
        rows = [
            {"topic": topic, "entry": text, "right": None}
            for topic, text in reported(repository, commit, checkouts)
        ]
        yaml.dump({"repository": repository, "commit": commit, "entries": rows, "missing": []}, Path(file))
        return 0
    failed = False
    for file in arguments.files or sorted(CHECKED.glob("*.yaml")):
        known = yaml.load(file)
        failed |= not compared(file, known, list(reported(known["repository"], known["commit"], checkouts)))
    return int(failed)


def compared(file: Path, known: dict[str, object], found: list[tuple[str, str]]) -> bool:
    """Print how a checklist compares; whether it is good enough."""
    judged = {(row["topic"], row["entry"]): row["right"] for row in known["entries"]}  # type: ignore[attr-defined]
    new = [row for row in found if judged.get(row) is None]
    right = sum(judged.get(row) is True for row in found)
    wrong = sum(judged.get(row) is False for row in found)
    lost = [row for row, is_right in judged.items() if is_right and row not in found]
    share = right / len(found) if found else 0.0
    missing = len(known["missing"])  # type: ignore[arg-type]
    first = known.get("first_sight")
    at_first = f" (at first sight {first['right']} of {first['entries']})" if isinstance(first, dict) else ""
    print(
        f"{file.stem}: {len(found)} entries, {right} right ({100 * share:.0f} %){at_first}, {wrong} wrong, "
        f"{len(new)} not judged, {len(lost)} lost, {missing} that a reader finds besides"
    )
    for title, rows in (("not judged", new), ("lost", lost)):
        for topic, text in rows:
            print(f"  {title}: {topic}: {text}")
    return not new and not lost and share >= LEAST_SHARE


def reported(repository: str, commit: str, checkouts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Topic and text of every entry."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = files_of(repository, commit, checkouts.get(repository, ""), Path(temporary))
        for entry in entries_of(folder):
            yield entry.topic.value, line_of(entry)


def entries_of(folder: Path) -> tuple[Entry, ...]:
    """The checklist of the project in a folder."""
    discovery = discover([str(folder)], root=folder)
    project = Project(str(folder))
    texts = {
        path: Path(path).read_text(encoding="utf-8", errors="replace") for path in discovery.python_files
    }
    for path, text in texts.items():
        project.add(path, text)
    python = {relative(path, folder): (text, project.usage(path)) for path, text in texts.items()}
    configs = {
        relative(path, folder): Path(path).read_text(encoding="utf-8", errors="replace")
        for path in discovery.config_files
    }
    return find_recipe(python, configs, read_documents(folder)).entries


def relative(path: str, folder: Path) -> str:
    """A path as the checklist shows it."""
    return Path(path).relative_to(folder).as_posix()


def line_of(entry: Entry) -> str:
    """An entry in one line; a question mark follows what only a run knows."""
    values = "".join(
        f"; {one.name} {one.value}{'' if one.is_known else '?'}"
        f"{f' ({one.place})' if one.place and one.place != entry.place else ''}"
        for one in entry.details
    )
    return f"{entry.what} ({entry.place}){values}"


def files_of(repository: str, commit: str, checkout: str, temporary: Path) -> Path:
    """A folder with the files of a commit: those of a given checkout, or fetched."""
    source = Path(checkout) if checkout else temporary / "clone.git"
    if not checkout:
        subprocess.run(["git", "init", "--quiet", "--bare", source], check=True, timeout=60)
        url = f"https://github.com/{repository}"
        fetch = ["git", "-C", source, "fetch", "--quiet", "--depth", "1", url, commit]
        subprocess.run(fetch, check=True, timeout=600)
    # Some snapshots lack large binary files, so only what is read is taken.
    listed = subprocess.run(
        ["git", "-C", source, "ls-tree", "-r", "--name-only", "-z", commit],
        check=True,
        capture_output=True,
        timeout=60,
    )
    names = [name for name in listed.stdout.decode().split("\0") if is_read(name)]
    folder = temporary / repository.rpartition("/")[2]
    folder.mkdir()
    archive = subprocess.run(
        ["git", "-C", source, "archive", commit, "--", *names], check=True, capture_output=True, timeout=60
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True, timeout=60)
    return folder


def is_read(name: str) -> bool:
    """Whether the checklist may read a file."""
    base = name.rpartition("/")[2]
    return base.endswith(
        (".py", ".yaml", ".yml", ".json", ".md", ".txt", ".toml", ".cfg")
    ) or base.startswith("LICEN")


if __name__ == "__main__":
    sys.exit(main())
