"""`mindport convert-weights` where nothing can be run: it says what is missing, and writes nothing."""

import os

import pytest

from mindport.cli.main import main


@pytest.fixture
def convert(tmp_path, monkeypatch, capsys):
    """Runs the command in a folder with a checkpoint and a model."""
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    (tmp_path / "net.pth").write_bytes(b"PK\x03\x04")
    (tmp_path / "model.py").write_text("Net = int\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return main(["convert-weights", *arguments]), capsys.readouterr().err

    return run


REST = ("--model", "model.py", "--entry", "Net()")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("net.pth", "net.pt", *REST), "net.pt must end in .ckpt"),
        (("other.pth", "net.ckpt", *REST), "'other.pth' does not exist"),
        (("net.pth", "net.ckpt", "--model", "other.py", "--entry", "Net()"), "'other.py' does not exist"),
        (("net.pth", "net.ckpt", "--model", "model.py"), "Missing option '--entry'"),
        (("net.pth", "no/net.ckpt", *REST), "no/net.ckpt cannot be written: No such file or directory"),
        (("net.pth", "net.ckpt", *REST, "--interpreter", "/no/such/python"), "cannot be started"),
        (("net.pth", "net.ckpt", *REST, "--interpreter", os.devnull), "cannot be started"),
    ],
)
def test_what_cannot_be_done(convert, tmp_path, arguments, complaint):
    code, err = convert(*arguments)
    assert code == 2 and complaint in err
    assert {file.name for file in tmp_path.iterdir()} == {"pyproject.toml", "net.pth", "model.py"}
