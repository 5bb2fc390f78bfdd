"""Turns the outcomes of samples into `evidence:` rows, and writes them into mapping files without touching
the rest."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML

from mindport.mapping.schema import Evidence, Mapping
from oracles.inputs import Variant

HEADER = "# Written by scripts/run_oracles.py; do not edit.\n"


class ExampleOutcome(msgspec.Struct, frozen=True):
    """What became of the samples of one example: the sample variants in order, with their outcomes."""

    example: int
    case: int
    samples: tuple[tuple[Variant, dict[str, Any]], ...]


def load_mapping(path: Path) -> Mapping:
    """Read one file; raises msgspec.ValidationError or a YAML error."""
    return msgspec.convert(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")), Mapping)


def problems_of(outcome: ExampleOutcome) -> list[str]:
    """What speaks against the example: a sentence for each sample that contradicts it."""
    found = []
    for variant, result in outcome.samples:
        status, message = result["status"], result.get("message", "")
        if status == "illegal" and variant is Variant.OWN:
            found.append(f"cannot run: {message}")
        elif status == "crashed" or (
            status == "failed" and variant in (Variant.OWN, Variant.SIGNED, Variant.SMALL)
        ):
            found.append(f"MindSpore fails ({variant.value}): {message}")
        elif status == "differ" and variant is not Variant.INTEGER:
            found.append(f"differs ({variant.value}): {message}")
    return list(dict.fromkeys(found))


def remarks_of(outcome: ExampleOutcome) -> list[str]:
    """What is worth a note though it does not contradict: other dtypes that MindSpore refuses, wider or
    narrower ones."""
    found = []
    for variant, result in outcome.samples:
        if result["status"] == "failed" and variant in (Variant.DOUBLE, Variant.INTEGER):
            found.append(f"raises for {'float64' if variant is Variant.DOUBLE else 'int64'} input")
        elif result["status"] == "differ" and variant is Variant.INTEGER:
            found.append(f"int64 input differs: {result['message']}")
        found.extend(result.get("remarks", ()))
    return list(dict.fromkeys(found))


def evidence_rows(
    mapping: Mapping, outcomes: list[ExampleOutcome], versions: dict[str, str]
) -> tuple[Evidence, ...]:
    """One row for every case that examples were run for, in order of the cases."""
    rows = []
    for case in sorted({outcome.case for outcome in outcomes}):
        mine = [outcome for outcome in outcomes if outcome.case == case]
        against = list(dict.fromkeys(problem for outcome in mine for problem in problems_of(outcome)))
        notes = list(dict.fromkeys(remark for outcome in mine for remark in remarks_of(outcome)))
        results = [result for outcome in mine for _, result in outcome.samples if result["status"] == "agree"]
        kinds = {mapping.examples[outcome.example].compare for outcome in mine}
        rows.append(
            Evidence(
                case=case,
                oracle=_oracle(kinds, any(result.get("gradient") for result in results)),
                torch=versions["torch"],
                mindspore=versions["mindspore"],
                device="CPU",
                grade="run",
                samples=len(results),
                max_abs=_rounded(max((result["max_abs"] for result in results), default=0.0)),
                agrees=not against and bool(results),
                note="; ".join(against[:2] if against else notes[:3]),
            )
        )
    return tuple(rows)


def same_claim(first: tuple[Evidence, ...], second: tuple[Evidence, ...]) -> bool:
    """Whether two sets of rows say the same; the last digits of an error are noise."""

    def essence(row: Evidence) -> Evidence:
        return msgspec.structs.replace(row, max_abs=None)

    mine = [row for row in first if row.device == "CPU"]
    other = [row for row in second if row.device == "CPU"]
    return [essence(row) for row in mine] == [essence(row) for row in other]


def with_evidence(text: str, rows: tuple[Evidence, ...]) -> str:
    """The text of a mapping file with its `evidence:` replaced; every other byte stays.

    The block is replaced as text and not through a YAML writer, which would re-wrap what the author laid
    out."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    inside = False
    for line in lines:
        if line == HEADER:
            continue
        if line.startswith("evidence:"):
            inside = True
            continue
        if inside and (line[:1] in " -#" or not line.strip()):
            continue
        inside = False
        kept.append(line)
    body = "".join(kept).rstrip("\n") + "\n"
    if not rows:
        return body
    return body + HEADER + "evidence:\n" + "".join(f"  - {_flow(row)}\n" for row in rows)


def _flow(row: Evidence) -> str:
    values = msgspec.to_builtins(row)
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in values.items()) + "}"


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = f"{value:.0e}"
        return f"{text[0]}.0{text[1:]}"  # `1e-07` would be a string to a YAML 1.2 reader without a point
    if isinstance(value, int) or re.fullmatch(r"[A-Za-z][\w-]*", value):
        return str(value)
    return msgspec.json.encode(value).decode()


def _oracle(kinds: set[str], gradient: bool) -> str:
    if "value" in kinds:
        return "value-shape-dtype-grad" if gradient else "value-shape-dtype"
    return "effect" if "effect" in kinds else "structure"


def _rounded(value: float) -> float:
    """Up to one digit, so that noise does not change the file."""
    if value == 0 or not math.isfinite(value):
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(value / power) * power:.0e}")
