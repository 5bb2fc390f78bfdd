"""Where commands write: only where the user said, whatever links, settings and names lie in a project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindport.cli.main import main

TORCH = b"import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.abs(x)\n"
CPU = ("--device", "CPU", "--target-version", "2.10.0")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "project" / "pyproject.toml").write_bytes(b"")
    (tmp_path / "project" / "own.py").write_bytes(TORCH)
    (tmp_path / "outside" / "lib.py").write_bytes(TORCH)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def fix(*arguments: str) -> int:
    return main(["fix", *arguments, "--unsafe-fixes", "--jobs", "1", *CPU])


# links in the project: name -> where it leads
OUTWARD = {
    "lib.py": "../outside/lib.py",
    "folder": "../outside",
    "deep": "..",
    "round": "../project/../outside",
}


@pytest.mark.parametrize("name", OUTWARD)
def test_a_fix_of_a_folder_follows_no_link_out_of_it(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / name).symlink_to(OUTWARD[name])
    assert fix(".") == (2 if name != "deep" else 0)  # a link upwards is not walked at all
    assert (project.parent / "outside" / "lib.py").read_bytes() == TORCH
    assert b"mindspore" in (project / "own.py").read_bytes()
    assert (project / name).is_symlink()
    assert ("leads out of the folder" in capsys.readouterr().err) is (name != "deep")


def test_a_link_that_is_named_is_followed(project: Path) -> None:
    (project / "lib.py").symlink_to("../outside/lib.py")
    assert fix("lib.py") == 0
    assert b"mindspore" in (project.parent / "outside" / "lib.py").read_bytes()
    assert (project / "lib.py").is_symlink()
    assert (project / "own.py").read_bytes() == TORCH


def test_a_folder_that_is_a_link_is_fixed_where_it_is_named(project: Path) -> None:
    (project / "folder").symlink_to("../outside")
    assert fix("folder") == 0
    assert b"mindspore" in (project.parent / "outside" / "lib.py").read_bytes()


def test_a_link_inside_of_the_folder_is_no_second_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "again.py").symlink_to("own.py")
    assert fix(".") == 0
    assert "Applied 2 fixes in 1 file" in capsys.readouterr().err
    assert b"mindspore" in (project / "own.py").read_bytes()
    assert (project / "again.py").is_symlink()


def test_what_links_show_is_written_to_another_folder_and_read(project: Path) -> None:
    (project / "lib.py").symlink_to("../outside/lib.py")
    assert fix(".", "-o", "../out") == 0
    assert b"mindspore" in (project.parent / "out" / "lib.py").read_bytes()
    assert (project.parent / "outside" / "lib.py").read_bytes() == TORCH


def test_another_folder_has_links_out_of_it(project: Path) -> None:
    (project.parent / "out").mkdir()
    (project.parent / "out" / "own.py").symlink_to("../outside/lib.py")
    assert fix(".", "-o", "../out") == 2
    assert (project.parent / "outside" / "lib.py").read_bytes() == TORCH


def test_a_hard_link_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.link(project / "own.py", project.parent / "outside" / "same.py")
    assert fix(".") == 0
    assert b"mindspore" in (project / "own.py").read_bytes()
    assert (project.parent / "outside" / "same.py").read_bytes() == TORCH
    assert "own.py: was written; another name of the same file" in capsys.readouterr().err


def check(*arguments: str) -> int:
    return main(["check", *arguments, "--jobs", "1", *CPU])


def test_results_are_kept_where_only_they_are(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.mindport]\ncache-dir = 'kept'\n", "utf-8")
    for _ in range(2):
        assert check(".") == 0
    assert {path.name for path in (project / "kept").iterdir()} == {".gitignore", "results.msgpack"}


def test_nothing_hides_files_that_are_not_ours(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.mindport]\ncache-dir = 'package'\n", "utf-8")
    (project / "package").mkdir()
    (project / "package" / "a.py").write_bytes(TORCH)
    assert check(".") == 0
    assert not (project / "package" / ".gitignore").exists()


@pytest.mark.parametrize("aim", ["../outside", "."])
def test_a_folder_of_results_that_is_a_link(project: Path, aim: str) -> None:
    (project / ".mindport_cache").symlink_to(aim)
    before = sorted(path.name for path in (project / aim).iterdir())
    assert check(".") == 0
    assert sorted(path.name for path in (project / aim).iterdir()) == before


def test_results_in_a_pipe_are_not_waited_for(project: Path) -> None:
    (project / ".mindport_cache").mkdir()
    os.mkfifo(project / ".mindport_cache" / "results.msgpack")
    os.mkfifo(project / ".gitignore")
    assert check(".") == 0


@pytest.mark.parametrize("place", ["/dev/full", "own.py/report.html", "."])
def test_a_report_that_cannot_be_written(
    project: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", ".", "-o", place, "--no-cache", "--jobs", "1", *CPU]) == 2
    error = capsys.readouterr().err
    assert place in error and "Traceback" not in error
    assert sorted(path.name for path in project.iterdir()) == ["own.py", "pyproject.toml"]


def test_a_report_into_a_device(project: Path) -> None:
    assert main(["report", ".", "-o", "/dev/null", "--no-cache", "--jobs", "1", *CPU]) == 0
    assert Path("/dev/null").is_char_device()


def test_a_port_in_place_follows_no_link_out(project: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x"]
    (project / ".mindport").symlink_to("../outside")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        assert os.spawnlp(os.P_WAIT, git[0], *git, *words) == 0
    assert main(["port", ".", "--in-place", "--jobs", "1", *CPU]) == 2
    assert [path.name for path in (project.parent / "outside").iterdir()] == ["lib.py"]


def test_a_module_of_helpers_lies_beside_a_file_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    file = there / "a.py"
    file.write_text("import torch\n\nlayers = {1: torch.nn.Conv1d, 2: torch.nn.Conv2d}\n", "utf-8")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["fix", "--device", "CPU", "--target-version", "2.10.0", "--no-cache", str(file)]) == 0
    assert "class TorchConv2d" in (there / "torch_equivalents.py").read_text("utf-8")
    assert "torch.nn" not in file.read_text("utf-8")
