"""What scripts/build_vsix.py lays beside each other: all that the server needs with any Python on a platform, each file
once, and no two that are different."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from build_vsix import TARGETS, is_left_out, own_target, requirements, unpack


def wheel(folder: Path, name: str, files: Mapping[str, str], needs: str = "") -> Path:
    path = folder / f"{name}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("p-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: p\nVersion: 1\n{needs}\n")
        for place, content in files.items():
            archive.writestr(place, content)
    return path


@pytest.mark.parametrize(
    ("needs", "target", "wanted"),
    [
        ("Requires-Dist: a>=1", "linux-x64", ["a"]),
        ("Requires-Dist: a; python_version < '3.11'", "linux-x64", ["a"]),
        ("Requires-Dist: a; python_version >= '3.14'", "linux-x64", ["a"]),
        ("Requires-Dist: a; python_version < '3.10'", "linux-x64", []),
        ("Requires-Dist: a; platform_system == 'Windows'", "win32-x64", ["a"]),
        ("Requires-Dist: a; platform_system == 'Windows'", "darwin-arm64", []),
        ("Requires-Dist: a; sys_platform == 'darwin'", "darwin-arm64", ["a"]),
        ("Requires-Dist: a; implementation_name == 'pypy'", "linux-x64", []),
        ("Requires-Dist: a; extra == 'mcp'", "linux-x64", []),
        ("", "linux-x64", []),
    ],
)
def test_what_some_python_needs_on_the_platform_comes_along(
    tmp_path: Path, needs: str, target: str, wanted: list[str]
) -> None:
    assert [one.name for one in requirements(wheel(tmp_path, "p", {}, needs), target)] == wanted


def test_wheels_for_several_pythons_share_a_folder(tmp_path: Path) -> None:
    first = wheel(tmp_path, "310", {"p/a.py": "1", "p/_c.cpython-310.so": "x", "p-1.dist-info/WHEEL": "310"})
    second = wheel(tmp_path, "311", {"p/a.py": "1", "p/_c.cpython-311.so": "y", "p-1.dist-info/WHEEL": "311"})
    (tmp_path / "out/old").mkdir(parents=True)
    unpack([first, second], tmp_path / "out")
    found = {path.name for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert found == {"a.py", "_c.cpython-310.so", "_c.cpython-311.so", "METADATA", "WHEEL"}
    assert not (tmp_path / "out/old").exists()


def test_two_files_of_one_name_that_differ_are_refused(tmp_path: Path) -> None:
    wheels = [wheel(tmp_path, name, {"p/a.py": name}) for name in ("310", "311")]
    with pytest.raises(SystemExit, match=r"p/a\.py stands in another wheel"):
        unpack(wheels, tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("mindport/_mappings/torch/cat.yaml", True),
        ("mindport/_mappings/_texts/zh_CN/messages.po", True),
        ("p-1.data/scripts/p", True),
        ("mindport/_mappings/_compiled/index.msgpack", False),
        ("mindport/_mappings/_helpers/torch_std.py", False),
        ("ruamel/yaml/main.py", False),
        ("p-1.dist-info/licenses/LICENSE", False),
    ],
)
def test_only_what_nothing_reads_is_left_out(name: str, wanted: bool) -> None:
    assert is_left_out(name) is wanted


def test_this_machine_is_among_the_platforms() -> None:
    assert own_target() in TARGETS
