"""What the data say of second-order gradients: registrations, links, what was measured, and what follows."""

from __future__ import annotations

import pytest

from mindport.model.target import Mode, Version
from mindport.registry.bprops import (
    Chain,
    ChainState,
    Link,
    Result,
    SecondOrderFacts,
    second_order_facts,
    second_order_versions,
)
from mindport.registry.location import frameworks_folder

NEWEST = Version(2, 10, 0)
RIGHT, WRONG, RAISES, NOT_RUN = Result.RIGHT, Result.WRONG, Result.RAISES, Result.NOT_RUN


@pytest.fixture(scope="module")
def facts() -> SecondOrderFacts:
    return second_order_facts(NEWEST)


@pytest.mark.parametrize(
    ("operator", "has"),
    [
        ("StridedSlice", True),
        ("StridedSliceGrad", True),
        ("Conv2D", True),
        ("MakeTuple", True),  # differentiated by a rule of its own
        ("BatchNormFold", True),  # registered in Python only
        ("Eigh", True),  # registered by a module that nothing else imports
        ("MaxPoolGradWithArgmaxV2", False),
        ("BatchNormGradGrad", False),
        ("CudnnGRU", False),  # registered as not ready
        ("StridedSliceGradOfNothing", None),
        ("", None),
    ],
)
def test_registration(facts: SecondOrderFacts, operator: str, has: bool | None) -> None:
    assert facts.has_bprop(operator) is has


@pytest.mark.parametrize(
    ("operator", "emitted", "missing"),
    [
        ("MaxPoolWithArgmaxV2", "MaxPoolGradWithArgmaxV2", True),
        ("ResizeBilinearV2", "ResizeBilinearGrad", True),
        ("Elu", "EluGrad", True),
        ("PReLU", "PReLUGrad", True),
        ("GroupNorm", "GroupNormGrad", True),
        ("BCEWithLogitsLoss", "BinaryCrossEntropyWithLogitsBackward", True),  # emitted by a helper function
        ("GeluExt", "GeluGradExt", True),
        ("LeakyReLUExt", "LeakyReLUGradExt", True),
        ("StridedSlice", "StridedSliceGrad", False),
        ("Conv2D", "Conv2DBackpropFilter", False),
        ("ReduceMean", "RealDiv", False),  # an overloaded operator
        ("BatchMatMul", "BatchMatMul", False),  # a virtual method of the builder
        ("AffineGrid", "AffineGridGrad", True),  # a Python bprop
    ],
)
def test_links(facts: SecondOrderFacts, operator: str, emitted: str, missing: bool) -> None:
    assert emitted in (facts.emits(operator) or ())
    assert (emitted in (facts.missing_links(operator) or ())) is missing


def test_an_unknown_operator_emits_nothing_known(facts: SecondOrderFacts) -> None:
    assert facts.emits("NoSuchOperator") is None
    assert facts.missing_links("NoSuchOperator") is None
    assert facts.chain_of(["NoSuchOperator"]).state is ChainState.UNKNOWN
    assert facts.chain_of([]).state is ChainState.UNKNOWN


def test_links_of_a_version_that_does_not_show_them_are_unknown() -> None:
    old = second_order_facts(Version(2, 7, 0))
    assert old.collected_version == Version(2, 7, 0)
    assert old.has_bprop("MaxPoolWithArgmaxV2") is True
    assert old.emits("MaxPoolWithArgmaxV2") is None
    assert old.chain_of(["MaxPoolWithArgmaxV2"]).state is ChainState.UNKNOWN


def test_each_version_holds_what_its_wheel_has() -> None:
    assert [str(version) for version in second_order_versions()] == ["2.7.0", "2.8.0", "2.9.0", "2.10.0"]
    assert second_order_facts(Version(2, 9, 5)).collected_version == Version(2, 9, 0)
    assert second_order_facts(Version(2, 3, 0)).collected_version == Version(2, 7, 0)
    assert second_order_facts(Version(3, 0, 0)).collected_version == NEWEST


@pytest.mark.parametrize("api", ["mindspore.ops.relu", "mindspore.ops.dense"])
def test_results_change_between_versions(facts: SecondOrderFacts, api: str) -> None:
    old = second_order_facts(Version(2, 7, 0))
    for known, result in ((old, WRONG), (facts, RIGHT)):
        rows = [row for row in known.measured(api) if row.mode is Mode.PYNATIVE and not row.of_all_inputs]
        assert {row.result for row in rows if len(row.shapes["x"]) == 2} == {result}


def test_a_product_of_other_than_two_dimensions_is_cut_in_pynative(facts: SecondOrderFacts) -> None:
    rows = [row for row in facts.measured("mindspore.ops.dense") if len(row.shapes["x"]) != 2]
    assert {len(row.shapes["x"]) for row in rows} == {1, 3}
    for row in rows:
        assert row.hazard == (row.mode is Mode.PYNATIVE)


def test_a_version_that_was_not_measured_has_no_measurements() -> None:
    between = SecondOrderFacts(frameworks_folder() / "second_order" / "mindspore-2.8.0.json", None)
    assert between.measured_version is None
    assert between.measured("mindspore.ops.relu") == ()
    assert between.chain("mindspore.ops.relu") == ()
    assert between.has_bprop("ReLU") is True


# The cases with known truth: API, its arguments where they matter, PyNative, graph mode, the missing link.
KNOWN = [
    ("mindspore.Tensor.__getitem__", {"index": "(1:3, ::2)"}, RIGHT, RIGHT, None),
    ("mindspore.nn.Conv2d", None, RIGHT, RIGHT, None),
    ("mindspore.ops.conv2d", None, RIGHT, RIGHT, None),
    ("mindspore.nn.BatchNorm2d", {"num_features": "2", "momentum": "0.9"}, RIGHT, RIGHT, None),
    ("mindspore.ops.max_pool2d", None, RAISES, RAISES, ("MaxPoolWithArgmaxV2", "MaxPoolGradWithArgmaxV2")),
    ("mindspore.nn.MaxPool2d", {"kernel_size": "2", "stride": "2"}, RAISES, RAISES, None),
    ("mindspore.ops.interpolate", {"size": "(6, 6)", "mode": "'bilinear'"}, RAISES, RAISES,
     ("ResizeBilinearV2", "ResizeBilinearGrad")),
    ("mindspore.nn.ELU", None, RAISES, RAISES, ("Elu", "EluGrad")),
    ("mindspore.nn.PReLU", None, RAISES, RAISES, ("PReLU", "PReLUGrad")),
    ("mindspore.nn.LeakyReLU", None, RIGHT, RIGHT, None),
    ("mindspore.nn.GroupNorm", None, RAISES, RAISES, ("GroupNorm", "GroupNormGrad")),
    ("mindspore.nn.BCEWithLogitsLoss", {}, RAISES, RAISES,
     ("BCEWithLogitsLoss", "BinaryCrossEntropyWithLogitsBackward")),
    ("mindspore.ops.softmax", {"axis": "1"}, RAISES, RIGHT, None),
    ("mindspore.nn.MSELoss", {}, WRONG, RIGHT, None),
    ("mindspore.ops.mean", {"axis": "1"}, WRONG, RIGHT, None),
    ("mindspore.ops.mean", {"axis": "1", "keep_dims": "True"}, RIGHT, RIGHT, None),
    ("mindspore.nn.Flatten", {}, WRONG, RIGHT, None),
    ("mindspore.ops.det", None, WRONG, WRONG, None),
    ("mindspore.mint.nn.functional.conv2d", {}, NOT_RUN, RAISES, None),
    ("mindspore.mint.nn.functional.gelu", {}, NOT_RUN, RAISES, None),
    ("mindspore.mint.nn.functional.leaky_relu", None, NOT_RUN, RAISES, None),
    ("mindspore.ops.gelu", {"approximate": "'none'"}, RIGHT, RIGHT, None),
    ("mindspore.ops.relu", {}, RIGHT, RIGHT, None),
]  # fmt: skip


@pytest.mark.parametrize(("api", "arguments", "pynative", "graph", "link"), KNOWN)
def test_known_cases(
    facts: SecondOrderFacts,
    api: str,
    arguments: dict[str, str] | None,
    pynative: Result,
    graph: Result,
    link: tuple[str, str] | None,
) -> None:
    rows = [
        row
        for row in facts.measured(api)
        if (arguments is None or row.arguments == arguments) and not row.of_all_inputs
    ]
    assert {row.result for row in rows if row.mode is Mode.PYNATIVE} == {pynative}
    assert {row.result for row in rows if row.mode is Mode.GRAPH} == {graph}
    assert all(
        row.hazard == (pynative is WRONG and graph is RIGHT) for row in rows if row.mode is Mode.PYNATIVE
    )
    if link is not None:
        assert any(link in chain.missing for chain in facts.chain(api))
        assert all(row.missing == link[1] for row in rows)
    elif pynative is not NOT_RUN and rows:
        chosen = [c for c in facts.chain(api) if arguments is None or c.arguments == arguments]
        assert all(chain.state is ChainState.COMPLETE for chain in chosen)


@pytest.mark.parametrize(
    ("api", "state", "missing"),
    [
        ("mindspore.mint.nn.functional.gelu", ChainState.MISSING, "GeluGradExt"),
        ("mindspore.mint.nn.functional.conv2d", ChainState.MISSING, "ConvolutionGrad"),
        ("mindspore.ops.conv2d", ChainState.COMPLETE, ""),
        ("mindspore.ops.det", ChainState.COMPLETE, ""),  # wrong is not missing
    ],
)
def test_what_compiling_says_holds_on_other_devices(
    facts: SecondOrderFacts, api: str, state: ChainState, missing: str
) -> None:
    assert {(one.state, one.missing) for one in facts.compiled(api)} == {(state, missing)}


def test_a_device_limit_is_no_missing_link(facts: SecondOrderFacts) -> None:
    [row] = [
        row
        for row in facts.measured("mindspore.nn.MaxPool2d")
        if row.mode is Mode.GRAPH and row.arguments == {"kernel_size": "2", "stride": "2"}
    ]
    assert "does not support on CPU" in row.text
    assert row.missing == ""


def test_the_critic_with_a_flatten(facts: SecondOrderFacts) -> None:
    rows = [
        row
        for row in facts.measured_together("mindspore.nn.Flatten")
        if "Conv2d" in row.code and "Tanh" in row.code
    ]
    assert {(row.mode, row.result) for row in rows} == {(Mode.PYNATIVE, WRONG), (Mode.GRAPH, RIGHT)}


BRANCHES = Link("A", True, (Link("B", False), Link("C", True)))
CHAINS = [
    (Chain(arguments={}, links=()), ChainState.UNKNOWN, ()),
    (Chain(arguments={}, links=(Link("A", True, (Link("B", True),)),)), ChainState.COMPLETE, ()),
    (Chain(arguments={}, links=(Link("A", True, (Link("B", False),)),)), ChainState.MISSING, (("A", "B"),)),
    (Chain(arguments={}, links=(Link("A", False),)), ChainState.MISSING, ()),
    (Chain(arguments={}, links=(Link("A", None),)), ChainState.UNKNOWN, ()),
    # the branch with C was taken, not the one with B
    (Chain(arguments={}, links=(BRANCHES,), seen=frozenset({"C"})), ChainState.COMPLETE, ()),
    (Chain(arguments={}, links=(BRANCHES,), seen=frozenset({"B", "C"})), ChainState.MISSING, (("A", "B"),)),
    # nothing of the bprop was seen: the gradient was cut off before
    (Chain(arguments={}, links=(BRANCHES,), seen=frozenset({"D"})), ChainState.MISSING, (("A", "B"),)),
    (Chain(arguments={}, links=(BRANCHES,), seen=frozenset()), ChainState.MISSING, (("A", "B"),)),
]


@pytest.mark.parametrize(("chain", "state", "missing"), CHAINS)
def test_states_of_chains(chain: Chain, state: ChainState, missing: tuple[tuple[str, str], ...]) -> None:
    assert chain.state is state
    assert chain.missing == missing
