"""What the tracer keeps of a program, how it ends, and what it leaves alone; with a stand-in for torch. The oracle tier
traces with torch itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from mindport.prove.trace import trace_program
from mindport.prove.trace_command import CannotTrace, read_command
from mindport.registry.probe_process import PROBES
from mindport.usage.seen.run import digest_of
from mindport.usage.seen.trace import Trace

STAND_IN = Path(__file__).parent / "stand_in_torch"
HAS_COLUMNS = sys.version_info >= (3, 11)

NETWORK = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, 2, bias=False)

    def forward(self, x, scale=None):
        return self.layer(x).view(2, 3) + 1


def rows(count, *, kind='a'):
    return torch.Tensor(count, 3)
"""
TRAIN = """\
import sys
import torch
from net import Net, rows


def main():
    net, optimizer = Net(3), torch.optim.Optimizer(lr=0.5)
    net.train(False)
    for step in range(STEPS):
        net(rows(step + 1))
        optimizer.step()
    print('done', sys.argv[1:])


if __name__ == '__main__':
    main()
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    Path("net.py").write_text(NETWORK)
    return tmp_path


def traced(root: Path, code: str, *words: str, steps: int = 3, seconds: float = 60) -> Trace:
    """The trace of a program with this code."""
    Path("train.py").write_text(code)
    command = read_command(words or ("train.py",), os.environ)
    return trace_program(command, Path(sys.executable), root, steps, seconds)


def steps_of(count: int) -> str:
    return TRAIN.replace("STEPS", str(count))


def test_what_functions_got_and_gave(project):
    found = traced(project, steps_of(2)).files
    assert found.keys() == {"net.py", "train.py"}
    assert found["net.py"].sha256 == digest_of(NETWORK)
    functions = {one.name.rpartition(".")[2]: one for one in found["net.py"].functions}
    x = functions["forward"].parameters["x"]
    assert x.types == ("torch.Tensor",)
    assert x.tensor.shape == (None, 3) and x.tensor.dtypes == ("torch.float32",)
    assert functions["forward"].parameters["scale"].values == (None,)
    assert functions["rows"].parameters["count"].values == (1, 2)
    assert functions["rows"].parameters["kind"].values == ("a",)
    assert functions["rows"].result.types == ("torch.Tensor",)
    [kept] = [one for one in found["net.py"].classes if one.name == "Net"]
    assert kept.attributes["layer"].types == ("torch.nn.Linear",)
    assert kept.attributes["training"].values == (True, False)


@pytest.mark.skipif(not HAS_COLUMNS, reason="the interpreter tells no columns")
def test_what_was_called_where(project):
    lines = NETWORK.splitlines()
    found = {
        lines[one.place[0] - 1][one.place[1] : one.place[3]]: one
        for one in traced(project, steps_of(2)).files["net.py"].calls
    }
    assert found["nn.Linear(size, 2, bias=False)"].name == "torch.nn.Linear"
    assert found["nn.Linear(size, 2, bias=False)"].keywords["bias"].values == (False,)
    assert found["self.layer(x)"].name == "torch.nn.Module.__call__"
    view = found["self.layer(x).view(2, 3)"]
    assert view.name == "torch.Tensor.view" and view.times == 2
    assert [one.types for one in view.arguments] == [("torch.Tensor",), ("int",), ("int",)]
    assert view.arguments[1].values == (2,) and view.result.tensor.shape == (2, 3)
    assert found["self.layer(x).view(2, 3) + 1"].name == "torch.Tensor.add"


@pytest.mark.parametrize(
    ("code", "steps", "ending", "taken"),
    [
        (steps_of(2), 3, "exit", 2),
        (steps_of(9), 3, "steps", 3),
        (steps_of(2) + "\nraise ValueError('no more')\n", 3, "error", 2),
        (steps_of(2) + "\nsys.exit(3)\n", 3, "error", 2),
        (steps_of(2) + "\nsys.exit(0)\n", 3, "exit", 2),
        (steps_of(2) + "\nraise KeyboardInterrupt\n", 3, "interrupted", 2),
    ],
)
def test_what_was_seen_is_kept_however_a_program_ends(project, capfd, code, steps, ending, taken):
    found = traced(project, code, steps=steps)
    assert (found.ending, found.steps) == (ending, taken)
    assert found.files["net.py"].functions
    assert ("done" in capfd.readouterr().out) is (ending != "steps")


@pytest.mark.thorough
def test_a_program_that_takes_too_long_is_ended(project):
    started = time.monotonic()
    found = traced(project, steps_of(1) + "\nimport time\ntime.sleep(60)\n", seconds=2)
    assert found.ending == "time" and found.files["net.py"].functions
    assert time.monotonic() - started < 30


@pytest.mark.thorough
def test_what_running_methods_have_kept_is_seen_when_a_program_is_ended(project):
    code = (
        "import time\n\n\nclass Trainer:\n    def run(self):\n        self.rate = 0.5\n        time.sleep(60)\n\n\n"
        "Trainer().run()\n"
    )
    [kept] = traced(project, code, seconds=2).files["train.py"].classes
    assert kept.attributes["rate"].values == (0.5,)


def test_a_program_has_its_arguments_folder_and_streams(project, capfd):
    traced(project, steps_of(1), "train.py", "--epochs", "-1")
    assert "done ['--epochs', '-1']" in capfd.readouterr().out


def test_a_module_of_a_package(project):
    Path("pkg").mkdir()
    Path("pkg/__init__.py").write_text("")
    Path("pkg/other.py").write_text("import torch\n\n\ndef rows():\n    return torch.Tensor(1, 3)\n")
    Path("pkg/run.py").write_text("from .other import rows\n\nrows()\n")
    found = traced(project, "", sys.executable, "-m", "pkg.run")
    assert [one.name for one in found.files["pkg/other.py"].functions] == ["rows"]
    assert found.command == ("-m", "pkg.run")


def test_what_is_not_of_the_project_is_not_kept(project):
    for folder in ("venv/lib/site-packages", "../beside"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, f"{Path(folder).name.replace('-', '_')}.py").write_text("def f(x):\n    return x\n")
    code = "import sys\nsys.path += ['venv/lib/site-packages', '../beside']\nimport site_packages, beside, json\n"
    code += "site_packages.f(1)\nbeside.f(1)\njson.dumps([])\n\n\ndef own():\n    pass\n\n\nown()\n"
    assert traced(project, code).files.keys() == {"train.py"}


def test_modules_with_names_of_ours_are_the_programs_own(project):
    Path("tracing.py").write_text("VALUE = 7\n")
    Path("versions.py").write_text("VALUE = 8\n")
    code = "import trace, tracing, versions\ntrace.Trace\n\n\ndef f(a, b):\n    pass\n\n\n"
    code += "f(tracing.VALUE, versions.VALUE)\n"
    [function] = traced(project, code).files["train.py"].functions
    assert [one.values for one in function.parameters.values()] == [(7,), (8,)]


def test_what_is_kept_is_bounded(project):
    code = (
        "def f(x):\n    pass\n\n\nfor i in range(1000):\n    f(i)\nf('long' * 1000)\n\n\n"
        "def g(x):\n    pass\n\n\nkinds = [type(f'K{i}', (), {}) for i in range(30)]\n"
        "for kind in kinds:\n    g(kind())\n"
        "import math\ng(math.inf)\nlist_of_itself = []\nlist_of_itself.append(list_of_itself)\nf(list_of_itself)\n"
    )
    first, second = traced(project, code).files["train.py"].functions
    assert first.times == 1002 and first.parameters["x"].values == ()
    assert len(second.parameters["x"].types) == 9 and second.parameters["x"].types[-1] == "..."


HOSTILE = """\
class Odd:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError(name)


class Other(metaclass=Meta):
    pass


def f(x):
    return x


f(Odd())
f(Other())
print('came through')
"""


def test_objects_that_raise_when_they_are_looked_at_do_no_harm(project, capfd):
    assert traced(project, HOSTILE).ending == "exit"
    assert "came through" in capfd.readouterr().out


def test_a_forked_process_is_left_alone(project):
    code = "import os\n\n\ndef f(x):\n    pass\n\n\nf(1)\n"
    code += "if os.fork() == 0:\n    f('child')\n    os._exit(0)\nos.wait()\n"
    [function] = traced(project, code).files["train.py"].functions
    assert function.parameters["x"].values == (1,)


def test_interrupted_from_the_keyboard(project):
    Path("train.py").write_text(steps_of(1) + "\nprint('ready', flush=True)\nimport time\ntime.sleep(60)\n")
    request = {
        "root": str(project), "arguments": ["train.py"], "as_module": False, "steps": 3, "seconds": 60,
        "keep": str(project / "kept.json"), "calls": "",
    }  # fmt: skip
    Path("request.json").write_bytes(msgspec.json.encode(request))
    words = [sys.executable, str(PROBES / "trace_program.py"), "request.json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert any("ready" in line for line in process.stdout)
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert msgspec.json.decode(Path("kept.json").read_bytes())["ending"] == "interrupted"


def test_without_torch_there_is_nothing(project, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(CannotTrace, match="ended with code 1 before anything was seen"):
        traced(project, steps_of(1))


@pytest.mark.parametrize(
    ("words", "interpreter", "flags", "arguments", "as_module"),
    [
        (("train.py", "-x"), "", (), ("train.py", "-x"), False),
        (("/opt/python3", "train.py"), "/opt/python3", (), ("train.py",), False),
        (("/opt/python3.12", "-m", "a.b", "-m"), "/opt/python3.12", (), ("a.b", "-m"), True),
        (("/opt/python", "-u", "-W", "ignore", "-Xdev", "train.py"), "/opt/python", ("-u", "-W", "ignore", "-Xdev"),
         ("train.py",), False),
    ],
)  # fmt: skip
def test_commands_are_read_as_a_shell_would_run_them(
    project, words, interpreter, flags, arguments, as_module
):
    Path("train.py").write_text("")
    found = read_command(words, {})
    assert (found.interpreter, found.flags, found.arguments, found.as_module) == (
        interpreter, flags, arguments, as_module
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "say what to run"),
        (("torchrun", "--nproc", "2", "train.py"), "torchrun starts several processes"),
        (("/usr/bin/mpirun", "python", "train.py"), "mpirun starts several processes"),
        (("accelerate", "launch", "train.py"), "accelerate starts several processes"),
        (
            ("python", "-m", "torch.distributed.run", "train.py"),
            "torch.distributed.run starts several processes",
        ),
        (("bash", "train.sh"), "bash is no Python"),
        (("python", "-c", "print(1)"), "-c of Python cannot be traced"),
        (("python",), "the command names no program"),
        (("python", "missing.py"), "there is no file missing.py"),
        (("missing.py",), "there is no file missing.py"),
    ],
)
def test_what_cannot_be_traced_is_told(project, words, reason):
    with pytest.raises(CannotTrace, match=reason):
        read_command(words, os.environ)
