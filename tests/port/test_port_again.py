"""A later run takes up what changed in the project and never writes over what was edited by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from small_port import Command, content, write

import mindport.port.run
from mindport.port.run import Port, port_project

ONE = "import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
TWO = ONE.replace("abs", "exp")
EDIT = b"\n# my own line\n"


def edit(name: str = "a.py", folder: str = "dst") -> None:
    place = Path(folder, name)
    place.write_bytes(place.read_bytes() + EDIT)


def change() -> None:
    write({"a.py": TWO})


def nothing() -> None:
    pass


def both() -> None:
    edit()
    change()


def delete() -> None:
    Path("src/a.py").unlink()


def delete_edited() -> None:
    edit()
    delete()


def delete_written() -> None:
    Path("dst/a.py").unlink()


# what is done between two runs, with which options; then what is in a.py, whether a new one is beside it, what is said
CASES: list[tuple[Callable[[], None], tuple[str, ...], str | None, bool, str]] = [
    (nothing, (), "abs", False, "0 files written"),
    (change, (), "exp", False, "1 file written"),
    (edit, (), "edited abs", False, "left alone"),
    (both, (), "edited abs", True, "Edited by hand and changed in the project"),
    (edit, ("--overwrite",), "abs", False, "1 file written"),
    (both, ("--overwrite",), "exp", False, "1 file written"),
    (delete, (), None, False, "Removed"),
    (delete_edited, (), "edited abs", False, "Gone from the project"),
    (delete_written, (), "abs", False, "1 file written"),
]


@pytest.mark.parametrize(("act", "options", "expected", "is_beside", "words"), CASES)
def test_second_run(
    command: Command,
    act: Callable[[], None],
    options: tuple[str, ...],
    expected: str | None,
    is_beside: bool,
    words: str,
) -> None:
    write({"a.py": ONE, "b.txt": "b"})
    command("port", "src", "-o", "dst", "--no-report")
    act()
    result = command("port", "src", "-o", "dst", "--no-report", *options)
    found = content("dst")
    text = found.get("a.py")
    if expected is None:
        assert text is None
    else:
        assert text is not None
        assert (EDIT in text) == expected.startswith("edited")
        assert expected.split()[-1].encode() in text
    assert words in result.out
    assert ("a.py.mindport-new" in found) == is_beside
    if is_beside:
        assert b"exp" in found["a.py.mindport-new"]
        assert EDIT not in found["a.py.mindport-new"]
        assert result.code == 1
    third = command("port", "src", "-o", "dst", "--no-report")
    assert content("dst") == found
    assert "0 files written" in third.out


def test_file_of_the_users_own_is_not_overwritten(command: Command) -> None:
    write({"a.py": ONE})
    command("port", "src", "-o", "dst")
    write({"new.py": "mine = 1\n", "kept.txt": "mine"}, "dst")
    write({"new.py": ONE})
    result = command("port", "src", "-o", "dst")
    assert content("dst")["new.py"] == b"mine = 1\n"
    assert b"mindspore" in content("dst")["new.py.mindport-new"]
    assert content("dst")["kept.txt"] == b"mine"
    assert result.code == 1


def test_another_target_writes_anew(command: Command) -> None:
    write({"a.py": "import torch\n\nx = torch.device('cuda')\n", "b.py": ONE})
    command("port", "src", "-o", "dst")
    assert "on Ascend" not in Path("dst/PORT.md").read_text()
    command("port", "src", "-o", "dst", "--device", "Ascend")
    manifest = json.loads(Path("dst/.mindport/port.json").read_text())
    assert manifest["target"]["device"] == "Ascend"
    assert "on Ascend" in Path("dst/PORT.md").read_text()


def test_module_of_helpers_goes_when_nothing_needs_it(command: Command) -> None:
    helped = "import torch\n\ntorch.save({}, 'x')\n"
    write({"a.py": helped, "b.py": helped})
    command("port", "src", "-o", "dst")
    assert "torch_equivalents.py" in content("dst")
    write({"a.py": "x = 1\n", "b.py": "x = 1\n"})
    command("port", "src", "-o", "dst")
    assert "torch_equivalents.py" not in content("dst")


def test_what_cannot_be_read_is_not_taken_for_gone(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.py": ONE, "pkg/b.py": ONE, "gone.py": ONE})
    command("port", "src", "-o", "dst")
    before = content("dst")
    Path("src/gone.py").unlink()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if Path(path).name == "pkg":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refusing)
        result = command("port", "src", "-o", "dst")
    assert result.code == 2
    assert "pkg" in result.err
    assert {"pkg/b.py", "gone.py"} <= set(content("dst"))
    assert content("dst")["pkg/b.py"] == before["pkg/b.py"]
    command("port", "src", "-o", "dst")
    assert "gone.py" not in content("dst")


class _Stopped(KeyboardInterrupt):
    pass


@pytest.mark.parametrize("after", [0, 1, 2])
def test_interrupt_leaves_whole_files_and_a_true_manifest(
    command: Command, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    write({"a.py": ONE, "b.py": ONE, "c.txt": "c", "d.txt": "d"})
    left = after
    write_item = mindport.port.run.PortWriter.write

    def stopping(self: mindport.port.run.PortWriter, item: mindport.port.run.Item) -> None:
        nonlocal left
        if not left:
            raise _Stopped
        left -= 1
        write_item(self, item)

    with monkeypatch.context() as patch:
        patch.setattr(mindport.port.run.PortWriter, "write", stopping)
        assert command("port", "src", "-o", "dst").code == 130
    found = content("dst")
    names = set(json.loads(found.pop(".mindport/port.json"))["files"])
    assert names == set(found)
    assert len(names) == after
    assert command("port", "src", "-o", "dst").code == 0
    assert len(content("dst")) == 6


def test_stop_while_converting_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write({"a.py": ONE})

    def stop(done: int, total: int) -> None:
        raise _Stopped

    with pytest.raises(_Stopped):
        port_project(Port(source=Path("src"), parts=()), Path("dst"), progress=stop)
    assert not Path("dst").exists()
