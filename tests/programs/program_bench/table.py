"""The table that a run prints: a line for each program, totals by half, and what was passed over."""

from __future__ import annotations

from program_bench.bench import ALL_LEVELS, Result
from program_bench.case import Half
from program_bench.comparison import LOOSE
from program_bench.prediction import score

ANSWERS = {None: "-", True: "ok", False: "no"}
SHOWN_CAUSE = 330
HAND_EDITS = "hand edits: 0"  # nothing between the porting command and the run is anybody's to change


def line(result: Result) -> str:
    """One program in one line."""
    name = f"{result.number or '':>3} {result.id:<28} {result.kind:<22.22} {result.half.value:<5}"
    if result.passed_over or not result.level:
        what = "passed over" if result.passed_over else "torch fails"
        return f"{name} {what}: {result.cause[:SHOWN_CAUSE]}"
    ready = f"{_number(result.readiness.report)}/{_number(result.readiness.check)} %"
    loose = f" (loose {result.loosest:.0e})" if result.loosest > LOOSE else ""
    answers = f"init {ANSWERS[result.initial_weights]:<3} graph {ANSWERS[result.graph]:<3}"
    facts = f"{result.level:<8} {answers} ready {ready:<10} files {result.imported:<6}"
    said = f"predicted: {result.prediction.said}"
    return f"{name} {facts} {HAND_EDITS} {result.seconds:4.0f} s{loose} {said}; {result.cause[:SHOWN_CAUSE]}".rstrip(
        "; "
    )


def prediction_line(result: Result) -> str:
    """What was predicted of a program, beside the level that it reached."""
    name = f"{result.number or '':>3} {result.id:<28} {result.half.value:<5}"
    said = result.prediction
    return f"{name} {result.level or '-':<8} predicted: {said.said:<22} {said.cause[:SHOWN_CAUSE]}".rstrip()


def torch_line(result: Result) -> str:
    """What the check of a driver says in one line."""
    name = f"{result.number or '':>3} {result.id:<28} {result.half.value:<5}"
    if result.passed_over:
        return f"{name} passed over: {result.cause}"
    stages = "; ".join(f"{stage} {said}" for stage, said in result.stages.items())
    imports = "; ".join(f"{module} does not import: {said}" for module, said in result.imports.items())
    loose = f"loose {result.loosest:.0e}" if result.loosest > LOOSE else ""
    said = f"FAILS: {result.cause[:1500]}" if result.cause else "ok, twice the same"
    return " | ".join(part for part in (f"{name} {said}", stages, loose, imports) if part)


def totals(results: list[Result]) -> list[str]:
    """A line for each half that was run, and the programs that could not be."""
    lines = []
    for half in Half:
        counted = [result for result in results if result.half is half and result.level]
        if counted:
            ranks = [ALL_LEVELS.index(result.level) for result in counted]
            counts = [
                f"{sum(r >= rank for r in ranks)} {ALL_LEVELS[rank]}" for rank in range(1, len(ALL_LEVELS))
            ]
            alike = [result.initial_weights for result in counted if result.initial_weights is not None]
            graphs = [result.graph for result in counted if result.graph is not None]
            counts += [f"initial weights {sum(alike)} of {len(alike)}"] if alike else []
            counts += [f"graph {sum(graphs)} of {len(graphs)}"] if graphs else []
            lines.append(f"{half.value}: {len(counted)} programs: {', '.join(counts)}")
            rows = ((result.id, result.level, result.prediction) for result in counted)
            ranked = {level: rank for rank, level in enumerate(ALL_LEVELS)}
            lines.append(f"{half.value}, predicted: {score(rows, ranked)}")
    for what, chosen in (
        ("passed over", [result for result in results if result.passed_over]),
        ("torch fails", [result for result in results if not result.passed_over and not result.level]),
    ):
        if chosen:
            lines.append(f"{what}: {', '.join(result.id for result in chosen)}")
    return lines


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
