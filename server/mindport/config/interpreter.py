"""The MindSpore that is installed where the project runs, found by looking at folders; no interpreter is
started."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from mindport.config.load import LoadedSettings
from mindport.config.programs import program_on_path
from mindport.config.regular_file import read_regular
from mindport.model.target import Version

_METADATA = re.compile(r"mindspore(_gpu|_ascend|_cpu|_dev)?-([^-]+)\.dist-info", re.IGNORECASE)
# What comes and goes with an environment and the MindSpore in it, as glob patterns.
ENVIRONMENT_FILES = ("pyvenv.cfg", "site-packages/mindspore*.dist-info/METADATA")
_LIBRARY_FOLDERS = ("lib/python3*/site-packages", "lib64/python3*/site-packages", "Lib/site-packages")
_SYSTEM_FOLDERS = (
    "lib/python3/dist-packages",
    "local/lib/python3*/dist-packages",
    "local/lib/python3*/site-packages",
)


class InstalledMindSpore(msgspec.Struct, frozen=True):
    """An installed MindSpore: its version, the environment's folder, and whether it has a CUDA plugin."""

    version: Version
    place: str
    for_cuda: bool


def installed_mindspore(
    interpreter: str, root: Path, environment: Mapping[str, str]
) -> InstalledMindSpore | None:
    """The MindSpore of the interpreter that the settings name, else of the first environment that has one:
    the active one, the project's own, the one that mindport runs in. A named interpreter is the only place
    looked at."""
    for prefix in _prefixes(interpreter, root, environment):
        for folder in _library_folders(prefix):
            found = _in_folder(folder, prefix)
            if found is not None:
                return found
    return None


def _prefixes(interpreter: str, root: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if interpreter:
        path = _named(interpreter, root, environment)
        # The name as given: a virtual environment's python is a link, and its target knows nothing of it.
        yield path if path.is_dir() else path.parent.parent
        return
    yield from _active(environment)
    yield root / ".venv"
    yield root / "venv"
    yield Path(sys.prefix)


def _active(environment: Mapping[str, str]) -> Iterator[Path]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if environment.get(name):
            yield Path(environment[name])


def _named(interpreter: str, root: Path, environment: Mapping[str, str]) -> Path:
    """The file or folder that a setting names. `python3` is the one on PATH, whatever the project calls so."""
    name = os.path.expanduser(interpreter)  # noqa: PTH111
    if name.startswith(("python", "pypy")) and Path(name).name == name:
        return Path(program_on_path(name, environment) or root / name)
    return root / name


def _library_folders(prefix: Path) -> Iterator[Path]:
    for pattern in _LIBRARY_FOLDERS:
        yield from sorted(prefix.glob(pattern))
    if prefix == Path("/usr"):
        for pattern in _SYSTEM_FOLDERS:
            yield from sorted(prefix.glob(pattern))
    home = _base_of_environment(prefix)
    if home is not None:
        yield from _library_folders(home)


def _base_of_environment(prefix: Path) -> Path | None:
    """The prefix of the interpreter below a virtual environment that shares its packages."""
    try:
        text = read_regular(prefix / "pyvenv.cfg").decode("utf-8", "replace")
    except OSError:
        return None
    values = _values(text)
    if values.get("include-system-site-packages", "").lower() != "true" or not values.get("home"):
        return None
    base = Path(values["home"]).parent
    return base if base != prefix else None


def _values(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines())
    return {key.strip().lower(): value.strip() for key, sign, value in pairs if sign}


def _in_folder(folder: Path, prefix: Path) -> InstalledMindSpore | None:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return None
    for name in names:
        match = _METADATA.fullmatch(name)
        if match is None:
            continue
        try:
            version = Version.parse(match[2])
        except ValueError:
            continue
        plugins = folder / "mindspore" / "lib" / "plugin"
        for_cuda = (match[1] or "").lower() == "_gpu" or any(plugins.glob("*gpu*"))
        return InstalledMindSpore(version, str(prefix), for_cuda)
    return None


class ProjectInterpreter(msgspec.Struct, frozen=True):
    """A Python to run for a project. Who takes a folder from elsewhere has not chosen what lies in it: `is_chosen` says
    that the user has named or activated this one, or runs mindport with it."""

    path: Path
    is_chosen: bool


def project_interpreter(loaded: LoadedSettings, environment: Mapping[str, str]) -> ProjectInterpreter | None:
    """The Python to run for the project: the one that the settings name, else that of the first environment that
    has MindSpore, else of the first that there is. None where there is none."""
    root, setting = Path(loaded.root), loaded.settings.interpreter
    found = _interpreter(setting, root, environment)
    if found is None:
        return None
    is_named = bool(setting) and "interpreter" in loaded.given
    of_user = (python for prefix in (*_active(environment), Path(sys.prefix)) for python in _pythons(prefix))
    return ProjectInterpreter(found, is_named or _place(found) in map(_place, of_user))


def _interpreter(setting: str, root: Path, environment: Mapping[str, str]) -> Path | None:
    if setting:
        named = _named(setting, root, environment)
        if not named.is_dir():
            return named
    prefixes = list(_prefixes(setting, root, environment))
    with_mindspore = [
        prefix
        for prefix in prefixes
        if any(_in_folder(folder, prefix) is not None for folder in _library_folders(prefix))
    ]
    return next((python for prefix in (*with_mindspore, *prefixes) for python in _pythons(prefix)), None)


def _pythons(prefix: Path) -> Iterator[Path]:
    for name in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if (prefix / name).is_file():
            yield prefix / name


def _place(python: Path) -> tuple[str, str]:
    """Where a program lies; not what it is a link to, which says nothing of the environment."""
    return os.path.realpath(python.parent), python.name
