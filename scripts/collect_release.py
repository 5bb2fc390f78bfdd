"""Takes a release of MindSpore in: installs it in an environment of its own, collects what it offers, its kernels and
its bprops, runs the catalogue with it, writes the pages that follow from that, and prints what changed for users
against the release before. No mapping is touched. After a stop it goes on where it was."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from collect_mindspore_facts import FACTS, collect_with
from framework_facts.environment import throw_away_environment
from framework_facts.release_differences import since_the_one_before
from framework_facts.versions import collected
from mindport.model.target import Version
from prove_versions import beside

REPOSITORY = Path(__file__).resolve().parent.parent
SCRIPTS = REPOSITORY / "scripts"
_BESIDE = ("msgspec",)  # what the scripts need that read a registry with the release's own interpreter
_SILENT = {"GLOG_v": "4"}  # MindSpore's warnings say nothing here


def main() -> int:
    """1 where the release could not be installed, read or run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="such as 2.11.0")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the environment there and use it next time"
    )
    parser.add_argument(
        "--interpreter", type=Path, metavar="PATH", help="a Python that has the release, torch and msgspec"
    )
    parser.add_argument("--again", action="store_true", help="collect again what was collected before")
    parser.add_argument("--jobs", default="2", help="processes that run the catalogue")
    parser.add_argument("--most", default="0", metavar="N", help="run only the N most used names that wait")
    options = parser.parse_args()
    try:
        if options.interpreter:
            _take_in(options.version, options.interpreter.absolute(), options)
        else:
            folder = options.keep.resolve() / f"mindspore-{options.version}" if options.keep else None
            packages = [f"mindspore=={options.version}", *beside(), *_BESIDE]
            with throw_away_environment(packages, folder) as interpreter:
                _take_in(options.version, interpreter, options)
    except subprocess.CalledProcessError as error:
        print(f"stopped: {error}", file=sys.stderr)
        return 1
    print(since_the_one_before(Version.parse(options.version)))
    return 0


def _take_in(version: str, interpreter: Path, options: argparse.Namespace) -> None:
    """Collect what is not collected yet, then run what has no evidence."""
    if options.again or version not in collected(FACTS, "mindspore"):
        print(f"{collect_with(interpreter).name}: names, signatures, devices, calls on CPU")
    for script, folder in (("collect_kernels.py", "kernels"), ("collect_bprops.py", "second_order")):
        if options.again or version not in collected(FACTS / folder, "mindspore"):
            _theirs(interpreter, SCRIPTS / script)
    _ours(
        *("prove_versions.py", version, "--interpreter", str(interpreter)),
        *("--jobs", options.jobs, "--most", options.most),
    )
    _ours("build_docs.py")


def _theirs(interpreter: Path, script: Path) -> None:
    """Run a script with the release's interpreter. Raises CalledProcessError."""
    environment = {**os.environ, **_SILENT, "PYTHONPATH": str(REPOSITORY / "server")}
    with TemporaryDirectory() as work:  # MindSpore leaves files where it runs
        subprocess.run([interpreter, script], check=True, env=environment, cwd=work)


def _ours(script: str, *arguments: str) -> None:
    """Run a script that sees what was collected until now. Raises CalledProcessError."""
    command: Sequence[str | Path] = [sys.executable, SCRIPTS / script, *arguments]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
