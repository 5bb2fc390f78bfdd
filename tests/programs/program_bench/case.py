"""Programs as they are written down: a folder each, with program.toml and driver.py."""

from __future__ import annotations

import enum
from pathlib import Path

import msgspec

# What says where a drawn program is from.
ORIGIN = ("number", "repository", "commit")


class CaseError(Exception):
    """A case that cannot be used; the message names the file and what is wrong."""


class Half(str, enum.Enum):
    """Whose failures are looked into (open), whose only counted (kept), and what was added after both draws, all of it
    looked into (later); own programs are written for the bench."""

    OPEN = "open"
    KEPT = "kept"
    LATER = "later"
    OWN = "own"


class Patch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the repository itself needs on today's torch, NumPy or Python. Never a step towards MindSpore."""

    file: str
    old: str
    new: str
    why: str


class Description(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of program.toml; README.md says what each key means."""

    kind: str
    half: Half = Half.OWN
    number: int = 0
    repository: str = ""
    commit: str = ""
    year: int = 0
    files: tuple[str, ...] = ("*.py",)
    cloned_as: str = ""
    stubs: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    seconds: int = 90
    stir: bool = True
    patch: tuple[Patch, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """One program: the folder it is written down in, named by its id, and what program.toml says."""

    folder: Path
    description: Description

    @property
    def id(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def is_own(self) -> bool:
        """Whether its code lies beside its driver, and not in a repository."""
        return self.description.half is Half.OWN


def read_case(folder: Path) -> Case:
    """Read one folder. Raises CaseError."""
    file = folder / "program.toml"
    try:
        description = msgspec.toml.decode(file.read_bytes(), type=Description)
    except OSError as error:
        raise CaseError(f"{file}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise CaseError(f"{file}: {error}") from error
    if not (folder / "driver.py").is_file():
        raise CaseError(f"{folder}: has no driver.py")
    given = [key for key in ORIGIN if getattr(description, key)]
    if description.half is Half.OWN and given:
        raise CaseError(f"{file}: {given[0]}: a program of a repository says which half it belongs to")
    if description.half is not Half.OWN and given != [*ORIGIN]:
        raise CaseError(f"{file}: number, repository and commit say where the program is from")
    return Case(folder, description)


def read_cases(folders: list[Path]) -> list[Case]:
    """All programs in some folders, those of repositories by their number. Raises CaseError for the first bad one."""
    found = [read_case(file.parent) for folder in folders for file in sorted(folder.glob("*/program.toml"))]
    return sorted(found, key=lambda case: (case.is_own, case.description.number, case.id))
