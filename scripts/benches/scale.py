"""What a company asks of a check: processor time and memory of a cold run against a bare `ast.parse` of the same files,
two processes against one, a warm run of many files, and other tools for code that uses torch on the same tree, in
environments of their own. Processor time counts where others work on the machine, too; wall time stands beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benches.batch import PARSE
from benches.corpus import LARGE, TIMM, Package, fetched
from benches.measure import Cost, cost_of, medians
from benches.monorepo import write_monorepo

KORNIA = Package("kornia", "0.9.0", "kornia/filters/kernels.py")
FILES = 6_400
_LINES_OF_FILE = 300  # of the monorepo that nobody wrote, more than most have
_CHANGED = 10
_CHECK = (sys.executable, "-m", "mindport", "check", ".", "--output-format", "concise")
_TARGET = ("--device", "CPU", "--target-version", "2.10")
_ALONE = ("--no-cache", "--jobs", "1")


class Peer(msgspec.Struct, frozen=True):
    """Another tool: what pip installs, and what it is started with on the folder `in`."""

    name: str
    requirement: str
    command: tuple[str, ...]


PEERS = (
    Peer("PaConvert", "paconvert==3.3.1", ("paconvert", "--in_dir", "in", "--out_dir", "out")),
    Peer("torchfix", "torchfix==0.7.0", ("torchfix", "--select=ALL", "in")),
)


def run(cache: Path, repeats: int, names: Sequence[str] = (), files: int = FILES) -> list[str]:
    """The figures, as lines of text. `names` are packages instead of all, `files` is the size of the warm run."""
    wanted = [package for package in (TIMM, KORNIA, LARGE) if not names or package.name in names]
    small = [package for package in wanted if package is not LARGE]
    lines: list[str] = []
    with tempfile.TemporaryDirectory(prefix="mindport-scale-") as work:
        for packages in [small, [LARGE] if LARGE in wanted else []]:
            if packages:
                tree = Path(work, "-".join(package.name for package in packages))
                for package in packages:
                    shutil.copytree(fetched(cache, package) / package.name, tree / package.name)
                lines += _cold(tree, repeats)
        if small:
            lines += _beside_peers(tree=Path(work, "-".join(one.name for one in small)), cache=cache)
        if files:
            lines += _warm(Path(work, "monorepo"), files, repeats)
    return lines


def _cold(tree: Path, repeats: int) -> list[str]:
    measured = medians(
        {
            "ast.parse": lambda: cost_of([sys.executable, "-c", PARSE, "."], tree),
            "check, one process": lambda: cost_of([*_CHECK, *_TARGET, *_ALONE], tree),
            "check, two processes": lambda: cost_of([*_CHECK, *_TARGET, "--no-cache", "--jobs", "2"], tree),
        },
        repeats,
    )
    return [f"{tree.name}: {_size(tree)}, median of {repeats}", *_table(measured, "ast.parse")]


def _beside_peers(tree: Path, cache: Path) -> list[str]:
    measured = {"mindport, cold": cost_of([*_CHECK, *_TARGET, *_ALONE], tree)}
    for peer in PEERS:
        environment = cache / "peers" / peer.requirement
        if not (environment / "bin" / peer.command[0]).exists():
            venv.create(environment, with_pip=True, clear=True)
            install = [environment / "bin" / "pip", "install", "--quiet", peer.requirement]
            subprocess.run(install, check=True)
        with tempfile.TemporaryDirectory(prefix="mindport-peer-") as work:
            shutil.copytree(tree, Path(work, "in"))
            command = [str(environment / "bin" / peer.command[0]), *peer.command[1:]]
            measured[peer.requirement] = cost_of(command, Path(work))
    return [f"{tree.name}: beside other tools, once", *_table(measured, "mindport, cold")]


def _warm(tree: Path, files: int, repeats: int) -> list[str]:
    write_monorepo(tree, files * _LINES_OF_FILE)
    paths = sorted(tree.rglob("*.py"))
    for path in paths[files:]:
        path.unlink()
    check = [*_CHECK, *_TARGET]
    cold = cost_of(check, tree)
    texts = {path: path.read_text() for path in paths[: files : max(1, files // _CHANGED)]}

    def changed() -> Cost:
        for number, (path, text) in enumerate(texts.items()):
            path.write_text(f"{text}\n# {number} {path.stat().st_mtime_ns}\n")
        return cost_of(check, tree)

    measures: dict[str, Callable[[], Cost]] = {
        "nothing changed": lambda: cost_of(check, tree),
        f"{len(texts)} files changed": changed,
    }
    # The second measure leaves what it found, so the first finds nothing changed each time.
    return [
        f"monorepo: {_size(tree)}, warm, median of {repeats}",
        *_table({"cold, with its results kept": cold, **medians(measures, repeats)}),
    ]


def _size(tree: Path) -> str:
    files = sorted(tree.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    return f"{len(files):,} files, {lines:,} lines"


def _table(measured: dict[str, Cost], base: str = "") -> list[str]:
    lines = []
    for name, cost in measured.items():
        ratio = f"{cost.processor / measured[base].processor:6.2f} x {base}" if base else ""
        use = f"{cost.processor:7.2f} s of a processor {cost.megabytes:6.0f} MB"
        lines.append(f"  {name:28} {use}  {ratio}  (wall {cost.wall:.2f} s)")
    return lines
