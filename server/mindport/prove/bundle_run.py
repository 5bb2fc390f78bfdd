"""Runs a bundle of `mindport prove --bundle` and writes what it saw into one file, to be brought back.

    python run.py [--output FILE] [--hours N] [--jobs N]

It needs Python and MindSpore, nothing else. It can be stopped and started again, and goes on where it was; each sample
has a process's time, and one that crashes costs its example."""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mindport.prove.workers import CannotRun, Outcome, Worker, run_all  # noqa: E402

KEPT = "results.jsonl"
_VERSION_FILES = ("/usr/local/Ascend/driver/version.info", "/usr/local/Ascend/firmware/version.info")
_CANN = ("/usr/local/Ascend/ascend-toolkit/latest", "/usr/local/Ascend/cann", "/usr/local/Ascend/latest")


def main() -> int:
    """0 where all was run, 1 where something is left, 2 where nothing can be run here."""
    options = _options()
    manifest = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))
    text = (HERE / "tasks.jsonl").read_text(encoding="utf-8")
    if hashlib.sha256(text.encode()).hexdigest() != manifest["tasks"]:
        _tell("the tasks are not those that the bundle was made with: copy it again")
        return 2
    tasks = [json.loads(line) for line in text.splitlines()]
    kept = _kept()
    left = [task for task in tasks if task["digest"] not in kept]
    _tell(f"{len(tasks) - len(left)} of {len(tasks)} examples were run before")
    try:
        versions = _run(left, manifest, options, kept)
    except CannotRun as error:
        _tell(str(error))
        return 2
    rows = [kept[task["digest"]] for task in tasks if task["digest"] in kept]
    if not rows:
        _tell("nothing was run")
        return 2
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    content = {
        "bundle": manifest,
        "versions": versions,
        "machine": {"device": manifest["device"], **machine(manifest["device"])},
        "rows": rows,
        "digest": hashlib.sha256(text.encode()).hexdigest(),
    }
    Path(options.output).write_text(json.dumps(content) + "\n", encoding="utf-8")
    failed = sum(one["status"] in ("crashed", "failed", "differ") for row in rows for one in row["outcomes"])
    _tell(
        f"{len(rows)} of {len(tasks)} examples, {failed} samples that do not agree; written to {options.output}"
    )
    return 0 if len(rows) == len(tasks) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", default=str(Path.cwd() / "mindport-results.json"), metavar="FILE")
    parser.add_argument(
        "--hours", type=float, default=0.0, help="stop after so long (default: when all is run)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (default: 1)")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each sample (default: 120)")
    return parser.parse_args()


def _run(
    tasks: list[dict[str, Any]],
    manifest: dict[str, Any],
    options: argparse.Namespace,
    kept: dict[str, dict[str, Any]],
) -> dict[str, str]:
    """Run what is left, adding to `kept`; the versions that ran."""
    # The device is tried even where nothing is left: what was run before may have been copied from elsewhere.
    first = Worker(Path(sys.executable), manifest["device"], "mindspore")
    versions = dict(first.versions)
    first.stop()
    if not versions["mindspore"].startswith(manifest["mindspore"]):
        raise CannotRun(f"this bundle is for MindSpore {manifest['mindspore']}, not {versions['mindspore']}")
    end = time.monotonic() + 3600 * options.hours if options.hours > 0 else float("inf")
    begun = time.monotonic()
    with (HERE / KEPT).open("a", encoding="utf-8") as file:

        def keep(task: dict[str, Any], outcomes: list[Outcome]) -> None:
            row = {"api": task["api"], "digest": task["digest"], "outcomes": outcomes}
            kept[task["digest"]] = row
            file.write(json.dumps(row) + "\n")
            file.flush()
            if len(kept) % 50 == 0:
                _tell(f"{len(kept)} examples, {time.monotonic() - begun:.0f} s")

        batch = max(1, options.jobs) * 20
        for start in range(0, len(tasks), batch):
            if time.monotonic() >= end:
                break
            chosen = tasks[start : start + batch]
            run_all(
                [task["requests"] for task in chosen],
                functools.partial(_keep_from, keep, chosen),
                lambda: Worker(Path(sys.executable), manifest["device"], "mindspore"),
                options.jobs,
                options.seconds,
                is_repeated=manifest["mode"] != "graph",
            )
    return versions


def _keep_from(
    keep: Callable[[dict[str, Any], list[Outcome]], None],
    tasks: list[dict[str, Any]],
    index: int,
    outcomes: list[Outcome],
    versions: dict[str, str],
) -> None:
    keep(tasks[index], outcomes)


def _kept() -> dict[str, dict[str, Any]]:
    """The rows of earlier runs, by digest; a line that was cut is left out."""
    found = {}
    path = HERE / KEPT
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        found[row["digest"]] = row
    return found


def machine(device: str) -> dict[str, str]:
    """What can be asked of the machine: the chip, its driver and CANN or CUDA; empty where it does not tell."""
    found = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    if device == "Ascend":
        for name in _VERSION_FILES:
            found[Path(name).parent.name] = _version_in(Path(name))
        found["cann"] = next(
            (version for folder in _CANN for path in _infos(Path(folder)) if (version := _version_in(path))),
            "",
        )
        found["chip"] = _first(r"\b(9\d\d\w*|310\w*)\b", _output("npu-smi", "info"))
    if device == "GPU":
        shown = _output("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
        found["chip"] = shown.splitlines()[0] if shown else ""
    return {key: value for key, value in found.items() if value}


def _tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _infos(folder: Path) -> list[Path]:
    return sorted(
        [*folder.glob("version.cfg"), *folder.glob("*/version.info"), *folder.glob("*/ascend_*install.info")]
    )


def _version_in(path: Path) -> str:
    try:
        return _first(r"(?im)^version\s*=\s*\[?([\w.]+)", path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


if __name__ == "__main__":
    sys.exit(main())
