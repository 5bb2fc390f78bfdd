"""Makes the copy of a program that is run: the files of the pinned commit, its patches, and the driver."""

from __future__ import annotations

import ast
import fnmatch
import hashlib
import shutil
import subprocess
from pathlib import Path

import msgspec

from program_bench.case import Case, CaseError

DRIVER = "driver.py"


class PassedOverError(Exception):
    """The repository, or the commit, is not among the stored ones; the message says which."""


class Copy(msgspec.Struct, frozen=True):
    """A program in a folder: `files` are the repository's, to which the driver comes."""

    folder: Path
    files: tuple[str, ...]

    @property
    def modules(self) -> tuple[str, ...]:
        """The names under which the repository's Python files are imported."""
        python = [name for name in self.files if name.endswith(".py")]
        return tuple(
            name.removesuffix(".py").replace("/", ".") for name in python if not name.endswith("__init__.py")
        )

    @property
    def to_convert(self) -> tuple[str, ...]:
        """All files with code, the driver among them."""
        return (*(name for name in self.files if name.endswith((".py", ".ipynb"))), DRIVER)

    def digest(self) -> str:
        """Of all contents."""
        everything = hashlib.sha256()
        for name in (*self.files, DRIVER):
            everything.update(name.encode() + b"\0" + (self.folder / name).read_bytes() + b"\0")
        return everything.hexdigest()


def make_copy(case: Case, repositories: Path | None, folder: Path) -> Copy:
    """Empty `folder` and lay the program out in it. Raises PassedOverError, and CaseError where what the case says
    is not in the commit."""
    contents = _own_files(case) if case.is_own else _repository_files(case, repositories)
    if DRIVER in contents:
        raise CaseError(f"{case.id}: the repository has a {DRIVER} of its own")
    for patch in case.description.patch:
        if patch.old.encode() not in contents.get(patch.file, b""):
            raise CaseError(f"{case.id}: {patch.file} has no {patch.old!r} to patch")
        contents[patch.file] = contents[patch.file].replace(patch.old.encode(), patch.new.encode())
    shutil.rmtree(folder, ignore_errors=True)
    contents[DRIVER] = with_main((case.folder / DRIVER).read_text(encoding="utf-8")).encode()
    for name, content in contents.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return Copy(folder, tuple(name for name in contents if name != DRIVER))


def with_main(driver: str) -> str:
    """The driver with a main block that calls its stages. Every program that people run has such calls, and they say
    what its functions are given; that the bench calls the stages from outside must not hide it."""
    stages = {node.name: node for node in ast.parse(driver).body if isinstance(node, ast.FunctionDef)}
    if "build" not in stages or "forward" not in stages:
        return driver
    parameters = stages["forward"].args
    nets = ", ".join(one.arg for one in parameters.args)
    given = f"*{parameters.vararg.arg}" if parameters.vararg else nets
    calls = [f"print({name}({given}))" for name in ("forward", "train") if name in stages]
    lines = ['if __name__ == "__main__":', f"{given.lstrip('*')} = build()", *calls]
    return driver.rstrip("\n") + "\n\n\n" + "\n    ".join(lines) + "\n"


def _own_files(case: Case) -> dict[str, bytes]:
    files = sorted(path for path in case.folder.rglob("*.py") if path.name != DRIVER)
    return {path.relative_to(case.folder).as_posix(): path.read_bytes() for path in files}


def _repository_files(case: Case, repositories: Path | None) -> dict[str, bytes]:
    said = case.description
    git = _git(said.repository, repositories)
    if subprocess.run([*git, "cat-file", "-e", f"{said.commit}^{{commit}}"], capture_output=True).returncode:
        raise PassedOverError(f"{said.repository} has no commit {said.commit} here")
    listed = _output([*git, "ls-tree", "-r", "--name-only", "-z", said.commit]).decode().split("\0")
    names = [name for name in listed if any(fnmatch.fnmatchcase(name, glob) for glob in said.files)]
    for glob in said.files:
        if not fnmatch.filter(names, glob):
            raise CaseError(f"{case.id}: files: nothing in the commit is called {glob!r}")
    place = said.cloned_as and f"{said.cloned_as}/"
    return {place + name: _output([*git, "show", f"{said.commit}:{name}"]) for name in names}


def _git(repository: str, repositories: Path | None) -> list[str]:
    if repositories is None:
        raise PassedOverError("no folder of repositories was given")
    stored = repositories / repository.replace("/", "+") / "repo"
    git = git_command(stored)
    if git is None:
        raise PassedOverError(f"{repository} is not in {repositories}")
    return git


def git_command(stored: Path) -> list[str] | None:
    """The beginning of commands for a stored repository, bare or with a work tree; None where there is none."""
    for folder in (stored / ".git", stored):
        if (folder / "HEAD").is_file():
            return ["git", f"--git-dir={folder}"]
    return None


def _output(command: list[str]) -> bytes:
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise CaseError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
