"""Turns the outcomes of samples into evidence: what speaks against an example, what is worth a note, one row for each
case."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Sequence

import msgspec

from mindport.mapping.schema import Evidence, Mapping
from mindport.model.target import Device, Mode
from mindport.prove.samples import DOUBLE, INTEGER, NARROW, OWN, SIGNED, SMALL
from mindport.prove.workers import Outcome


class ExampleOutcome(msgspec.Struct, frozen=True):
    """What became of the samples of one example: the variants in order, with their outcomes."""

    example: int
    case: int
    samples: tuple[tuple[str, Outcome], ...]


def problems_of(outcome: ExampleOutcome) -> list[str]:
    """What speaks against the example: a sentence for each sample that contradicts it."""
    found = []
    for variant, result in outcome.samples:
        status, message = result["status"], result.get("message", "")
        if variant in NARROW:
            continue  # what is said of float32 stays true
        if status == "illegal" and variant == OWN:
            found.append(f"cannot run: {message}")
        elif status == "crashed" or (status == "failed" and variant in (OWN, SIGNED, SMALL)):
            found.append(f"MindSpore fails ({variant}): {message}")
        elif status == "differ" and variant != INTEGER:
            found.append(f"differs ({variant}): {message}")
    return list(dict.fromkeys(found))


def remarks_of(outcome: ExampleOutcome) -> list[str]:
    """What is worth a note though it does not contradict: other dtypes that MindSpore refuses, wider or narrower
    ones."""
    found = []
    for variant, result in outcome.samples:
        if result["status"] == "failed" and variant in (DOUBLE, INTEGER):
            found.append(f"raises for {'float64' if variant == DOUBLE else 'int64'} input")
        elif result["status"] == "differ" and variant == INTEGER:
            found.append(f"int64 input differs: {result['message']}")
        elif variant in NARROW and result["status"] in _NARROW_REMARKS:
            found.append(_NARROW_REMARKS[result["status"]].format(dtype=variant, message=result["message"]))
        found.extend(result.get("remarks", ()))
    return list(dict.fromkeys(found))


_NARROW_REMARKS = {
    "failed": "raises for {dtype} input",
    "differ": "{dtype} input differs: {message}",
    "crashed": "crashes for {dtype} input",
}


def evidence_rows(
    mapping: Mapping,
    outcomes: Sequence[ExampleOutcome],
    versions: dict[str, str],
    device: Device,
    mode: Mode = Mode.PYNATIVE,
) -> tuple[Evidence, ...]:
    """One row for every case that examples were run for, in order of the cases."""
    return tuple(
        _row(mapping, case, [one for one in outcomes if one.case == case], versions, device, mode)
        for case in sorted({outcome.case for outcome in outcomes})
    )


def _row(
    mapping: Mapping,
    case: int,
    mine: list[ExampleOutcome],
    versions: dict[str, str],
    device: Device,
    mode: Mode,
) -> Evidence:
    against = list(dict.fromkeys(problem for outcome in mine for problem in problems_of(outcome)))
    notes = list(dict.fromkeys(remark for outcome in mine for remark in remarks_of(outcome)))
    agreeing = [
        (variant, result)
        for outcome in mine
        for variant, result in outcome.samples
        if result["status"] == "agree"
    ]
    results = [result for _, result in agreeing]
    kinds = {mapping.examples[outcome.example].compare for outcome in mine}
    ratio, elements = _time_ratio(results)
    return Evidence(
        case=case,
        oracle=_oracle(kinds, any(result.get("gradient") for result in results)),
        torch=versions["torch"],
        mindspore=versions["mindspore"],
        device=device.value,
        grade="run",
        samples=len(results),
        mode=mode.value,
        max_abs=_rounded(
            max((r["max_abs"] for variant, r in agreeing if variant not in NARROW), default=0.0)
        ),
        agrees=not against and bool(results),
        note="; ".join(against[:2] if against else notes[:3]),
        time_ratio=ratio,
        time_elements=elements,
    )


def _oracle(kinds: Collection[str], gradient: bool) -> str:
    if "value" in kinds:
        return "value-shape-dtype-grad" if gradient else "value-shape-dtype"
    return "effect" if "effect" in kinds else "structure"


def _time_ratio(results: list[Outcome]) -> tuple[float | None, int | None]:
    """The middle one of the timed examples: how many times as long as torch MindSpore took, to two digits, and on how
    many input elements. Both None where none was timed."""
    timed = sorted(
        (timing["ratio"], timing["elements"]) for result in results if (timing := result.get("timing"))
    )
    if not timed:
        return None, None
    ratio, elements = statistics.median_low(timed)
    return float(f"{ratio:.2g}"), elements


def _rounded(value: float) -> float:
    """Up to one digit, so that noise does not change the file."""
    if value == 0 or not math.isfinite(value):
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / power) * power:.0e}")
