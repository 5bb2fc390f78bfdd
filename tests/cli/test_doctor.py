"""`mindport doctor`, and what a defect of mindport leaves for its report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mindport.cli import doctor
from mindport.cli.crash import crash_report
from mindport.cli.main import main

Seen = Callable[..., tuple[int, dict[str, tuple[bool, str]]]]


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Seen:
    monkeypatch.chdir(tmp_path)

    def run() -> tuple[int, dict[str, tuple[bool, str]]]:
        code = main(["doctor", "--json"])
        rows = json.loads(capsys.readouterr().out)["examined"]
        return code, {row["name"]: (row["is_well"], row["seen"]) for row in rows}

    return run


@pytest.mark.thorough
def test_all_is_well_here(seen: Seen, capsys: pytest.CaptureFixture[str]) -> None:
    code, rows = seen()
    assert {name for name, (is_well, _) in rows.items() if not is_well} == set()
    assert code == 0
    assert int(rows["catalogue"][1].split()[0]) > 8000
    assert "answers after" in rows["server"][1]
    assert "msgspec" in rows["packages"][1]
    assert not list(Path().iterdir())
    assert main(["doctor"]) == 0
    assert all(line.startswith("ok ") for line in capsys.readouterr().out.splitlines())


def write(name: str, text: str) -> Callable[[], object]:
    return lambda: Path(name).write_text(text)


TABLE = "[tool.mindport]\n"
WRONG = [
    (write("pyproject.toml", TABLE + "ignor = []\n"), "settings", "did you mean 'ignore'"),
    (write("pyproject.toml", TABLE + "mapping-paths = ['none']\n"), "mappings", "is no folder of mappings"),
    (write("pyproject.toml", TABLE + "evidence = ['none.json']\n"), "mappings", "none.json: cannot be read"),
    (write("mindport-evidence.json", "{"), "mappings", "no evidence file"),
    (write("mindport-baseline.json", "{"), "baseline", "is no baseline"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_is_named_and_the_rest_looked_at(
    seen: Seen, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_server", lambda: "not asked")
    spoil, name, said = WRONG[number]
    spoil()
    code, rows = seen()
    assert code == 2
    assert {one for one, (is_well, _) in rows.items() if not is_well} == {name}
    assert said in rows[name][1]


def test_modules_of_the_folder_are_not_run(seen: Seen) -> None:
    for name in ("mindport.py", "click.py", "json.py", "sitecustomize.py", "sample.py"):
        Path(name).write_text("open('ran', 'w')\nraise SystemExit(3)\n")
    assert seen()[0] == 0
    assert not Path("ran").exists()


def test_a_server_that_does_not_start(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.sys, "executable", "/bin/false")
    code, rows = seen()
    assert (code, rows["server"][0]) == (2, False)


SECRETS = ("secret_name", "hunter2", "/home/someone", "customer.py")


def failing() -> BaseException:
    try:
        try:
            {}["hunter2"]
        except KeyError:
            compile("secret_name = (", "/home/someone/customer.py", "exec")
    except SyntaxError as error:
        return error
    raise AssertionError


def test_a_crash_report_has_nothing_of_the_user() -> None:
    words = [
        "check",
        "/home/someone/customer.py",
        "--config=secret_name",
        "-j4",
        "--stdin-filename",
        "hunter2",
    ]
    text = crash_report(failing(), words)
    assert not [one for one in SECRETS if one in text]
    assert "command: check … --config -j --stdin-filename …\n" in text
    assert "builtins.SyntaxError\n  " in text and "builtins.KeyError\n  " in text
    assert "in failing\n" in text
    assert "msgspec " in text and str(Path.home()) not in text and os.getcwd() not in text  # noqa: PTH109


def test_a_defect_leaves_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("mindport.cli.doctor._examined", lambda _: 1 / 0)
    assert main(["doctor"]) == 2
    [report] = tmp_path.glob("mindport-crash-*.txt")
    assert str(report) in capsys.readouterr().err
    assert "builtins.ZeroDivisionError" in report.read_text()
    assert "mindport/cli/doctor.py:" in report.read_text()
