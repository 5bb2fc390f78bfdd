"""What the registry knows of MindSpore: names, signatures, devices, deprecations, versions."""

from __future__ import annotations

import pytest

from mindport.model.target import Device, Version
from mindport.registry import collected_versions, mindspore_facts
from mindport.registry.mindspore import Availability, availability

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
    assert known == (Version(2, 7), Version(2, 8), Version(2, 9), Version(2, 10))
    assert mindspore_facts(Version(2, 9, 1)).collected_version == Version(2, 9)
    assert mindspore_facts(Version(2, 8)).collected_version == Version(2, 8)
    assert mindspore_facts().collected_version == known[-1]
    assert mindspore_facts(Version(99, 0)).collected_version == known[-1]
    # Of older ones a nightly build tells, which is nothing that was run.
    assert mindspore_facts(Version(1, 0)).collected_version == Version(2, 5) not in known
    assert mindspore_facts(Version(2, 5)).build.startswith("2.5.0.dev")
    assert mindspore_facts(Version(2, 7)).build == "2.7.0"


@pytest.mark.parametrize(
    ("name", "versions"),
    [
        ("mindspore.ops.cat", "7 8 9 10"),
        ("mindspore.MemPool", "8 9 10"),
        ("mindspore.ops.lightning_indexer", "9 10"),
        ("mindspore.mint.vdot", "10"),
        ("mindspore.nn.Dense.to", "10"),  # of its base class
        ("mindspore.ops.no_such_function", ""),
    ],
)
def test_versions_that_have_a_name(name: str, versions: str) -> None:
    having = [str(each.minor) for each in collected_versions() if mindspore_facts(each).has(name)]
    assert having == versions.split()


@pytest.mark.parametrize(
    ("name", "version", "since", "until"),
    [
        ("mindspore.mint.vdot", Version(2, 9), Version(2, 10), None),
        ("mindspore.mint.vdot", Version(2, 7), Version(2, 10), None),
        ("mindspore.mint.vdot", Version(2, 5), Version(2, 10), None),  # older than all facts
        ("mindspore.MemPool", Version(2, 7, 1), Version(2, 8), None),
        ("mindspore.nn.TensorArray", Version(2, 10), None, Version(2, 7)),
    ],
)
def test_where_a_lacking_name_is_found(
    name: str, version: Version, since: Version | None, until: Version | None
) -> None:
    assert availability(name, version) == Availability(since, until)


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("mindspore.mint.vdot", Version(2, 10)),
        ("mindspore.mint.vdot", Version(2, 11)),
        ("mindspore.MemPool", Version(2, 8)),
        ("mindspore.no_such_name", Version(2, 7)),
    ],
)
def test_a_name_that_is_there_or_nowhere_lacks_nothing(name: str, version: Version) -> None:
    assert availability(name, version) is None


@pytest.mark.parametrize(
    ("name", "minor", "has_kernel"),
    [
        ("mindspore.ops.matmul", 10, True),
        ("mindspore.mint.argmax", 10, False),
        ("mindspore.mint.argmax", 7, False),
        ("mindspore.mint.nn.functional.softplus", 10, True),
        ("mindspore.mint.nn.functional.softplus", 9, False),
        ("mindspore.nn.Dense", 10, None),  # classes are not tried
        ("mindspore.no_such_name", 10, None),
    ],
)
def test_kernels_on_cpu(name: str, minor: int, has_kernel: bool | None) -> None:
    facts = mindspore_facts(Version(2, minor))
    assert facts.has_kernel(name, Device.CPU) is has_kernel
    assert facts.has_kernel(name, Device.ASCEND) is None
