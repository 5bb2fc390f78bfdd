"""`mindport doctor`: whether mindport itself is well where it is installed, and what it sees here."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import click
import msgspec
from packaging.requirements import Requirement

from mindport import __version__
from mindport.checking.baseline import BASELINE_FILE, read_baseline
from mindport.checking.project import check_paths
from mindport.checking.project_evidence import evidence_files, mapping_files_of, project_index
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED
from mindport.cli.output import write, write_data
from mindport.config.load import LoadedSettings, load_settings
from mindport.config.problem import ConfigurationError
from mindport.config.programs import program_on_path
from mindport.config.settings import Settings
from mindport.config.target import resolve_target
from mindport.explain.target_words import target_words
from mindport.mapping.index import load_index
from mindport.model.language import say
from mindport.model.target import Device, Target, Version
from mindport.registry.data_version import data_version
from mindport.report.json_text import json_text
from mindport.report.text import number_of
from mindport.report.visible import visible
from mindport.source.text import SourceText

_SERVER_SECONDS = 30.0
_SAMPLE = "import torch.nn as nn\n\nlayer = nn.LeakyReLU()\nother = nn.LeakyReLU(0.1)\n"
_SAMPLE_TARGET = Target(Version(2, 10, 0), Device.CPU)


class Examined(msgspec.Struct, frozen=True):
    """One thing that was looked at: what was seen of it, and whether mindport works with that."""

    name: str
    seen: str
    is_well: bool = True


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write one object for programs.")
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def doctor(as_json: bool, config_file: str | None) -> int:
    """Look whether mindport itself is well: versions, data, settings, results that are kept, and the server.

    Nothing of the project is run or changed. The exit code is 2 where something is wrong."""
    examined = list(_examined(config_file))
    if as_json:
        write_data(json_text({"version": __version__, "examined": examined}))
    else:
        width = max(len(one.name) for one in examined)
        for one in examined:
            mark = "ok" if one.is_well else "BAD"
            write(f"{mark:4} {one.name:{width}}  {visible(one.seen)}\n")
    return 0 if all(one.is_well for one in examined) else EXIT_FAILED


def _examined(config_file: str | None) -> Iterator[Examined]:
    yield Examined("mindport", f"{__version__}, {data_version()}, {Path(__file__).parent.parent}")
    system = f"{platform.system()} {platform.machine()}"
    yield Examined(
        "Python", f"{platform.python_version()}, {system}, {sys.executable}", sys.version_info >= (3, 10)
    )
    yield from _packages()
    yield _tried("catalogue", _catalogue)
    yield _tried("self-check", _self_check)
    try:
        loaded = load_settings(".", {}, config_file=config_file, language=terminal_language())
    except ConfigurationError as error:
        yield Examined("settings", "; ".join(error.problems), False)
        loaded = LoadedSettings(Settings(), str(Path.cwd()), "")
    else:
        speak_as(loaded.settings)
        yield Examined("settings", loaded.source or say("none; the defaults"))
    yield _tried("target", lambda: _target(loaded))
    yield _tried("mappings", lambda: _mappings(loaded))
    yield _tried("baseline", lambda: _baseline(loaded))
    yield _tried("results", lambda: _results(loaded))
    yield Examined(
        "git", program_on_path("git", os.environ) or say("none: no --since, and no file counts as changed")
    )
    yield _tried("server", _server)


def _tried(name: str, look: Callable[[], str]) -> Examined:
    try:
        return Examined(name, look())
    except ConfigurationError as error:
        return Examined(name, "; ".join(error.problems), False)
    except Exception as error:  # noqa: BLE001  whatever is wrong is what was asked for
        return Examined(name, f"{type(error).__name__}: {error}", False)


def _packages() -> Iterator[Examined]:
    """What mindport needs, each with its version."""
    try:
        needed = [Requirement(line) for line in requires("mindport") or ()]
    except PackageNotFoundError:
        yield Examined("packages", say("mindport is run from its source; what it needs cannot be told"))
        return
    seen, wrong = [], []
    for one in needed:
        if one.marker is not None and not one.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(one.name)
        except PackageNotFoundError:
            wrong.append(say("{name} is missing", name=one.name))
            continue
        seen.append(f"{one.name} {found}")
        if not one.specifier.contains(found, prereleases=True):
            wrong.append(
                say("{name} {found} is not {wanted}", name=one.name, found=found, wanted=one.specifier)
            )
    yield Examined("packages", "; ".join(wrong) if wrong else ", ".join(seen), not wrong)


def _catalogue() -> str:
    index = load_index()
    if index.problems:
        raise ConfigurationError([str(one) for one in index.problems[:3]])
    return say("{names} names of torch", names=sum(1 for _ in index.names()))


def _self_check() -> str:
    """Judge a sample that silently changes, and one that does not."""
    here = Path(__file__).parent  # where nothing of the project lies
    name = str(here / "sample.py")
    source = {name: SourceText(name, _SAMPLE)}
    [report] = check_paths([name], Settings(jobs=1), _SAMPLE_TARGET, str(here), False, source)
    found = [(one.rule, one.span.line) for one in report.findings if one.api == "torch.nn.LeakyReLU"]
    if found != [("MP101", 3), ("MP110", 4)]:
        raise ConfigurationError(
            [say("the sample is judged otherwise than it should be: {found}", found=found)]
        )
    return say("a sample is judged as it should be")


def _target(loaded: LoadedSettings) -> str:
    target, reasons = resolve_target(loaded.settings, loaded.root)
    return f"{target_words(target)} ({say('; ').join(reasons)})"


def _mappings(loaded: LoadedSettings) -> str:
    project_index(loaded.settings, loaded.root)
    own, evidence = (
        mapping_files_of(loaded.settings, loaded.root),
        evidence_files(loaded.settings, loaded.root),
    )
    return say("{own} of the project, {evidence} of evidence", own=_files(own), evidence=_files(evidence))


def _files(paths: Sequence[Path]) -> str:
    return number_of(len(paths), "file")


def _baseline(loaded: LoadedSettings) -> str:
    path = Path(loaded.root, BASELINE_FILE)
    if not path.is_file():
        return say("none")
    return say("{count} accepted, {file}", count=read_baseline(path.read_bytes(), str(path)).count, file=path)


def _results(loaded: LoadedSettings) -> str:
    """The folder of kept results. It need not be there, and a run works without it."""
    folder = Path(loaded.root, loaded.settings.cache_dir)
    if not folder.exists():
        return say("none kept in {folder}", folder=folder)
    size = sum(one.stat().st_size for one in folder.iterdir() if one.is_file())
    if not os.access(folder, os.W_OK):
        return say("{folder} cannot be written, so every run begins anew", folder=folder)
    return f"{folder}, {size / 1e6:.1f} MB"


def _server() -> str:
    """Start the language server as an editor does, and end it again."""
    began = time.monotonic()
    content: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [msgspec.json.encode({"jsonrpc": "2.0", **one}) for one in content]
    data = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    # -I: nothing that lies in the current folder is taken for a module of ours.
    done = subprocess.run(
        [sys.executable, "-I", "-m", "mindport", "server"],
        input=data,
        capture_output=True,
        timeout=_SERVER_SECONDS,
        check=False,
    )
    if b'"capabilities"' not in done.stdout:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise ConfigurationError([say("does not answer: {reason}", reason="".join(last) or done.returncode)])
    return say("answers after {seconds} s", seconds=f"{time.monotonic() - began:.1f}")
