"""`explain --second-order` and `verify-second-order`, as far as no framework is needed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindport.cli.main import main
from mindport.explain.double_gradient import double_gradient_text, is_right
from mindport.model.target import Device, Version
from mindport.registry.bprops import Result, second_order_facts
from mindport.registry.live_bprops import LiveFacts

TARGET = ("--device", "CPU", "--target-version", "2.10.0")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        code = main([*arguments, *TARGET])
        out, err = capfd.readouterr()
        return code, out, err

    return command


@pytest.mark.parametrize(
    "name", ["mindspore.ops.max_pool2d", "F.max_pool2d", "torch.nn.functional.max_pool2d"]
)
def test_the_chain_is_shown_as_a_tree(run, name):
    code, out, _ = run("explain", "--second-order", name)
    assert code == 0
    assert "└─ MaxPoolWithArgmaxV2\n   ├─ MaxPoolGradWithArgmaxV2  <- no bprop\n" in out
    for heading in ("Registry: missing link", "Measured: PyNative raises", "Hazard: ", "Caveat: "):
        assert f"\n{heading}" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "--second-order", "mindspore.ops.nothing"), "no public name"),
        (("explain", "--live", "torch.relu"), "--live goes with"),
        (("verify-second-order", "no_file.py:f", "--input", "2"), "no FILE:ENTRY"),
        (("verify-second-order", "a.py", "--input", "2"), "no FILE:ENTRY"),
        (("verify-second-order", "a.py:f", "--input", "2,x"), "no shape"),
        (("verify-second-order", "a.py:f", "--input", "0"), "no shape"),
        (("verify-second-order", "a.py:f", *(("--input", "2") * 4)), "at most 3"),
    ],
)
def test_wrong_arguments_are_told(run, arguments, message):
    Path("a.py").write_text("def f(x):\n    return x\n")
    code, _, err = run(*arguments)
    assert code == 2 and message in err


@pytest.mark.skipif(os.name == "nt", reason="the interpreter is a shell script")
def test_an_interpreter_that_does_not_answer_is_no_result(run):
    Path("a.py").write_text("def f(x):\n    return x\n")
    script = Path("python")
    script.write_text("#!/bin/sh\necho no such module >&2\nexit 3\n")
    script.chmod(0o755)
    code, out, err = run(
        "verify-second-order", "a.py:f", "--input", "2", "--interpreter", str(script.resolve())
    )
    assert (code, out) == (2, "") and "failed: no such module" in err
    code, out, err = run(
        "explain", "--second-order", "--live", "mindspore.nn.ELU", "--interpreter", str(script.resolve())
    )
    assert code == 0 and "Elu -> EluGrad" in out and "The registry: the data of MindSpore 2.10.0" in out
    assert "failed: no such module" in err


EVERYTHING = ["import", "build", "forward", "first", "graph", "pynative"]


@pytest.mark.parametrize(
    ("answer", "right", "words"),
    [
        ({"stages": EVERYTHING, "error": {}, "difference": 1e-7}, True, "agree to 1e-07"),
        (
            {"stages": EVERYTHING, "error": {}, "difference": 0.5},
            False,
            "Run the inner gradient under `ms.jit`",
        ),
        (
            {"stages": EVERYTHING[:4], "error": {"graph": "RuntimeError: x"}, "missing": "EluGrad"},
            False,
            "First failing link: Elu or SeLU -> EluGrad, which has no bprop.",
        ),
        (
            {"stages": [], "error": {"import": "ImportError: no"}},
            False,
            "no   the file is imported: ImportError: no",
        ),
        ({}, False, "(not imported)"),
    ],
)
def test_what_a_run_showed_is_said(answer, right, words):
    assert is_right(answer) is right
    assert words in double_gradient_text(answer, Device.CPU, second_order_facts(Version(2, 10)))


def test_the_installed_registry_counts_before_the_data():
    shipped = second_order_facts(Version(2, 10))
    live = LiveFacts(shipped, Version(2, 11), {"EluGrad": True, "Elu": True})
    assert all(not chain.missing for chain in live.chain("mindspore.nn.ELU"))
    (sentence,) = live.disagreements("mindspore.nn.ELU")
    assert sentence == "EluGrad has a bprop in the installed MindSpore, has none in the data of 2.10.0"
    assert live.collected_version == Version(2, 11)
    # What raised for want of that bprop would not any more; the rest stays.
    assert shipped.measured("mindspore.nn.ELU") and not live.measured("mindspore.nn.ELU")
    assert live.measured("mindspore.ops.tanh") == shipped.measured("mindspore.ops.tanh")
    assert live.disagreements("mindspore.ops.tanh") == ()


def test_a_bprop_that_is_gone_counts_before_what_was_measured():
    shipped = second_order_facts(Version(2, 10))
    live = LiveFacts(shipped, Version(2, 11), {"Tanh": True, "TanhGrad": False})
    assert all(chain.missing == (("Tanh", "TanhGrad"),) for chain in live.chain("mindspore.ops.tanh"))
    assert not any(row.result is Result.RIGHT for row in live.measured("mindspore.ops.tanh"))


def test_operators_that_need_no_bprop_are_never_missing():
    shipped = second_order_facts(Version(2, 10))
    live = LiveFacts(shipped, Version(2, 10), dict.fromkeys(("MakeTuple", "BroadcastGradientArgs"), False))
    for api in shipped.measured_apis():
        assert live.disagreements(api) == () and live.chain(api) == shipped.chain(api)
