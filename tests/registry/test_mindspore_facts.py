"""What the registry knows of MindSpore: names, signatures, devices, deprecations, versions."""

from __future__ import annotations

import pytest

from mindport.model.target import Device, Version
from mindport.registry import collected_versions, mindspore_facts

FACTS = mindspore_facts(Version(2, 10))


@pytest.mark.parametrize(
    "name",
    [
        "mindspore.Tensor",
        "mindspore.float32",
        "mindspore.set_context",
        "mindspore.value_and_grad",
        "mindspore.Tensor.view",
        "mindspore.Tensor.shape",
        "mindspore.Parameter.asnumpy",
        "mindspore.nn.Dense",
        "mindspore.nn.Dense.set_train",
        "mindspore.nn.Cell.construct",
        "mindspore.ops.cat",
        "mindspore.ops.operations.Add",
        "mindspore.mint.nn.functional.relu",
        "mindspore.mint.equal",
        "mindspore.experimental.optim.Adam",
        "mindspore.experimental.optim.lr_scheduler.StepLR",
        "mindspore.dataset.GeneratorDataset",
        "mindspore.common.initializer.Normal",
        "mindspore.train.Model",
        "mindspore.communication.init",
        "mindspore.numpy.arange",
    ],
)
def test_has(name: str) -> None:
    assert FACTS.has(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "mindspore.nope",
        "mindspore.nn.Module",
        "mindspore.nn.Cell.eval",
        "mindspore.nn.Cell.parameters",
        "mindspore.Tensor.detach",
        "mindspore.Tensor.cuda",
        "mindspore.mint.relu",
        "mindspore.mint.nn.Module",
        "mindspore.ops.concatenate",
        "torch.cat",
    ],
)
def test_has_not(name: str) -> None:
    assert not FACTS.has(name)
    assert FACTS.kind(name) is None
    assert FACTS.signatures(name) == ()
    assert FACTS.devices(name) is None
    assert FACTS.deprecation(name) is None


def test_signatures() -> None:
    dense = {each.name: each.default for each in FACTS.signatures("mindspore.nn.Conv2d")[0].parameters}
    assert (dense["pad_mode"], dense["has_bias"], dense["in_channels"]) == ("'same'", "False", None)
    names = [
        [each.name for each in overload.parameters] for overload in FACTS.signatures("mindspore.mint.max")
    ]
    assert names == [["input"], ["input", "dim", "keepdim"], ["input", "other"]]


@pytest.mark.parametrize(
    ("name", "devices"),
    [
        ("mindspore.nn.Conv2d", {Device.ASCEND, Device.GPU, Device.CPU}),
        ("mindspore.mint.nn.Conv2d", {Device.ASCEND}),
        ("mindspore.Tensor.reshape", {Device.ASCEND, Device.GPU, Device.CPU}),  # by the page it refers to
        ("mindspore.nn.Cell.set_train", None),
    ],
)
def test_devices(name: str, devices: set[Device] | None) -> None:
    assert FACTS.devices(name) == devices


def test_deprecation() -> None:
    old = FACTS.deprecation("mindspore.Tensor.det")
    assert old is not None and (old.since, old.removal) == ("2.4", "2.9.0")
    assert FACTS.deprecation("mindspore.Tensor.take") is None  # only one overload goes
    assert FACTS.deprecation("mindspore.ops.cat") is None


def test_a_version_gets_the_nearest_that_is_not_newer() -> None:
    known = collected_versions()
    assert Version(2, 10) in known
    assert mindspore_facts().collected_version == known[-1]
    assert mindspore_facts(Version(99, 0)).collected_version == known[-1]
    assert mindspore_facts(Version(1, 0)).collected_version == known[0]
