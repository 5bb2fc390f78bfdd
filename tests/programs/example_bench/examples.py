"""Finds the examples that a repository has of itself: blocks of Python in its pages, and main blocks of its files."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import msgspec
from program_bench.copies import git_command

# Where blocks of pages are put; no repository has a folder of that name.
FOLDER = "examples_from_pages"
_PAGE = re.compile(r"(^|/)(README|readme|Readme)[^/]*\.(md|rst)$|^docs?/.*\.md$")
_BLOCK = re.compile(r"^([ \t]*)```[ \t]*(\w*)[^\n`]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_PYTHON = {"", "python", "python3", "py"}
_MAIN = re.compile(r"^if\s*\(?\s*__name__\s*==\s*['\"]__main__['\"]", re.MULTILINE)
_USES_TORCH = re.compile(r"^\s*(import|from)\s+torch\b", re.MULTILINE)
_LARGEST_FILE = 400_000


class Repository(msgspec.Struct, frozen=True):
    """A stored repository, `name` as OWNER/NAME; `git` begins commands for it."""

    name: str
    git: list[str]

    def show(self, path: str) -> bytes | None:
        """What the newest stored commit has at `path`; None where a large file was not stored with it."""
        try:
            return self._output("show", f"HEAD:{path}")
        except subprocess.CalledProcessError:
            return None

    def paths(self) -> list[str]:
        """All files of the newest stored commit, without links."""
        listed = self._output("ls-tree", "-r", "-z", "HEAD").decode(errors="replace").split("\0")
        return [entry.partition("\t")[2] for entry in listed if entry.startswith("100")]

    def _output(self, *words: str) -> bytes:
        return subprocess.run([*self.git, *words], capture_output=True, check=True).stdout


def repositories_in(folder: Path) -> list[Repository]:
    """Those that lie in `folder` as OWNER+NAME/repo."""
    places = ((place, git_command(place)) for place in sorted(folder.glob("*+*/repo")))
    return [Repository(place.parent.name.replace("+", "/", 1), git) for place, git in places if git]


def lay_out(repository: Repository, under: str, folder: Path) -> list[str]:
    """Write the Python files, settings and examples of a repository (of a folder `under` it) to `folder`. Gives the
    paths of all examples."""
    examples = []
    for path in repository.paths():
        if not path.startswith(under) or not path.endswith(
            (".py", ".json", ".yaml", ".yml", ".md", ".rst", ".txt", ".toml")
        ):
            continue
        content = repository.show(path)
        if content is None or len(content) > _LARGEST_FILE:
            continue
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        text = content.decode(errors="replace")
        if path.endswith(".py") and _MAIN.search(text) and _parses(text):
            examples.append(path)
        elif _PAGE.search(path):
            for number, block in enumerate(_blocks(text)):
                name = f"{FOLDER}/{re.sub(r'[^0-9A-Za-z]+', '_', path.rpartition('.')[0]).lower()}_{number:02}.py"
                (folder / FOLDER).mkdir(exist_ok=True)
                (folder / name).write_text(block)
                examples.append(name)
    return examples


def _blocks(page: str) -> list[str]:
    found = []
    for indent, language, body in _BLOCK.findall(page):
        block = "".join(line.removeprefix(indent) for line in body.splitlines(keepends=True))
        if language.lower() in _PYTHON and _USES_TORCH.search(block) and _parses(block):
            found.append(block)
    return found


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
