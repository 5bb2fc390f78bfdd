"""The four lines of a card about second-order gradients, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindport.mapping.second_order_side import SecondOrderSide
from mindport.model.language import later, listing, say, translated
from mindport.model.target import Device, Mode, Target, Version
from mindport.registry.bprops import Chain, ChainState, CompiledVariant, Measurement, Result

_WORDS = {Result.RIGHT: later("right"), Result.WRONG: later("wrong"), Result.RAISES: later("raises")}
_MODES = {Mode.PYNATIVE: later("PyNative"), Mode.GRAPH: later("graph mode")}


def registry_line(
    chains: Sequence[Chain],
    compiled: Sequence[CompiledVariant],
    missing: tuple[str, str] | None,
    version: Version,
) -> str:
    """What the registry says; `missing` is the link that was found to be missing, if any."""
    if missing is not None:
        first, second = missing
        return (
            say(
                "missing link {first} -> {second} (MindSpore {version})",
                first=first,
                second=second,
                version=version,
            )
            if first
            else say("{second} has no bprop", second=second)
        )
    states = {chain.state for chain in chains}
    if states == {ChainState.COMPLETE}:
        return say("complete (MindSpore {version})", version=version)
    if ChainState.MISSING in states:
        return say("complete for some arguments only (MindSpore {version})", version=version)
    if compiled and all(one.state is ChainState.COMPLETE for one in compiled):
        return say("complete, as far as compiling tells (MindSpore {version})", version=version)
    return say("unknown")


def measured_line(rows: Sequence[Measurement], device: Device, version: Version | None) -> str:
    """What was measured, in which modes and where."""
    parts = []
    for mode in Mode:
        found = {translated(_WORDS[row.result]) for row in rows if row.mode is mode}
        if found:
            parts.append(f"{translated(_MODES[mode])} {listing(sorted(found), is_choice=True)}")
    if not parts:
        return say("not measured")
    where = ", ".join(sorted({row.device.value for row in rows}))
    other = "" if device.value in where else say("; not on {device}", device=device.value)
    return say(
        "{results} (MindSpore {version}, {where}){other}",
        results=say(", ").join(parts),
        version=version,
        where=where,
        other=other,
    )


def hazard_line(rows: Sequence[Measurement]) -> str:
    """Whether PyNative cuts the gradient."""
    if any(row.hazard for row in rows):
        return say("PyNative cuts the gradient at a view; run the inner gradient under `ms.jit`")
    return say("none seen") if rows else say("unknown")


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
        parts.append(say("it depends on the arguments and on which inputs are differentiated"))
    if arguments is None and len({tuple(sorted(row.arguments.items())) for row in every}) > 1:
        parts.append(say("the arguments are not known here"))
    if known_as != api:
        parts.append(say("measured as {known_as}", known_as=known_as))
    if facts.collected_version != target.version:
        parts.append(
            say(
                "the data are of MindSpore {collected_version}, not {version}",
                collected_version=facts.collected_version,
                version=target.version,
            )
        )
    elif every and facts.measured_version != target.version:
        parts.append(
            say(
                "measured with MindSpore {measured_version}, not {version}",
                measured_version=facts.measured_version,
                version=target.version,
            )
        )
    if every and all(row.device is not target.device for row in every):
        parts.append(say("nothing was run on {device}", device=target.device.value))
    return say("; ").join(parts) or say("none")
