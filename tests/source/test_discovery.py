"""Which files are found: git's ignore rules, exclude patterns, links and paths that cannot be walked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindport.source.discovery import discover
from mindport.source.problem import ProblemKind


def tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(
    root: Path, *paths: str, exclude: tuple[str, ...] = (), respect_gitignore: bool = True
) -> list[str]:
    discovery = discover([root / path for path in paths or (".",)], exclude, root, respect_gitignore)
    return [os.path.relpath(path, root) for path in discovery.python_files + discovery.config_files]


# files (name -> text), paths asked for, files found
TREES: dict[str, tuple[dict[str, str], tuple[str, ...], list[str]]] = {
    "order": (
        {"b.py": "", "a.py": "", "p/__init__.py": "", "p/m.pyi": "", "w.pyw": "", "notes.txt": ""},
        (".",),
        ["a.py", "b.py", "w.pyw", "p/__init__.py", "p/m.pyi"],
    ),
    "configuration": (
        {"a.py": "", "c/x.yaml": "", "c/y.yml": "", "c/z.json": ""},
        (".",),
        ["a.py", "c/x.yaml", "c/y.yml"],
    ),
    "named twice": ({"a.py": "", "p/b.py": ""}, ("p", "a.py", ".", "p/../a.py"), ["p/b.py", "a.py"]),
    "named files of any kind": ({"run": "", "x.txt": ""}, ("run", "x.txt"), ["run", "x.txt"]),
    "ignored": (
        {
            ".gitignore": "*.gen.py\n/out/\n# no\n\n",
            "a.gen.py": "",
            "a.py": "",
            "out/b.py": "",
            "p/out/c.py": "",
        },
        (".",),
        ["a.py", "p/out/c.py"],
    ),
    "taken back": ({".gitignore": "*.py\n!keep.py\n", "a.py": "", "p/keep.py": ""}, (".",), ["p/keep.py"]),
    "nested": (
        {
            ".gitignore": "a.py\n",
            "p/.gitignore": "!a.py\nb.py\n",
            "a.py": "",
            "p/a.py": "",
            "p/b.py": "",
            "b.py": "",
        },
        (".",),
        ["b.py", "p/a.py"],
    ),
    "nothing comes back from an ignored directory": (
        {".gitignore": "out/\n!out/a.py\n", "out/a.py": "", "out/.gitignore": "!*\n"},
        (".",),
        [],
    ),
    "ignored by the repository above": (
        {
            ".git/info/exclude": "secret.py\n",
            ".gitignore": "p/gen_*.py\n",
            "p/gen_a.py": "",
            "p/b.py": "",
            "p/secret.py": "",
        },
        ("p",),
        ["p/b.py"],
    ),
    "an ignored file that is named": ({".gitignore": "*.py\n", "a.py": "", "b.py": ""}, ("a.py",), ["a.py"]),
    "an ignored directory that is named": (
        {".git/HEAD": "", ".gitignore": "out/\n", "out/a.py": "", "out/.gitignore": "b.py", "out/b.py": ""},
        ("out",),
        ["out/a.py"],
    ),
    "a pattern nobody can read": (
        {".gitignore": "***/[\n!\nb.py\n", "a.py": "", "b.py": ""},
        (".",),
        ["a.py"],
    ),
    "virtual environment": (
        {"env/pyvenv.cfg": "", "env/a.py": "", "conda/conda-meta/h": "", "conda/b.py": ""},
        (".",),
        [],
    ),
    "what macOS keeps beside files": (
        {"a.py": "", "._a.py": "\0", "p/._b.ipynb": "\0", "p/_b.py": "", "p/.c.py": ""},
        (".",),
        ["a.py", "p/.c.py", "p/_b.py"],
    ),
    "build output": ({"setup.py": "", "build/lib/a.py": "", "dist/b.py": ""}, (".",), ["setup.py"]),
    "a package called build": (
        {"setup.py": "", "build/__init__.py": "", "p/dist/a.py": ""},
        (".",),
        ["setup.py", "build/__init__.py", "p/dist/a.py"],
    ),
}


@pytest.mark.parametrize("name", TREES)
def test_trees(name: str, tmp_path: Path) -> None:
    files, paths, expected = TREES[name]
    tree(tmp_path, files)
    assert found(tmp_path, *paths) == expected


def test_gitignore_can_be_put_aside(tmp_path: Path) -> None:
    tree(tmp_path, {".gitignore": "*.py\n", "a.py": ""})
    assert found(tmp_path) == []
    assert found(tmp_path, respect_gitignore=False) == ["a.py"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("p", ["a.py", "q/p.py"]),
        ("*.py", []),
        ("/a.py", ["p/a.py", "p/b.py", "q/p.py"]),
        ("p/*.py", ["a.py", "q/p.py"]),
        ("**/b.py", ["a.py", "p/a.py", "q/p.py"]),
        ("", ["a.py", "p/a.py", "p/b.py", "q/p.py"]),
    ],
)
def test_exclude_patterns(pattern: str, expected: list[str], tmp_path: Path) -> None:
    tree(tmp_path, {"a.py": "", "p/a.py": "", "p/b.py": "", "q/p.py": ""})
    assert found(tmp_path, exclude=(pattern,)) == expected
    assert found(tmp_path, "p/a.py", exclude=(pattern,)) == ["p/a.py"]


def test_a_named_directory_is_walked_wherever_it_lies(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {"site-packages/p/a.py": "", "site-packages/p/__pycache__/b.py": "", "q/site-packages/c.py": ""},
    )
    exclude = ("site-packages", "__pycache__")
    assert found(tmp_path, exclude=exclude) == []
    assert found(tmp_path, "site-packages/p", exclude=exclude) == ["site-packages/p/a.py"]
    assert found(tmp_path, "q", exclude=exclude) == []
    elsewhere = discover([tmp_path / "q"], exclude, tmp_path / "site-packages")
    assert elsewhere.python_files == ()
    assert len(discover([tmp_path / "q"], ("*.txt",), tmp_path / "site-packages").python_files) == 1


def test_links(tmp_path: Path) -> None:
    tree(tmp_path, {"work/p/a.py": "", "elsewhere/b.py": ""})
    work = tmp_path / "work"
    (work / "self").symlink_to("self")
    (work / "p" / "up").symlink_to("..")
    (work / "p" / "again").symlink_to(work / "p")
    (work / "same").symlink_to("p")
    (work / "out").symlink_to(tmp_path / "elsewhere")
    (work / "gone.py").symlink_to("nowhere.py")
    (work / ".#lock.py").symlink_to("user@machine.1")
    (work / "file.py").symlink_to("p/a.py")
    discovery = discover([work])
    names = [os.path.relpath(path, work) for path in discovery.python_files]
    assert names == ["file.py", "gone.py", "out/b.py", "p/a.py"]
    loops = [os.path.relpath(problem.path, work) for problem in discovery.problems]
    assert loops == ["self", "p/again", "p/up"]
    assert {problem.kind for problem in discovery.problems} == {ProblemKind.LOOP}


def test_paths_that_cannot_be_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.py": "", "n.ipynb": "{}", "closed/b.py": "", "open/c.py": ""})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    discovery = discover([tmp_path / "nowhere", tmp_path, tmp_path / "n.ipynb"])
    assert [Path(path).name for path in discovery.python_files] == ["a.py", "n.ipynb", "c.py"]
    assert [(problem.kind, problem.message) for problem in discovery.problems] == [
        (ProblemKind.MISSING, "no such file or directory"),
        (ProblemKind.UNREADABLE, "directory cannot be read: permission denied"),
    ]


def test_relative_paths_are_tidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.py": "", "p/b.py": ""})
    monkeypatch.chdir(tmp_path)
    assert discover(["."]).python_files == ("a.py", "p/b.py")
    assert discover(["./p/", "./a.py"]).python_files == ("p/b.py", "a.py")


@pytest.mark.parametrize(
    ("named", "forced", "expected"),
    [
        (("a.py", "gen/b.py"), False, ["a.py", "gen/b.py"]),
        (("a.py", "gen/b.py"), True, ["a.py"]),
        (("p/gen/sub/c.py",), True, []),
        (("p/d.py", "p/a_pb2.py"), True, ["p/d.py"]),
        (("gen",), True, ["gen/b.py"]),  # a directory that is named is walked
    ],
)
def test_excluded_files_that_are_named(
    tmp_path: Path, named: tuple[str, ...], forced: bool, expected: list[str]
) -> None:
    tree(tmp_path, dict.fromkeys(("a.py", "gen/b.py", "p/gen/sub/c.py", "p/d.py", "p/a_pb2.py"), ""))
    paths = [tmp_path / name for name in named]
    discovery = discover(paths, ("gen", "*_pb2.py"), tmp_path, force_exclude=forced)
    assert [os.path.relpath(path, tmp_path) for path in discovery.python_files] == expected


def test_a_file_outside_of_the_root_is_not_excluded(tmp_path: Path) -> None:
    tree(tmp_path, {"gen/a.py": "", "p/b.py": ""})
    assert discover([tmp_path / "gen/a.py"], ("gen",), tmp_path / "p", force_exclude=True).python_files
