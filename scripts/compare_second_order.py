#!/usr/bin/env python
"""Draws chains of two or three measured APIs, says what mindport expects of their second order, measures them, and
lists where the two differ. Run it with an interpreter that has torch and MindSpore, after the data are written.

Fails where in graph mode more than one raise is missed, or more than 2 % of what is right was expected to fail, or
anywhere something was expected to be right that is not."""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "server")]

import torch  # noqa: E402  after the path is set

from framework_facts.output import write_facts  # noqa: E402
from mindport.mapping.second_order import LinkOutcome, second_order_of  # noqa: E402
from mindport.model.target import Device, Mode, Target, Version  # noqa: E402
from mindport.registry.bprops import Result, SecondOrderFacts, second_order_facts  # noqa: E402
from second_order.cases import Case  # noqa: E402
from second_order.chains import Draw, draw  # noqa: E402
from second_order.pool import run_all  # noqa: E402

FOLDER = ROOT / "mappings" / "_frameworks" / "second_order"
SECONDS = 120.0
MOST_MISSED = 1
MOST_FALSE = 0.02
MEANING = {
    LinkOutcome.FINE: "right",
    LinkOutcome.WRONG: "wrong",
    LinkOutcome.HAZARD: "wrong",
    LinkOutcome.MISSING: "raises",
    LinkOutcome.REFUSED: "raises",
    LinkOutcome.UNKNOWN: "unknown",
}


def main() -> int:
    """Draw, measure, compare, write; 1 if the bounds are broken."""
    options = _options()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    facts = second_order_facts()
    draws = list(draw(measured_cases(facts.measured_version), options.count, options.seed))
    rows: dict[str, dict[str, Any]] = {}

    def done(index: int, answer: dict[str, Any], _version: str) -> None:
        rows[draws[index].case.id] = row_of(draws[index], answer, facts)
        if options.verbose:
            print(json.dumps(rows[draws[index].case.id]), file=sys.stderr)

    requests = [{**one.request, "modes": [mode.value for mode in Mode]} for one in draws]
    run_all(requests, done, interpreter=Path(sys.executable), jobs=options.jobs, seconds=SECONDS)
    faults = report(rows)
    if options.output:
        sections = {
            "version": str(facts.measured_version),
            "device": "CPU",
            "seed": options.seed,
            "chains": rows,
        }
        write_facts(options.output, sections)
    return 1 if faults else 0


def measured_cases(version: Version | None) -> list[Case]:
    """The measured cases that use one API and were run in both modes."""
    content = json.loads((FOLDER / f"measured-{version}.json").read_text(encoding="utf-8"))
    rows = [row for row in content["cases"].values() if row["api"] and "inputs" in row]
    ran = [row for row in rows if all(row.get(mode.value, ["not_run"])[0] != "not_run" for mode in Mode)]
    return [
        Case(
            torch=row["torch"],
            code=row["code"],
            inputs=row["inputs"],
            apis=(row["api"],),
            arguments=row["arguments"],
        )
        for row in ran
    ]


def row_of(drawn: Draw, answer: dict[str, Any], facts: SecondOrderFacts) -> dict[str, Any]:
    """One chain: what was expected and what was measured, by mode."""
    row: dict[str, Any] = {"code": drawn.case.code, "torch": drawn.case.torch, "inputs": drawn.case.inputs}
    for mode in Mode:
        expected, because = expectation(drawn.parts, mode, facts)
        row[mode.value] = {"expected": expected, "because": because, "measured": answer[mode.value]}
    return row


def expectation(parts: Sequence[Case], mode: Mode, facts: SecondOrderFacts) -> tuple[str, list[str]]:
    """What mindport says of the parts, taken together: the chain raises if one of them does, else is wrong if one is,
    else unknown if one is; and the parts that decide it. A part that fails for some shapes only is unknown."""
    assert facts.measured_version is not None
    target = Target(facts.measured_version, Device.CPU, mode)
    answers = [second_order_of(part.apis[0], target, mode, facts, part.arguments) for part in parts]
    said = [MEANING[answer.outcome] if answer.is_always else "unknown" for answer in answers]
    worst = next(word for word in ("raises", "wrong", "unknown", "right") if word in said)
    return worst, [answer.api for answer, word in zip(answers, said, strict=True) if word == worst != "right"]


def report(rows: dict[str, dict[str, Any]]) -> int:
    """Print the counts and each disagreement; the number of broken bounds."""
    broken = 0
    for mode in Mode:
        ran = [row for row in rows.values() if row[mode.value]["measured"][0] != Result.NOT_RUN.value]
        pairs = Counter((row[mode.value]["expected"], row[mode.value]["measured"][0]) for row in ran)
        missed = sum(
            n for (said, seen), n in pairs.items() if seen == "raises" and said in ("right", "wrong")
        )
        right = sum(n for (_, seen), n in pairs.items() if seen == "right")
        false = sum(n for (said, seen), n in pairs.items() if seen == "right" and said in ("raises", "wrong"))
        overrated = sum(n for (said, seen), n in pairs.items() if said == "right" and seen != "right")
        print(f"{mode.value}: {len(ran)} of {len(rows)} chains ran; {dict(sorted(pairs.items()))}")
        print(
            f"  raises missed {missed}, false alarms {false} of {right} right ones, called right and not {overrated}"
        )
        for row in ran:
            said, seen = row[mode.value]["expected"], row[mode.value]["measured"]
            if said != seen[0]:
                code = row["code"].replace("\n", "; ")
                print(
                    f"  {code}\n    expected {said} ({'; '.join(row[mode.value]['because'])}), measured {seen}"
                )
        if mode is Mode.GRAPH:
            broken += (missed > MOST_MISSED) + (false > MOST_FALSE * max(len(ran), 1))
        broken += overrated > 0
    return broken


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="chains to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--output", type=Path, help="write the chains with what was expected and measured")
    parser.add_argument("--verbose", action="store_true", help="tell each chain")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
