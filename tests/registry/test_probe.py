"""Probes: whatever the interpreter does, there is an answer or a reason, and nothing is left running."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mindport.registry import probe_process
from mindport.registry.probe import ProbeAnswer, ProbeFailure, run_probe
from mindport.registry.probe_process import PROBES

HERE = Path(sys.executable)
LOUD = "import os, sys\nprint('hello'); os.system('echo from a child')\n"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Runs the text of a probe."""
    (tmp_path / "probe_channel.py").write_text((PROBES / "probe_channel.py").read_text())
    monkeypatch.setattr(probe_process, "PROBES", tmp_path)

    def run(text, request=None, seconds=20.0):
        (tmp_path / "one.py").write_text(text)
        return run_probe(HERE, "one", request or {}, seconds)

    return run


def test_versions_of_this_interpreter():
    answer = run_probe(HERE, "versions", {}, 30)
    assert isinstance(answer, ProbeAnswer)
    assert answer.content["python"] == ".".join(map(str, sys.version_info[:3]))
    for name in ("torch", "mindspore", "numpy"):
        has = subprocess.run([HERE, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0
        assert (answer.content[name] is not None) is has


def test_the_answer_survives_what_the_frameworks_print(script):
    text = f"from probe_channel import serve_once\ndef probe(r):\n    exec({LOUD!r})\n    return {{'got': r['x']}}\n"
    answer = script(text + "serve_once(probe)\n", {"x": "größer ✓"})
    assert answer == ProbeAnswer({"got": "größer ✓"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise ValueError('no such device')", "failed: ValueError: no such device"),
        ("import sys; sys.exit(3)", "failed with exit code 3"),
        ("import os; os.abort()", "crashed (signal 6)"),
        ("print('not JSON')", "gave no answer that can be read"),
        ("print('[1]')", "gave no answer that can be read"),
        ("", "gave no answer that can be read"),
        ("this is no Python", "failed: SyntaxError: invalid syntax"),
    ],
)
def test_a_failing_probe_is_a_reason(script, text, reason):
    failure = script(text)
    assert isinstance(failure, ProbeFailure) and failure.reason.endswith(reason)


@pytest.mark.thorough
def test_a_hanging_probe_is_killed_with_its_children(script, tmp_path):
    mark = tmp_path / "child"
    child = f"import time, pathlib; time.sleep(3); pathlib.Path({str(mark)!r}).touch()"
    text = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])\n"
    started = time.monotonic()
    failure = script(text, seconds=1.0)
    assert isinstance(failure, ProbeFailure) and "did not answer within 1 s" in failure.reason
    assert time.monotonic() - started < 3
    time.sleep(3)
    assert not mark.exists()


@pytest.mark.parametrize("interpreter", ["/no/such/python", os.devnull, "/"])
def test_no_interpreter_is_a_reason(interpreter):
    failure = run_probe(Path(interpreter), "versions", {}, 5)
    assert isinstance(failure, ProbeFailure) and "cannot be started" in failure.reason


def test_an_interpreter_that_is_another_program_is_a_reason():
    assert isinstance(run_probe(Path("/bin/echo"), "versions", {}, 5), ProbeFailure)


def test_a_safe_path_in_the_environment_does_not_hide_the_siblings(monkeypatch):
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    assert isinstance(run_probe(HERE, "versions", {}, 30), ProbeAnswer)
