"""`mindport try` with an interpreter that only answers: wrong arguments, exit codes, formats. The oracle tier runs real
ports (tests/trial/test_try_ports.py)."""

from __future__ import annotations

import json
import sys

import pytest

from mindport.cli.main import main

SERVER = """\
#!{python}
import json, os, sys, time
hello, answers = {hello!r}, {answers!r}
for number, line in enumerate(sys.stdin):
    task = json.loads(line)
    if not number:
        print(hello, flush=True)
        continue
    answer = answers.get(task["kind"], {{"events": [{{"kind": "end"}}]}})
    if answer == "die":
        os._exit(1)
    with open("{log}", "a") as log:
        log.write(json.dumps(task) + "\\n")
    print(json.dumps({{"ending": "exit", **answer}}), flush=True)
"""
HELLO = json.dumps({"python": "3.11.0", "mindspore": "2.10.0", "error": ""})
IMPORTED = {"events": [{"kind": "import"}, {"kind": "end"}]}
TRAINED = {"events": [{"kind": "build"}, {"kind": "forward"}, {"kind": "train"}, {"kind": "end"}]}
NEEDS = {
    "events": [{"kind": "error", "classes": ["FileNotFoundError"], "message": "a.bin", "stage": "build"}]
}
FAILS = {"events": [{"kind": "error", "classes": ["TypeError"], "message": "no", "stage": "build",
                     "frames": [["net.py", 3, "f"]]}]}  # fmt: skip


@pytest.fixture
def try_port(tmp_path, monkeypatch, capsys):
    """Runs the command on a small port; gives the exit code, both outputs and the tasks."""
    port = tmp_path / "port"
    port.mkdir()
    (port / "net.py").write_text("import mindspore\n\nx = mindspore.qr(y)\n")
    (port / "train.py").write_text('import net\nif __name__ == "__main__":\n    net.x()\n')
    (port / "notes.txt").write_text("")
    original = tmp_path / "original"
    original.mkdir()
    (original / "net.py").write_text("import torch\nx = torch.qr(torch.ones(2, 2))\n")
    monkeypatch.chdir(tmp_path)

    def run(*arguments, hello=HELLO, answers=None):
        fake, log = tmp_path / "python", tmp_path / "log"
        log.write_text("")
        answers = {"import": IMPORTED, "script": TRAINED, "call": TRAINED, **(answers or {})}
        fake.write_text(SERVER.format(python=sys.executable, hello=hello, answers=answers, log=log))
        fake.chmod(0o755)
        code = main(["try", "port", "--interpreter", str(fake), "--device", "CPU", *arguments])
        out, err = capsys.readouterr()
        return code, out, err, [json.loads(line) for line in log.read_text().splitlines()]

    return run


@pytest.mark.parametrize(
    ("answers", "code", "line"),
    [
        ({}, 0, "imports 2/2, builds 1/1, forward 1/1, trains 1/1"),
        ({"script": FAILS}, 1, "imports 2/2, builds 0/1, forward 0/1, trains 0/1"),
        ({"import": FAILS}, 1, "imports 0/2, builds 1/1, forward 1/1, trains 1/1"),
        ({"script": NEEDS}, 2, "? train.py: needs data: FileNotFoundError: a.bin"),
        ({"script": "die"}, 1, "it ended the process that watches it"),
        ({"script": {"events": [], "ending": "memory"}}, 1, "of memory (--memory)"),
    ],
)
def test_the_exit_code(try_port, answers, code, line):
    found, out, _, _ = try_port(answers=answers)
    assert found == code and line in out


@pytest.mark.parametrize(
    ("hello", "complaint"),
    [
        (json.dumps({"python": "3.11.0", "mindspore": None, "error": ""}), "(Python 3.11.0) has no MindSpore: install"),
        (HELLO.replace('""', '"OSError: x.so"'), "cannot import MindSpore: OSError: x.so"),
        (HELLO[:-1] + ', "device_error": "ValueError: none"}', "cannot run MindSpore on CPU: ValueError: none"),
        ("hello", "gives no answer"),
        ("", "gives no answer"),
    ],
)  # fmt: skip
def test_an_interpreter_that_cannot_try(try_port, hello, complaint):
    code, out, err, _ = try_port(hello=hello)
    assert code == 2 and complaint in err and not out


@pytest.mark.parametrize("interpreter", ["/no/such/python", "/dev/null"])
def test_no_interpreter(try_port, interpreter):
    code, _, err, _ = try_port("--interpreter", interpreter)
    assert code == 2 and "cannot be started" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--entry", "nothing.py"], "has no Python file nothing.py"),
        (["--entry", "notes.txt"], "has no Python file notes.txt"),
        (["--entry", "../original/net.py"], "lies outside of"),
        (["--entry", "."], "lies outside of"),
        (["--entry", "  "], "names no file"),
        (["--entry", "net.py: Net("], "is no expression"),
        (["--entry", "net.py: x = 1"], "is no expression"),
        (["--entry", "train.py 'x"], "cannot be read"),
        (["--args", "'x"], "cannot be read"),
        (["--input", "randn(2)"], "--input goes with an entry that is an expression"),
        (["--entry", "train.py", "--input", "randn(2)"], "--input goes with"),
        (["--original", "nowhere"], "nowhere"),
        (["--bundle", "nowhere/b.json"], "does not exist"),
        (["--steps", "0"], "steps"),
        (["--memory", "0"], "memory"),
    ],
)
def test_wrong_arguments_start_nothing(try_port, arguments, complaint):
    code, _, err, tasks = try_port(*arguments)
    assert code == 2 and complaint in err and not tasks


def test_entries_that_are_named_take_the_place_of_those_found(try_port):
    _, _, _, tasks = try_port(
        "--entry", "train.py --epochs '1 2'", "--entry", "net.py: Net(3)[1:2]", "--input", "randn(2)"
    )
    assert [task["kind"] for task in tasks] == ["import", "import", "script", "call"]
    assert tasks[2]["arguments"] == ["--epochs", "1 2"] and not tasks[2]["inputs"]
    assert tasks[3]["entry"] == "Net(3)[1:2]" and tasks[3]["inputs"] == ["randn(2)"]


def test_arguments_are_for_scripts_that_are_found(try_port):
    _, _, _, tasks = try_port("--args", "--epochs 1", "--steps", "3", "--seconds", "7", "--memory", "2")
    assert tasks[-1]["arguments"] == ["--epochs", "1"] and not tasks[0]["arguments"]
    assert [(task["steps"], task["seconds"], task["memory"]) for task in tasks] == [(3, 7.0, 2 * 10**9)] * 3


def test_the_finding_of_the_original_line_is_said(try_port):
    _, out, _, _ = try_port("--original", "original", answers={"script": FAILS})
    assert "net.py:2: TypeError: no" in out and "in the port: net.py:3" in out and "\n  MP" in out


def test_without_an_original_places_are_those_of_the_port(try_port):
    _, out, _, _ = try_port(answers={"script": FAILS})
    assert "net.py:3: TypeError: no" in out and "finding" not in out


def test_json_is_one_document(try_port):
    code, out, _, _ = try_port("--json", "--original", "original", answers={"script": FAILS})
    content = json.loads(out)
    assert code == 1 and content["counts"]["build"] == {"reached": 0, "wanted": 1}
    row = content["attempts"][-1]
    assert (row["status"], row["stage"], row["port"], row["original"]) == (
        "fails", "build", {"file": "net.py", "line": 3}, {"file": "net.py", "line": 2}
    )  # fmt: skip
    assert row["finding"]["api"] == "torch.qr"
    assert json.loads(try_port("--output-format", "json")[1])["format"] == 1


def test_json_of_what_cannot_be_tried(try_port):
    code, out, err, _ = try_port("--json", hello="")
    assert code == 2 and "gives no answer" in json.loads(out)["problem"] and "gives no answer" in err


def test_a_bundle_is_written(try_port, tmp_path):
    _, _, err, _ = try_port("--bundle", "b.json", answers={"script": FAILS})
    (row,) = json.loads((tmp_path / "b.json").read_bytes())["trial"]["attempts"]
    assert row["error"] == "TypeError: no" and "wrote b.json" in err


def test_the_way_to_a_failure_is_shown_when_asked(try_port):
    assert "net.py:3 f" in try_port("--trace", answers={"script": FAILS})[2]
    assert "net.py:3 f" not in try_port(answers={"script": FAILS})[2]


def test_a_file_that_cannot_be_read_is_still_tried(try_port, tmp_path):
    (tmp_path / "port" / "latin.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "port" / "broken.py").write_text("def f(:\n")
    _, out, _, tasks = try_port()
    assert "imports 4/4" in out and {task["module"] for task in tasks} >= {"latin", "broken"}


def test_modules_are_named_as_their_package_is(try_port, tmp_path):
    pack = tmp_path / "port" / "src" / "pack"
    (pack / "inner").mkdir(parents=True)
    for file in ("__init__.py", "inner/__init__.py", "inner/a.py"):
        (pack / file).write_text("")
    (tmp_path / "port" / "models").mkdir()
    (tmp_path / "port" / "models" / "layers.py").write_text("")
    (tmp_path / "port" / "net.py").write_text("from models.layers import *\n")
    (tmp_path / "port" / "tools").mkdir()
    (tmp_path / "port" / "tools" / "01_draw.py").write_text("")
    tasks = {task["file"].partition("port/")[2]: task for task in try_port()[3]}
    assert tasks["src/pack/inner/a.py"]["module"] == "pack.inner.a"
    assert tasks["src/pack/inner/a.py"]["path"][0].endswith("src")
    assert tasks["models/layers.py"]["module"] == "models.layers"
    assert tasks["tools/01_draw.py"]["module"] == "01_draw"


def test_an_empty_folder(try_port, tmp_path):
    for file in (tmp_path / "port").iterdir():
        file.unlink()
    code, out, _, _ = try_port()
    assert code == 2 and "imports 0/0" in out and "no script to run was found" in out


def test_an_interpreter_is_named_from_where_the_command_is_started(try_port):
    assert try_port()[0] == try_port("--interpreter", "./python")[0] == 0
