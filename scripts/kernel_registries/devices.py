"""Which primitives have a kernel on which device, as an installed MindSpore registers them."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from pathlib import Path
from typing import Any

from kernel_registries.compiled_registrations import CompiledRegistrations

# Names that each registry is known to have; each group is of one function that registers.
_ACLNN = ("AddExt", "Conv2DExt")
_ADAPTERS = ("BatchNorm", "Softmax")
_ADAPTER_TABLE = "OpAdapterMap3getEv"
_HOST_FACTORY = "HostKernelFactory3GetEv"
_CPU = (("Conv2D", "Sort"), ("AnyExt", "SumExt"))
_GPU = (("Conv2D", "Add"), ("Sort", "MaxPool"), ("AnyExt", "SumExt"))
_OP_BY_OP = re.compile(rb"N9mindspore6kernel7pyboost(?P<length>\d+)(?P<rest>[A-Za-z]\w+?AscendE)\x00")
_AICPU = "plugin/ascend/custom_aicpu_ops/op_impl/cpu/config/cust_aicpu_kernel.json"


def registered_kernels(package: Path) -> dict[str, Any]:
    """The names of primitives by device and kind of kernel; of Ascend's AI CPU with the types of their inputs."""
    library = package / "lib"
    plugin = library / "plugin"
    # MindSpore 2.7 has no kernels of the host, and that name for the CPU's; views are made without a kernel there.
    host, own = library / "libmindspore_ops_host.so", plugin / "libmindspore_ops_cpu.so"
    on_host = CompiledRegistrations(host).before(_HOST_FACTORY) if host.is_file() else set()
    ascend = plugin / "libmindspore_ops_ascend.so"
    aclnn = CompiledRegistrations(ascend).like(_ACLNN)
    adapters = CompiledRegistrations(plugin / "ascend" / "libmindspore_ascend_res_manager.so")
    cpu = CompiledRegistrations(own if own.is_file() else plugin / host.name)
    gpu = CompiledRegistrations(_newest(plugin, "libmindspore_gpu.so.*"))
    op_by_op = _called_op_by_op(ascend)
    if not host.is_file():
        on_host = {name for name in op_by_op if name.endswith("View")}
    return {
        "Ascend": {
            "aclnn": sorted(aclnn),
            "aclop": sorted(adapters.like(_ADAPTERS) | adapters.looked_up_behind(_ADAPTER_TABLE)),
            "pyboost": sorted(op_by_op),
            "aicpu": dict(sorted({**_described_aicpu(), **_shipped_aicpu(library)}.items())),
        },
        "GPU": {"native": sorted(set().union(*map(gpu.like, _GPU)))},
        "CPU": {"native": sorted(set().union(*map(cpu.like, _CPU)))},
        "any": {"host": sorted(on_host)},
    }


def _called_op_by_op(library: Path) -> set[str]:
    """The primitives that a plugin has a class for which calls them op by op, without a graph; it may need no kernel of
    their own name, but calls others."""
    found = set()
    for match in _OP_BY_OP.finditer(library.read_bytes()):
        length, text = int(match["length"]), match["rest"].decode()
        found.add(text[:length].removesuffix("Ascend"))
    return found


def _newest(folder: Path, pattern: str) -> Path:
    """The library for the newest version of what it is built with."""
    found = folder.glob(pattern)
    return max(found, key=lambda path: [int(part) for part in path.name.split(".so.")[1].split(".")])


def _shipped_aicpu(library: Path) -> dict[str, list[str]]:
    """The operators for Ascend's AI CPU that come with MindSpore, with the types of their first input."""
    table = json.loads((library / _AICPU).read_text(encoding="utf-8"))
    return {
        name: sorted(_TYPES.get(one, one) for one in row.get("input0", {}).get("type", "").split(",") if one)
        for name, row in table.items()
    }


def _described_aicpu() -> dict[str, list[str]]:
    """The operators for the AI CPU that CANN has and MindSpore describes in Python, with the types of their first
    input."""
    import mindspore.ops._op_impl.aicpu as descriptions
    from mindspore.ops import op_info_register

    found: dict[str, set[str]] = {}
    for module in pkgutil.iter_modules(descriptions.__path__):
        held = vars(importlib.import_module(f"{descriptions.__name__}.{module.name}"))
        for value in held.values():
            if isinstance(value, dict) and value.get("imply_type") == "AiCPU":
                rows = value.get("dtype_format") or ()
                types = found.setdefault(value["op_name"], set())
                types.update(row[0][0] for row in rows if row and row[0])
    assert op_info_register
    return {name: sorted(types) for name, types in found.items()}


_TYPES = {
    "DT_BOOL": "bool",
    "DT_COMPLEX64": "complex64",
    "DT_COMPLEX128": "complex128",
    "DT_DOUBLE": "float64",
    "DT_FLOAT": "float32",
    "DT_FLOAT16": "float16",
    "DT_BFLOAT16": "bfloat16",
    **{f"DT_{kind}INT{bits}".upper(): f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)},
}
