"""A file that mindport cannot work on costs that file and no other: it is said with its place, the others are fixed and
written, and the exit code is 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindport.checking import analysis, fixing_part, training
from mindport.checking import project as checking
from mindport.checking.project import check_paths
from mindport.cli.main import main
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version

GOOD = "import torch\n\n\ndef join(x: torch.Tensor):\n    return torch.cat([x, x], dim=0)\n"
CPU = ["--device", "CPU", "--target-version", "2.10.0", "--no-cache", "--jobs", "1"]
TARGET = Target(Version(2, 10, 0), Device.CPU)

# name -> (content, line and column that are told): deeper than any step could follow
TOO_DEEP = {
    "calls.py": (b"import torch\nx = torch.ones(1)" + b".abs()" * 2000 + b"\n", "2:"),
    "function.py": (b"import torch\ndef f(x):\n    y = 1\n    return x" + b".view(1)" * 2000 + b"\n", "4:12"),
    "method.py": (b"import torch\nclass A:\n    a = 1\n    b = a" + b".T" * 4000 + b"\n    c = 1\n", "4:"),
    "items.py": (b"# \xe6\xa8\xa1\nimport torch\nx = [1]" + b"[0]" * 4000 + b"\n", "3:"),
    "sum.py": (b"import torch\nx = " + b" + ".join([b"torch.ones(1)"] * 4000) + b"\n", "2:"),
    "choices.py": (b"import torch\nx = " + b"1 if torch else " * 3500 + b"1\n", "2:"),
    "minus.py": (b"import torch\nx = " + b"-" * 3500 + b"torch.ones(1)\n", "2:"),
    "branches.py": (
        b"import torch\nif torch:\n    x = 1\n" + b"elif torch:\n    x = torch.ones(1)\n" * 2500,
        "",
    ),
}  # fmt: skip
# Unusual texts in which something is fixed; a form feed goes where %s stands.
WITH_FORM_FEED = (
    "import torch\n%sdef f(x: torch.Tensor):\n    return torch.cat([x, x], dim=0)\n",
    "import torch\n%s\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return torch.cat([x, x], dim=0)\n",
    "import torch\n%sclass A(torch.nn.Module):\n    def forward(self, x):\n        return torch.cat([x, x], dim=0)\n",
    "import torch\n%s@torch.no_grad()\n%sdef f(x):\n    return torch.cat([x, x], dim=0)\n",
    "import torch\n\n\ndef f(x: torch.Tensor):\n    y = 1\n%s    return torch.cat([x, x], dim=0)\n",
    "import torch\nx = '''a%sb\n%sc'''; y = torch.cat([torch.ones(1), torch.ones(1)], dim=0)\n",
)
OTHER_TEXTS = {
    "carriage_return.py": GOOD.replace("\n", "\r").encode(),
    "mixed.py": GOOD.replace("\n", "\r\n", 2).encode(),
    "mark.py": b"\xef\xbb\xbf" + GOOD.encode(),
    "separators.py": ("# \x0b\x1c\x85\u2028\n" + GOOD).encode(),
    "separators_in_text.py": (
        GOOD + "s = '\x0b\x1c\x85\u2028'; t = torch.cat([torch.ones(1)], dim=0)\n"
    ).encode(),
    "longest_sum.py": (GOOD + "y = " + " + ".join(["join(1)"] * 1500) + "\n").encode(),
    "longest_chain.py": (GOOD + "y = join(1)" + ".T" * 1400 + "\n").encode(),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


@pytest.mark.thorough
def test_what_is_too_deep_stays_and_the_rest_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, (content, _) in TOO_DEEP.items():
        (folder / name).write_bytes(content)
    (folder / "user.py").write_text(
        "import torch\nfrom calls import x\ny = torch.cat([torch.ones(1), x], dim=0)\n"
    )
    assert main(["fix", ".", *CPU, "--unsafe-fixes"]) == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told
    for name, (content, place) in TOO_DEEP.items():
        assert (folder / name).read_bytes() == content
        (line,) = [line for line in told.splitlines() if name in line]
        assert f"{name}:{place}" in line
        assert "is nested too deeply to be analysed" in line
    for name in ("good.py", "user.py"):
        assert "mindspore" in (folder / name).read_text()


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check", "inventory", "report"])
def test_what_is_too_deep_costs_no_other_file_its_findings(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "calls.py").write_bytes(TOO_DEEP["calls.py"][0] + b"z = torch.no_such_name\n")
    (folder / "user.py").write_text("import torch\nfrom calls import x\ny = torch.cat([x], dim=0)\n")
    code = main([command, ".", *(["--format", "markdown"] if command == "report" else []), *CPU])
    output = capsys.readouterr()
    assert code == {"check": 1, "inventory": 2, "report": 0}[command]
    assert "user.py:1:1: " not in output.out + output.err
    assert (output.out + output.err).count("too deeply") == 1
    if command != "report":
        assert "torch.no_such_name" in output.out  # of the same file


@pytest.mark.parametrize("text", WITH_FORM_FEED)
def test_a_form_feed_changes_nothing_but_stays(text: str, folder: Path) -> None:
    written = []
    for feed in ("", "\x0c"):
        (folder / "text.py").write_bytes(text.replace("%s", feed).encode())
        assert main(["fix", "text.py", *CPU, "--unsafe-fixes"]) in (0, 1)
        written.append((folder / "text.py").read_bytes().decode())
    assert "mindspore" in written[0]
    assert written[1].count("\x0c") == text.count("%s")
    assert written[1].replace("\x0c", "") == written[0]


@pytest.mark.thorough
@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_unusual_texts_are_fixed_like_any_other(name: str, folder: Path) -> None:
    (folder / name).write_bytes(OTHER_TEXTS[name])
    assert main(["fix", name, *CPU, "--unsafe-fixes"]) in (0, 1)
    assert b"mindspore" in (folder / name).read_bytes()


def _raising(original: Callable[..., Any], name: str, on_call: int) -> Callable[..., Any]:
    """A function that fails on the file of that name when it is called for it the `on_call`-th time."""
    calls = 0

    def failing(path: str, *rest: object, **more: object) -> object:
        nonlocal calls
        calls += path.endswith(name)
        if path.endswith(name) and calls >= on_call:
            raise KeyError("a defect")
        return original(path, *rest, **more)

    return failing


@pytest.mark.parametrize("on_call", [1, 2])
@pytest.mark.parametrize("arguments", [[], ["--diff"], ["-o", "out"]])
def test_a_defect_in_any_round_costs_one_file(
    on_call: int,
    arguments: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "bad.py").write_text(GOOD)
    (folder / "user.py").write_text(
        "import torch\nfrom bad import join\ny = join(torch.cat([torch.ones(1)], dim=0))\n"
    )
    monkeypatch.setattr(fixing_part, "fix_once", _raising(fixing_part.fix_once, "bad.py", on_call))
    assert main(["fix", "bad.py", "good.py", "user.py", *CPU, *arguments]) == 2
    output = capsys.readouterr()
    assert (
        "bad.py: fixing this file failed inside mindport, so it stays as it is: KeyError: 'a defect'"
        in output.err
    )
    where = folder / "out" if "-o" in arguments else folder
    assert (where / "bad.py").read_text() == GOOD
    for name in ("good.py", "user.py"):
        written = (
            output.out.partition(f"+++ b/{name}")[2]
            if arguments == ["--diff"]
            else (where / name).read_text()
        )
        assert "mindspore" in written


@pytest.mark.parametrize(
    ("step", "commands"), [("check_file", ["check", "fix"]), ("training_rewrites", ["check", "fix"])]
)
def test_a_defect_in_a_report_costs_one_file(
    step: str,
    commands: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "bad.py").write_text("import torch\nBAD = 1\n")

    def failing(original: Callable[..., Any]) -> Callable[..., Any]:
        def fail(first: Any, second: Any, *rest: Any, **more: Any) -> Any:
            text = first if isinstance(first, str) else getattr(first, "text", second)
            if "BAD" in text:
                raise KeyError("a defect")
            return original(first, second, *rest, **more)

        return fail

    for module in (fixing_part, checking, analysis, training):
        if hasattr(module, step):
            monkeypatch.setattr(module, step, failing(getattr(module, step)))
    for command in commands:
        code = main([command, "bad.py", "good.py", *CPU])
        output = capsys.readouterr()
        assert code == (1 if command == "check" else 2)
        assert "analysing this file failed inside mindport: KeyError: 'a defect'" in output.out + output.err
    assert "mindspore" in (folder / "good.py").read_text()


def test_a_defect_in_accumulate_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mindport.cli.accumulate.compose", lambda *_: {}["a defect"])
    assert main(["accumulate", "good.py"]) == 2
    assert "good.py: analysing this file failed inside mindport: KeyError" in capsys.readouterr().err


@pytest.mark.skipif(
    sys.platform != "linux", reason="the patched function reaches other processes by fork only"
)
def test_a_process_that_dies_costs_the_file_that_ends_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"part_{number}.py" for number in range(4)]
    for name in names:
        (folder / name).write_text(GOOD + "torch.no_such_name\n")
    (folder / "part_1.py").write_text("import part_2\n" + GOOD)  # in one part with part_2
    expected = list(check_paths(names, Settings(jobs=1), TARGET, ".", use_cache=False))
    original = checking.analyse

    def dying(path: str, *rest: Any, **more: Any) -> Any:
        if path == "part_2.py":
            os._exit(9)
        return original(path, *rest, **more)

    monkeypatch.setattr(checking, "analyse", dying)
    monkeypatch.setattr(checking, "CHARACTERS_FOR_PROCESSES", 10)
    found = list(check_paths(names, Settings(jobs=2), TARGET, "."))
    assert [(one.rule, one.message) for one in found[2].findings] == [
        ("MP903", "the process that analysed this file ended before it was done")
    ]
    assert [*found[:2], found[3]] == [*expected[:2], expected[3]]
    # What a process died of may be gone the next time, so it is not kept.
    monkeypatch.setattr(checking, "analyse", original)
    assert list(check_paths(names, Settings(jobs=2), TARGET, ".")) == expected
