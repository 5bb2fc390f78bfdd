"""What MindSpore's plugins register, as it was read from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.model.target import Device, Version
from mindport.registry.kernels import KernelFacts, kernel_facts
from mindport.registry.mindspore import mindspore_facts

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def facts() -> KernelFacts:
    found = kernel_facts(Version(2, 10))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "device", "expected"),
    [
        ("mindspore.ops.relu", Device.ASCEND, True),
        ("mindspore.ops.conv2d", Device.ASCEND, True),
        ("mindspore.mint.add", Device.ASCEND, True),
        ("mindspore.Tensor.sum", Device.ASCEND, True),
        ("mindspore.nn.Dense", Device.ASCEND, True),
        ("mindspore.ops.einsum", Device.ASCEND, False),  # a kernel for GPU only
        ("mindspore.ops.einsum", Device.GPU, True),
        ("mindspore.mint.acos", Device.GPU, False),  # its primitive is another than that of ops.acos
        ("mindspore.ops.acos", Device.GPU, True),
        ("mindspore.ops.interpolate", Device.ASCEND, None),  # its modes are other primitives
        ("mindspore.nothing", Device.ASCEND, None),
    ],
)
def test_apis_are_registered(facts: KernelFacts, name: str, device: Device, expected: bool | None) -> None:
    assert facts.has(name, device) is expected


def test_several_are_as_good_as_the_weakest(facts: KernelFacts) -> None:
    relu, einsum, interpolate = (f"mindspore.ops.{name}" for name in ("relu", "einsum", "interpolate"))
    assert facts.has_all([relu, "mindspore.float32"], Device.ASCEND) is True
    assert facts.has_all([relu, interpolate], Device.ASCEND) is None
    assert facts.has_all([relu, einsum, interpolate], Device.ASCEND) is False
    assert facts.has_all(["mindspore.float32"], Device.ASCEND) is None


def test_the_reading_agrees_with_calls_on_cpu(facts: KernelFacts) -> None:
    mindspore = mindspore_facts(facts.version)
    pairs = [(mindspore.has_kernel(n, Device.CPU), facts.has(n, Device.CPU)) for n in facts.names()]
    compared = [(ran, read) for ran, read in pairs if ran is not None and read is not None]
    assert len(compared) > 900
    assert sum(ran is read for ran, read in compared) >= 0.99 * len(compared)


def test_kinds_and_types_of_kernels(facts: KernelFacts) -> None:
    assert "aclnn" in facts.kinds("Conv2DExt", Device.ASCEND)
    assert "aclop" in facts.kinds("Conv2D", Device.ASCEND)  # its name is not in the code, but in a constant's
    assert facts.kinds("Conv2D", Device.CPU) == ("native",)
    assert facts.kinds("ReshapeView", Device.GPU) == ("host",)
    assert "float32" in facts.types("Abs")


def test_no_version_before_the_first_collected() -> None:
    assert kernel_facts(Version(1, 9)) is None


CODE = """\
   1: lea    0x10(%rip),%rsi        # 100 <_s>
   2: call   50 <_ZNSsC1EPKcRKSaIcE@plt>
   3: call   60 <_registers@@Base+0x10>
   4: lea    0x10(%rip),%rsi        # 101 <_s>
   5: call   50 <_ZNSsC1EPKcRKSaIcE@plt>
   6: call   60 <_registers@@Base+0x10>
   7: lea    0x10(%rip),%rsi        # 102 <_s>
   8: call   50 <_ZNSsC1EPKcRKSaIcE@plt>
   9: call   70 <_throws@plt>
  10: call   80 <_table@plt>
  11: mov    0x10(%rip),%rax        # 200 <_o>
  12: mov    0x10(%rip),%rax        # 201 <_o>
"""


class Library:
    """What reading asks of a library."""

    def text_at(self, address: int) -> str | None:
        return {0x100: "Add", 0x101: "Mul", 0x102: "an error"}.get(address)

    def relocation(self, address: int) -> str | int | None:
        return {0x200: "_ZN9mindspore4prim11kPrimConv2DE", 0x201: "_ZTVsomething"}.get(address)


def test_names_are_read_from_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from kernel_registries import compiled_registrations as reading

    monkeypatch.setattr(reading, "SharedLibrary", lambda path: Library())
    monkeypatch.setattr(reading, "_lines_of_code", lambda path: CODE.splitlines())
    found = reading.CompiledRegistrations(Path("plugin.so"))
    assert found.like(["Add"]) == {"Add", "Mul"}
    assert found.before("throws") == {"an error"}
    assert found.looked_up_behind("table") == {"Conv2D"}
    with pytest.raises(reading.RegistryNotFound, match=r"plugin.so: nothing registers Sub"):
        found.like(["Sub"])
