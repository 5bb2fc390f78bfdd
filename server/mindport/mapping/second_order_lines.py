"""The four lines of a card about second-order gradients, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindport.mapping.second_order_side import SecondOrderSide
from mindport.model.target import Device, Mode, Target, Version
from mindport.registry.bprops import Chain, ChainState, Compiled, Measurement, Result

_WORDS = {Result.RIGHT: "right", Result.WRONG: "wrong", Result.RAISES: "raises"}
_MODES = {Mode.PYNATIVE: "PyNative", Mode.GRAPH: "graph mode"}


def registry_line(
    chains: Sequence[Chain], compiled: Sequence[Compiled], missing: tuple[str, str] | None, version: Version
) -> str:
    """What the registry says; `missing` is the link that was found to be missing, if any."""
    if missing is not None:
        first, second = missing
        return (
            f"missing link {first} -> {second} (MindSpore {version})" if first else f"{second} has no bprop"
        )
    states = {chain.state for chain in chains}
    if states == {ChainState.COMPLETE}:
        return f"complete (MindSpore {version})"
    if ChainState.MISSING in states:
        return f"complete for some arguments only (MindSpore {version})"
    if compiled and all(one.state is ChainState.COMPLETE for one in compiled):
        return f"complete, as far as compiling tells (MindSpore {version})"
    return "unknown"


def measured_line(rows: Sequence[Measurement], device: Device, version: Version | None) -> str:
    """What was measured, in which modes and where."""
    parts = []
    for mode in Mode:
        found = {_WORDS[row.result] for row in rows if row.mode is mode}
        if found:
            parts.append(f"{_MODES[mode]} {' or '.join(sorted(found))}")
    if not parts:
        return "not measured"
    where = ", ".join(sorted({row.device.value for row in rows}))
    other = "" if device.value in where else f"; not on {device.value}"
    return f"{', '.join(parts)} (MindSpore {version}, {where}){other}"


def hazard_line(rows: Sequence[Measurement]) -> str:
    """Whether PyNative cuts the gradient."""
    if any(row.hazard for row in rows):
        return "PyNative cuts the gradient at a view; run the inner gradient under `ms.jit`"
    return "none seen" if rows else "unknown"


def caveat_line(
    api: str,
    known_as: str,
    every: Sequence[Measurement],
    here: Sequence[Measurement],
    arguments: Mapping[str, str] | None,
    target: Target,
    facts: SecondOrderSide,
) -> str:
    """What the other lines hang on. `every` are all measurements, `here` those that speak for this call."""
    parts = []
    results = {
        row.result for row in every if here and (row.mode, row.device) == (here[0].mode, here[0].device)
    }
    if len(results) > 1:
        parts.append("it depends on the arguments and on which inputs are differentiated")
    if arguments is None and len({tuple(sorted(row.arguments.items())) for row in every}) > 1:
        parts.append("the arguments are not known here")
    if known_as != api:
        parts.append(f"measured as {known_as}")
    if facts.collected_version != target.version:
        parts.append(f"the data are of MindSpore {facts.collected_version}, not {target.version}")
    elif every and facts.measured_version != target.version:
        parts.append(f"measured with MindSpore {facts.measured_version}, not {target.version}")
    if every and all(row.device is not target.device for row in every):
        parts.append(f"nothing was run on {target.device.value}")
    return "; ".join(parts) or "none"
