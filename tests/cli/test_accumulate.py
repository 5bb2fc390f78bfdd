"""`mindport accumulate`: what it writes, what it leaves, and the exit codes."""

from pathlib import Path

import pytest

from mindport.cli.main import main

LOOP = """def train(net, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        net(x).backward()
        optimizer.step()
"""
TWO = LOOP + "\n\n" + LOOP.replace("train", "again")


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path("train.py")


def test_every_plain_loop_is_written_in_place(file, capfd):
    file.write_bytes(TWO.replace("\n", "\r\n").encode())
    assert main(["accumulate", "train.py", "--batches", "8"]) == 0
    assert file.read_bytes().decode().count("\r\n    accumulation_steps = 8\r\n") == 2
    assert "Changed 2 loops" in capfd.readouterr().err


def test_a_line_chooses_the_loop(file):
    file.write_text(TWO)
    assert main(["accumulate", "train.py", "--line", "4"]) == 0
    before, again = file.read_text().split("def again")
    assert "accumulation_steps" in before and "accumulation_steps" not in again


def test_a_diff_changes_nothing(file, capfd):
    file.write_text(LOOP)
    assert main(["accumulate", "train.py", "--diff"]) == 0
    assert "+        (net(x) / accumulation_steps).backward()" in capfd.readouterr().out
    assert file.read_text() == LOOP


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("x = 1\n", 1, "No loop was changed"),
        (LOOP.replace("x in loader", "x in draw()"), 1, "train.py:2: left as it is: the number of batches"),
        ("def f(:\n", 1, "No loop was changed"),
        (b"\xff\n", 2, "not valid UTF-8"),
    ],
)
def test_what_stays_is_told(file, capfd, text, code, said):
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = file.read_bytes()
    assert main(["accumulate", "train.py"]) == code
    assert said in capfd.readouterr().err
    assert file.read_bytes() == before
