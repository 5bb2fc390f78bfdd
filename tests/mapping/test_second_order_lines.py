"""The four lines about an API on a second-order link, from facts made for the purpose."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mindport.checking.engine import Engine
from mindport.mapping.second_order import LinkOutcome, mindspore_names, second_order_of
from mindport.model.target import Device, Mode, Target, Version
from mindport.registry.bprops import Chain, Measurement, Result, second_order_facts
from mindport.registry.bprops import Link as ChainLink
from mindport.usage.project import Project

VERSION = Version(2, 10)
CPU = Target(VERSION, Device.CPU)
ASCEND = Target(VERSION, Device.ASCEND)
COMPLETE = Chain(arguments={}, links=(ChainLink("Tanh", True, (ChainLink("TanhGrad", True),)),))
MISSING = Chain(arguments={}, links=(ChainLink("Elu", True, (ChainLink("EluGrad", False),)),))


def row(
    how: Mode, result: Result, text: str = "", rank: int = 2, wide: bool = False, **arguments: str
) -> Measurement:
    return Measurement(
        apis=("a",), arguments=arguments, shapes={"x": (2,) * rank}, code="y = a(x)", torch="y = a(x)",
        device=Device.CPU, mode=how, of_all_inputs=wide, result=result, text=text,
        hazard=how is Mode.PYNATIVE and result is Result.WRONG and "lost" in text,
    )  # fmt: skip


def facts(
    *rows: Measurement, chains: tuple[Chain, ...] = (), measured: Version | None = VERSION
) -> SimpleNamespace:
    return SimpleNamespace(
        collected_version=VERSION,
        measured_version=measured,
        measured=lambda api: rows,
        measured_together=lambda api: (),
        emitters=lambda operator: ("Elu",),
        compiled=lambda api: (),
        chain=lambda api: chains,
    )


PYNATIVE, GRAPH = Mode.PYNATIVE, Mode.GRAPH
RIGHT, WRONG, RAISES, NOT_RUN = Result.RIGHT, Result.WRONG, Result.RAISES, Result.NOT_RUN
NO_BPROP = "RuntimeError: Illegal primitive EluGrad's bprop not defined"
CUT = (row(PYNATIVE, WRONG, "lost"), row(GRAPH, RIGHT))


@pytest.mark.parametrize(
    ("known", "target", "mode", "expected"),
    [
        (facts(row(PYNATIVE, RIGHT), chains=(COMPLETE,)), CPU, PYNATIVE, LinkOutcome.FINE),
        (facts(row(PYNATIVE, WRONG), chains=(COMPLETE,)), CPU, PYNATIVE, LinkOutcome.WRONG),
        (facts(*CUT, chains=(COMPLETE,)), CPU, PYNATIVE, LinkOutcome.WRONG),
        (facts(*CUT, chains=(COMPLETE,)), CPU, GRAPH, LinkOutcome.FINE),
        (facts(*CUT, chains=(COMPLETE,)), ASCEND, PYNATIVE, LinkOutcome.HAZARD),
        (facts(*CUT, chains=(COMPLETE,)), ASCEND, GRAPH, LinkOutcome.UNKNOWN),
        (facts(row(PYNATIVE, RAISES, NO_BPROP), chains=(MISSING,)), CPU, PYNATIVE, LinkOutcome.MISSING),
        (facts(row(PYNATIVE, RAISES, NO_BPROP)), CPU, PYNATIVE, LinkOutcome.MISSING),
        (facts(row(PYNATIVE, RAISES, "no kernel"), chains=(COMPLETE,)), CPU, PYNATIVE, LinkOutcome.REFUSED),
        (
            facts(row(PYNATIVE, RAISES, "no kernel"), chains=(COMPLETE,)),
            ASCEND,
            PYNATIVE,
            LinkOutcome.UNKNOWN,
        ),
        (facts(chains=(MISSING,)), ASCEND, GRAPH, LinkOutcome.MISSING),
        (facts(chains=(COMPLETE,)), CPU, GRAPH, LinkOutcome.UNKNOWN),  # registered is not measured
        (facts(row(PYNATIVE, NOT_RUN), chains=(COMPLETE,)), CPU, PYNATIVE, LinkOutcome.UNKNOWN),
        (facts(row(PYNATIVE, NOT_RUN), row(GRAPH, RAISES, NO_BPROP)), CPU, PYNATIVE, LinkOutcome.MISSING),
        (facts(), CPU, PYNATIVE, LinkOutcome.UNKNOWN),
    ],
)
def test_outcomes(known, target, mode, expected):
    answer = second_order_of("mindspore.ops.a", target, mode, known)
    assert answer.outcome is expected
    assert (
        all(": " in line and line.partition(": ")[2] for line in answer.lines()) and len(answer.lines()) == 4
    )


def test_shapes_and_arguments_choose_what_was_measured():
    flat, deep = row(PYNATIVE, RIGHT, rank=2), row(PYNATIVE, WRONG, rank=3)
    both = facts(flat, deep)
    known = [second_order_of("a", CPU, PYNATIVE, both, rank=rank) for rank in (2, 3, None)]
    assert [one.outcome for one in known] == [LinkOutcome.FINE, LinkOutcome.WRONG, LinkOutcome.WRONG]
    assert [one.is_always for one in known] == [True, True, False]
    words = facts(row(PYNATIVE, RIGHT, mode="'sum'"), row(PYNATIVE, WRONG, mode="'mean'"))
    by_word = [
        second_order_of("a", CPU, PYNATIVE, words, {"mode": word}) for word in ("'sum'", "'mean'", "'other'")
    ]
    assert [one.outcome for one in by_word] == [LinkOutcome.FINE, LinkOutcome.WRONG, LinkOutcome.WRONG]
    assert "depends on the arguments" in by_word[0].caveat
    sizes = facts(row(PYNATIVE, RIGHT, size="2", axis="None"), row(PYNATIVE, WRONG, size="2", axis="1"))
    assert (
        second_order_of("a", CPU, PYNATIVE, sizes, {"size": "3", "axis": "None"}).outcome is LinkOutcome.FINE
    )
    wide = facts(row(PYNATIVE, RIGHT), row(PYNATIVE, WRONG, wide=True))
    assert second_order_of("a", CPU, PYNATIVE, wide, is_wide=True).outcome is LinkOutcome.WRONG
    assert second_order_of("a", CPU, PYNATIVE, wide).outcome is LinkOutcome.FINE


def test_lines_say_which_version_and_device_spoke():
    newer = Target(Version(2, 11), Device.ASCEND)
    answer = second_order_of("a", newer, PYNATIVE, facts(*CUT, chains=(COMPLETE,)))
    assert (
        "the data are of MindSpore 2.10.0, not 2.11.0" in answer.caveat and "run on Ascend" in answer.caveat
    )
    assert answer.measured == "PyNative wrong, graph mode right (MindSpore 2.10.0, CPU); not on Ascend"
    missing = second_order_of("a", CPU, GRAPH, facts(chains=(MISSING,)))
    assert missing.registry == "missing link Elu -> EluGrad (MindSpore 2.10.0)" and missing.link == (
        "Elu",
        "EluGrad",
    )


FIFTEEN = [
    ("mindspore.Tensor.__getitem__", "fine", "fine"),
    ("mindspore.nn.Conv2d", "fine", "fine"),
    ("mindspore.ops.conv2d", "fine", "fine"),
    ("mindspore.nn.BatchNorm2d", "fine", "fine"),
    ("mindspore.ops.max_pool2d", "missing", "missing"),
    ("mindspore.nn.MaxPool2d", "refused", "refused"),
    ("mindspore.ops.interpolate", "missing", "missing"),
    ("mindspore.nn.ELU", "missing", "missing"),
    ("mindspore.nn.PReLU", "missing", "missing"),
    ("mindspore.nn.LeakyReLU", "fine", "fine"),
    ("mindspore.nn.GroupNorm", "missing", "missing"),
    ("mindspore.nn.BCEWithLogitsLoss", "missing", "missing"),
    ("mindspore.ops.softmax", "refused", "fine"),
    ("mindspore.nn.MSELoss", "wrong", "fine"),
    ("mindspore.ops.mean", "wrong", "fine"),
    ("mindspore.nn.SoftmaxCrossEntropyWithLogits", "wrong", "wrong"),
    ("mindspore.ops.det", "wrong", "wrong"),
    ("mindspore.mint.nn.functional.conv2d", "missing", "missing"),
    ("mindspore.mint.nn.functional.gelu", "missing", "missing"),
    ("mindspore.mint.nn.functional.leaky_relu", "missing", "missing"),
    ("mindspore.ops.gelu", "fine", "fine"),
    ("mindspore.ops.relu", "fine", "fine"),
    ("mindspore.ops.dense", "fine", "fine"),
    ("mindspore.Tensor.__mul__", "fine", "fine"),
    ("mindspore.Tensor.__add__", "fine", "fine"),
    ("mindspore.Tensor.__matmul__", "wrong", "fine"),
]


ARGUMENTS = {
    "mindspore.nn.MaxPool2d": {"kernel_size": "2", "stride": "2"},
    "mindspore.ops.gelu": {"approximate": "'none'"},
    "mindspore.ops.interpolate": {"mode": "'bilinear'"},
    "mindspore.Tensor.__getitem__": {"index": "1:3, ::2"},
}


@pytest.mark.parametrize(("api", "pynative", "graph"), FIFTEEN)
def test_what_is_known_of_2_10_is_said(api, pynative, graph):
    known, arguments = second_order_facts(VERSION), ARGUMENTS.get(api)
    answers = [
        second_order_of(api, CPU, mode, known, arguments, rank=2 if "dense" in api else None) for mode in Mode
    ]
    assert [answer.outcome.value for answer in answers] == [pynative, graph]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.tanh(x)", ["mindspore.ops.tanh"]),
        ("x.view(2, 3)", ["mindspore.Tensor.view"]),
        ("x * x", ["mindspore.Tensor.__mul__"]),
        ("torch.nn.Conv2d(3, 3, 3)", ["mindspore.nn.Conv2d"]),
        ("torch.nn.LeakyReLU(0.2, inplace=True)", ["mindspore.nn.LeakyReLU"]),
        ("torch.no_such_name(x)", []),
    ],
)
def test_names_that_a_torch_use_becomes(code, expected):
    project = Project("")
    project.add("a.py", f"import torch\nx = torch.rand(2, 3)\ny = {code}\n")
    engine = Engine(CPU)
    use = next(use for use in project.usage("a.py").uses if use.span.line == 3)
    assert list(mindspore_names(engine.assess(use).judgement)) == expected
