"""Small ports, tried with MindSpore: how far each entry comes and why no further."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.trial import Trial, TrialEntry, try_port
from mindport.prove.trial_outcome import FileLine, Status, TrialStage

pytestmark = pytest.mark.oracle

CPU = Target(Version(2, 10, 0), Device.CPU)
NET = """
import mindspore, numpy
from mindspore import mint, nn, ops


class Net(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        self.fc = mint.nn.Linear(width, 3)

    def construct(self, x):
        return self.fc(x)


class Head(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = mint.nn.Linear(4, 3)
        self.gone = None.missing

class Sum(nn.Cell):
    def construct(self, x):
        return x.sum()


def data():
    return mindspore.Tensor(numpy.ones((2, 4)), mindspore.float32)


def train(net, optimizer, factor=1.0):
    def loss_of(x):
        return (net(x) * factor).sum()

    step = mindspore.value_and_grad(loss_of, None, optimizer.parameters)
    loss, gradients = step(data())
    optimizer(gradients)
    return loss
"""
START = "from net import *\n"
GUARD = 'if __name__ == "__main__":\n    main()\n'
RUNS, FAILS, NEEDS = Status.RUNS, Status.FAILS, Status.NEEDS
TRAIN, FORWARD, BUILD = TrialStage.TRAIN, TrialStage.FORWARD, TrialStage.BUILD

_HEADING = re.compile(r"## (\w+): (\w+), (\w+):(.*)")


def read_entries():
    """By name: the status, the last stage, what is said, the body."""
    text = Path(__file__).with_name("entries.txt").read_text("utf-8")
    _, *parts = _HEADING.split(text)
    for name, status, last, said, body in zip(*(parts[start::5] for start in range(5)), strict=True):
        yield (
            name,
            (Status(status), None if last == "nothing" else TrialStage(last), said.strip(), body.strip()),
        )


ENTRIES = dict(read_entries())


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """The attempts at all entries, by name, and the folder."""
    folder = tmp_path_factory.mktemp("port")
    (folder / "net.py").write_text(NET)
    for name, (*_, body) in ENTRIES.items():
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (folder / f"{name}.py").write_text(f"{START}def main():\n{lines}{GUARD}")
    trial = Trial(folder=folder, seconds=8, memory=1.5)
    outcome = try_port(trial, CPU, Path(sys.executable))
    assert not outcome.problem
    return {one.file: one for one in outcome.attempts if one.is_entry}, outcome, folder


@pytest.mark.parametrize("name", ENTRIES)
def test_how_far_an_entry_comes(tried, name):
    attempt = tried[0][f"{name}.py"]
    status, last, said, _ = ENTRIES[name]
    reached = attempt.reached[-1] if attempt.reached else None
    assert (attempt.status, reached) == (status, last), attempt
    assert said in f"{attempt.reason} {attempt.error}"


def test_every_file_is_imported(tried):
    count = tried[1].count(TrialStage.IMPORT)
    assert count.reached == count.wanted == len(ENTRIES) + 1


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("fails_first", FileLine("fails_first.py", 3)),
        ("fails_in_forward", FileLine("net.py", 12)),
        ("fails_to_build", FileLine("net.py", 19)),
        ("endless", FileLine("endless.py", 3)),
        ("crashes", FileLine("crashes.py", 4)),
        ("takes_memory", FileLine("takes_memory.py", 4)),
        ("exits", FileLine("exits.py", 5)),
        ("exits_at_once", None),
    ],
)
def test_the_place_of_a_failure(tried, name, place):
    assert tried[0][f"{name}.py"].port == place


def test_nothing_is_left_running(tried):
    left = int((tried[2] / "left").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(left, 0)


def attempts_of(folder, texts, *entries, target=CPU, **values):
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    trial = Trial(folder=folder, entries=entries, **{"seconds": 20, **values})
    return try_port(trial, target, Path(sys.executable)).attempts


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("data/all.txt", (RUNS, BUILD)),
        ("code/all.txt", (NEEDS, BUILD)),
        ("code/data/all.txt", (NEEDS, BUILD)),
    ],
)
def test_script_whose_data_lie_beside_its_folder(tmp_path, data, expected):
    texts = {
        "code/net.py": NET,
        "code/run.py": f"{START}def main():\n    open('../data/all.txt').close()\n    net = Net()\n{GUARD}",
        data: "",
    }
    entry = next(one for one in attempts_of(tmp_path, texts) if one.is_entry)
    assert (entry.status, entry.reached[-1]) == expected


@pytest.mark.parametrize(
    ("data", "expected"), [("data/a.txt", (RUNS, FORWARD)), ("code/a.txt", (RUNS, BUILD))]
)
def test_script_that_finds_no_files_from_the_top(tmp_path, data, expected):
    loop = "    for _ in glob.glob('../data/*.txt'):\n        net(mindspore.ops.ones((2, 4)))\n"
    texts = {
        "code/net.py": NET,
        "code/run.py": f"import glob\n{START}def main():\n    net = Net()\n{loop}{GUARD}",
        data: "",
    }
    entry = next(one for one in attempts_of(tmp_path, texts) if one.is_entry)
    assert (entry.status, entry.reached[-1]) == expected


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("code", "inputs", "status", "last"),
    [
        ("Net()", ("randn(2, 4)",), RUNS, TRAIN),
        ("Net()", (), RUNS, BUILD),
        ("Net()", ("randn(2, 5)",), FAILS, BUILD),
        ("Net('a')", ("randn(2, 4)",), FAILS, None),
        ("Nothing()", (), FAILS, None),
        ("data()", (), RUNS, None),
        ("data()", ("randn(2, 4)",), NEEDS, None),
        ("train(*(lambda net: (net, nn.SGD(net.trainable_params())))(Net()))", (), RUNS, TRAIN),
    ],
)
def test_an_expression(tmp_path, mode, code, inputs, status, last):
    entry = TrialEntry("net.py", (), code, inputs)
    target = Target(Version(2, 10, 0), Device.CPU, mode)
    attempt = attempts_of(tmp_path, {"net.py": NET}, entry, target=target)[-1]
    reached = attempt.reached[-1] if attempt.reached else None
    assert (attempt.status, reached) == (status, last), attempt


def test_a_file_that_does_not_import(tmp_path):
    texts = {
        "net.py": NET,
        "a.py": "import net\nfrom mindspore import nothing_of_it\n",
        "b.py": "def f(:\n",
        "c.py": "import a\n",
    }
    attempts = {one.file: one for one in attempts_of(tmp_path, texts)}
    assert {file: one.status for file, one in attempts.items()} == {
        "net.py": RUNS,
        "a.py": FAILS,
        "b.py": FAILS,
        "c.py": FAILS,
    }
    assert [attempts[file].port for file in ("a.py", "b.py", "c.py")] == [
        FileLine("a.py", 2), FileLine("b.py", 1), FileLine("a.py", 2)
    ]  # fmt: skip


def test_a_package_is_run_as_one(tmp_path):
    texts = {
        "pack/__init__.py": "",
        "pack/net.py": NET,
        "pack/train.py": "from .net import *\ndef main():\n    print(Net()(data()))\n" + GUARD,
        "tools/run.py": "from pack.net import *\ndef main():\n    Net(5)(data())\n" + GUARD,
    }
    attempts = {one.name: one for one in attempts_of(tmp_path, texts) if one.is_entry}
    assert attempts["pack/train.py"].reached == (BUILD, FORWARD)
    assert attempts["tools/run.py"].port == FileLine("pack/net.py", 12)


@pytest.mark.parametrize("name", ["trial", "trial_task", "program", "versions", "oracle", "probe_channel"])
def test_a_module_of_the_port_may_have_any_name(tmp_path, name):
    texts = {
        f"{name}.py": "VALUE = 1\n",
        "use.py": f"from {name} import VALUE\n" + GUARD.replace("main()", "VALUE"),
    }
    assert {one.status for one in attempts_of(tmp_path, texts)} == {RUNS}


def test_a_device_that_is_not_there_is_no_failure_of_the_port(tmp_path):
    (tmp_path / "net.py").write_text("")
    target = Target(Version(2, 10, 0), Device.ASCEND)
    outcome = try_port(Trial(folder=tmp_path), target, Path(sys.executable))
    assert not outcome.attempts and "cannot run MindSpore on Ascend" in outcome.problem


def test_places_are_told_in_the_original(tmp_path):
    original = tmp_path / "original"
    original.mkdir()
    (original / "net.py").write_text(
        NET.replace("mindspore, numpy\n", "torch\n").replace("from mindspore import mint, nn, ops\n", "")
    )
    entry = TrialEntry("net.py", (), "Net(5)(data())")
    _, attempt = attempts_of(tmp_path / "port", {"net.py": NET}, entry, original=original)
    assert (attempt.port, attempt.original) == (FileLine("net.py", 12), FileLine("net.py", 11))


def test_more_steps(tmp_path):
    body = """net = Net()
    o = nn.SGD(net.trainable_params(), 0.1)
    for i in range(5):
        train(net, o) if i < 2 else None.end"""
    texts = {"net.py": NET, "train.py": f"{START}def main():\n    {body}\n{GUARD}"}
    for steps, status in ((1, RUNS), (3, FAILS)):
        assert attempts_of(tmp_path, texts, steps=steps)[-1].status is status


LEAVES_ONE = """import os, time
if os.fork() == 0:
    os.setsid()
    open("left", "w").write(str(os.getpid()))
time.sleep(600)
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_the_end_of_the_command_is_that_of_all_processes(tmp_path, sent):
    (tmp_path / "a.py").write_text('if __name__ == "__main__":\n' + textwrap.indent(LEAVES_ONE, "    "))
    left = tmp_path / "left"
    command = [sys.executable, "-m", "mindport", "try", str(tmp_path), "--device", "CPU"]
    process = subprocess.Popen([*command, "--interpreter", sys.executable], cwd=tmp_path)
    assert _comes(lambda: left.exists() and left.read_text())
    process.send_signal(sent)
    assert process.wait(20) == (130 if sent is signal.SIGINT else -signal.SIGKILL)
    assert _comes(lambda: not Path(f"/proc/{left.read_text()}").exists())


def _comes(condition):
    """Whether it comes to be within a minute."""
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_it_can_be_given_up(tmp_path):
    class Given(Exception):
        pass

    def progress(done, of):
        if done:
            raise Given

    (tmp_path / "net.py").write_text(NET)
    before = set(_processes())
    with pytest.raises(Given):
        try_port(Trial(folder=tmp_path), CPU, Path(sys.executable), progress)
    time.sleep(0.5)
    assert not {one for one in set(_processes()) - before if "trial.py" in one[1]}
    assert threading.active_count() < 20


def _processes():
    for process in Path("/proc").glob("[0-9]*"):
        try:
            yield process.name, (process / "cmdline").read_text()
        except OSError:
            continue
