"""Results kept between runs: what their key says of mindport itself, where they are found again, and what becomes of
them when they are damaged."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import mindport
from mindport.checking import project
from mindport.checking.cache import _own_files
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version

CPU = Target(Version(2, 10, 0), Device.CPU)
RESULTS = Path(".mindport_cache/results.msgpack")


def installed(folder: Path, code: str) -> Path:
    """A package as an installer leaves it, with what it notes of the content of each file."""
    package = folder / "mindport"
    package.mkdir(parents=True)
    (package / "a.py").write_text(code)
    notes = folder / f"mindport-{mindport.__version__}.dist-info"
    notes.mkdir()
    (notes / "RECORD").write_text(
        f"../../bin/mindport,sha256=x,1\nmindport/a.py,sha256={hash(code)},{len(code)}\n"
    )
    return package


def test_what_is_installed_anew_is_the_same(tmp_path: Path) -> None:
    one, two = installed(tmp_path / "one", "x = 1"), installed(tmp_path / "two", "x = 1")
    os.utime(two / "a.py", (1, 1))
    assert _own_files(one) == _own_files(two) != ""
    assert _own_files(one) != _own_files(installed(tmp_path / "three", "x = 2"))


def test_what_somebody_works_on_goes_by_time(tmp_path: Path) -> None:
    (tmp_path / "mindport").mkdir()
    file = tmp_path / "mindport" / "a.py"
    file.write_text("x = 1")
    before = _own_files(tmp_path / "mindport")
    os.utime(file, (1, 1))
    assert _own_files(tmp_path / "mindport") != before


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were judged and not answered from what was kept, in a project of two parts."""
    found: list[str] = []
    original = project.check_file

    def noted(file, *rest, **more):
        found.append(Path(file.path).name)
        return original(file, *rest, **more)

    monkeypatch.setattr(project, "check_file", noted)
    monkeypatch.setattr("mindport.checking.cache._own_files", lambda package: "same")
    (tmp_path / "one" / "lib").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "one")
    Path("lib/net.py").write_text("import torch\n\n\ndef f(x):\n    return torch.std(x)\n")
    Path("a.py").write_text("from lib.net import f\n\nf(1).nope()\n")
    Path("b.py").write_text("import torch\n\ntorch.no_such_name\n")
    return found


def run(*files: str) -> list[FileReport]:
    return list(check_paths(files or ("a.py", "b.py", "lib/net.py"), Settings(jobs=1), CPU, "."))


def test_results_are_found_again_in_another_folder(
    judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, alone = run(), run("a.py")  # the second reads lib/net.py besides
    assert sorted(judged) == ["a.py", "a.py", "b.py", "net.py"]
    judged.clear()
    here = Path.cwd()
    shutil.copytree(here, here.with_name("two"))
    shutil.rmtree(here)
    monkeypatch.chdir(here.with_name("two"))
    assert (run(), run("a.py")) == (whole, alone)
    assert judged == []
    Path("lib/net.py").write_text("import torch\n")
    run()
    run("a.py")
    assert sorted(judged) == ["a.py", "a.py", "net.py"]


def spoilt_by(seed: int) -> Callable[[bytes], bytes]:
    def spoilt(content: bytes) -> bytes:
        chance, changed = random.Random(seed), bytearray(content)
        for _ in range(chance.randint(1, 9)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        return bytes(changed[: chance.randint(1, len(changed))] if seed % 3 == 0 else changed)

    return spoilt


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: b"\xc1" * 100,
        lambda content: msgspec.msgpack.encode([1, 2]),
        lambda content: msgspec.msgpack.encode(dict.fromkeys(msgspec.msgpack.decode(content[20:]), 3)),
        *map(spoilt_by, range(40)),
    ],
)
def test_damaged_results_never_fail_a_run(judged: list[str], spoil: Callable[[bytes], bytes]) -> None:
    whole = run()
    RESULTS.write_bytes(spoil(RESULTS.read_bytes()))
    assert run() == whole


def test_what_is_no_file_is_made_again(judged: list[str]) -> None:
    whole = run()
    RESULTS.unlink()
    os.mkfifo(RESULTS)
    assert run() == whole
