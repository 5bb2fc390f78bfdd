"""Takes one program through all levels: it converts, imports, builds, computes and trains the same."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import msgspec
import numpy as np

from program_bench.case import Case, CaseError, Half
from program_bench.comparison import Outputs, first_difference, loosest, same_outputs
from program_bench.copies import Copy, PassedOverError, make_copy
from program_bench.porting import DEFAULT_COMMAND, Readiness, ask_readiness, port
from program_bench.prediction import Prediction, predict
from program_bench.sides import SideReport, Sides, digest_of_sides

# Every level needs those before it. The stage of a side that decides on it.
LEVELS = {"imports": "driver", "builds": "builds", "forward": "forward", "trains": "train"}
ALL_LEVELS = ("none", "converts", *LEVELS)
WELL = "ok"


class Bench(msgspec.Struct, frozen=True):
    """How programs are run: `mindport` is the words that start it, `cache` keeps torch's side and the results, `work`
    has the copies, `sources` names the state of mindport's own code."""

    sides: Sides
    mindport: list[str]
    cache: Path
    work: Path
    repositories: Path | None = None
    command: str = DEFAULT_COMMAND
    graph: bool = False
    resume: bool = False
    sources: str = ""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How far one program came and why no further. `level` is empty where torch itself did not run it, or where it was
    passed over; `cause` says why then, too. `initial_weights` and `graph` are None where nothing was to compare."""

    id: str
    number: int
    repository: str
    kind: str
    half: Half
    level: str = ""
    passed_over: bool = False
    stages: dict[str, str] = {}
    initial_weights: bool | None = None
    graph: bool | None = None
    readiness: Readiness = Readiness()
    prediction: Prediction = Prediction()
    imported: str = ""
    imports: dict[str, str] = {}
    weights: dict[str, str] = {}
    cause: str = ""
    loosest: float = 0.0
    porting_seconds: float = 0.0
    seconds: float = 0.0


def run_program(case: Case, bench: Bench) -> Result:
    """Run both sides of a program and compare them."""
    before = time.monotonic()
    folder = bench.work / case.id
    try:
        original = make_copy(case, bench.repositories, folder / "torch")
        key = _key(case, original)
        run = _digest(key, bench.command, bench.sources, str(bench.graph))
        kept = bench.cache / "results" / f"{case.id}-{run}.json"
        if bench.resume and kept.exists():
            return msgspec.json.decode(kept.read_bytes(), type=Result)
        reference = _torch_side(case, bench, original, bench.cache / "torch" / case.id / key)
        result = _ported(case, bench, original, reference)
    except PassedOverError as error:
        return _result(case, passed_over=True, cause=str(error))
    except CaseError as error:
        return _result(case, cause=str(error))
    result = msgspec.structs.replace(result, seconds=round(time.monotonic() - before, 1))
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(msgspec.json.format(msgspec.json.encode(result)))
    return result


def predict_only(case: Case, bench: Bench, known: Result | None) -> Result:
    """The prediction for a program, beside what an earlier run said of it; nothing is run."""
    try:
        original = make_copy(case, bench.repositories, bench.work / case.id / "torch")
    except PassedOverError as error:
        return _result(case, passed_over=True, cause=str(error))
    except CaseError as error:
        return _result(case, cause=str(error))
    result = known or _result(case, cause="no earlier result")
    return msgspec.structs.replace(result, prediction=predict(original, bench.mindport))


def check_driver(case: Case, bench: Bench) -> Result:
    """Run only torch's side, twice: every stage has to go well and to give the same bits, whatever torch draws."""
    before = time.monotonic()
    folder = bench.work / case.id
    try:
        original = make_copy(case, bench.repositories, folder / "torch")
        first = _torch_side(case, bench, original, bench.cache / "torch" / case.id / _key(case, original))
        again = folder / "again"
        report = bench.sides.run(case, "torch", original, again, folder / "weights", seed=1)
        differing = _torch_problem(report) or same_outputs(first.outputs, _outputs(again))
        stages = {stage: f"{WELL}, {said.seconds} s" for stage, said in first.report.stages.items()}
        failed = {name: said for name, said in first.report.imports.items() if said != WELL}
        result = _result(
            case,
            stages=stages,
            imports=failed,
            loosest=loosest(first.outputs),
            cause=f"a second run differs: {differing}" if differing else "",
        )
    except PassedOverError as error:
        return _result(case, passed_over=True, cause=str(error))
    except CaseError as error:
        return _result(case, cause=str(error))
    return msgspec.structs.replace(result, seconds=round(time.monotonic() - before, 1))


class _Reference(msgspec.Struct, frozen=True):
    report: SideReport
    outputs: Outputs
    weights: Path


def _torch_side(case: Case, bench: Bench, copy: Copy, folder: Path) -> _Reference:
    """Torch's results, made once for the same contents."""
    kept = folder / "kept.json"
    if kept.exists():
        report = msgspec.json.decode(kept.read_bytes(), type=SideReport)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        report = bench.sides.run(case, "torch", copy, folder / "torch", folder / "weights")
        problem = _torch_problem(report)
        if problem:
            raise CaseError(f"torch: {problem}")
        kept.write_bytes(msgspec.json.encode(report))
    return _Reference(report, _outputs(folder / "torch"), folder / "weights")


def _torch_problem(report: SideReport) -> str:
    bad = [f"{stage}: {said.error} at {said.at}" for stage, said in report.stages.items() if not said.ok]
    bad += [f"{name} {said}" for name, said in report.parts.items()]
    bad += [f"no stage {stage}" for stage in ("builds", "forward") if not bad and stage not in report.stages]
    if bad or report.status:
        return "; ".join(bad) + (f"; exit {report.status}: {report.printed[-400:]}" if report.status else "")
    return ""


def _ported(case: Case, bench: Bench, original: Copy, reference: _Reference) -> Result:
    folder = bench.work / case.id
    readiness = ask_readiness(original, bench.mindport)
    prediction = predict(original, bench.mindport)
    ported = port(original, folder / "mindspore", bench.mindport, bench.command)
    if ported.problem:
        return _result(
            case,
            level="none",
            readiness=readiness,
            prediction=prediction,
            cause=f"converts: {ported.problem}",
        )
    out = folder / "mindspore-outputs"
    copy = Copy(ported.folder, original.files)
    report = bench.sides.run(case, "mindspore", copy, out, reference.weights, bench.graph)
    got = _outputs(out) if out.with_name(f"{out.name}.npz").exists() else {}
    stages = judge_stages(reference.report, reference.outputs, report, got)
    level = reached(stages)
    with_torch = [name for name, said in reference.report.imports.items() if said == WELL]
    imported = [name for name in with_torch if report.imports.get(name) == WELL]
    order = (*LEVELS.values(), "init", "graph")
    return _result(
        case,
        level=level,
        stages=stages,
        initial_weights=stages["init"] == WELL if "init" in stages else None,
        graph=stages["graph"] == WELL if "graph" in stages else None,
        readiness=readiness,
        prediction=prediction,
        imported=f"{len(imported)}/{len(with_torch)}",
        imports={
            name: report.imports.get(name, "not reached") for name in with_torch if name not in imported
        },
        weights=report.weights,
        cause=next((f"{stage}: {stages[stage]}" for stage in order if stages.get(stage, WELL) != WELL), ""),
        loosest=loosest(reference.outputs),
        porting_seconds=ported.seconds,
    )


def judge_stages(
    expected: SideReport, expected_outputs: Outputs, got: SideReport, got_outputs: Outputs
) -> dict[str, str]:
    """For each stage that torch ran: `ok`, or in a sentence why it is not."""
    judged: dict[str, str] = {}
    for stage in (*expected.stages, *(["graph"] if "graph" in got.stages else [])):
        said = got.stages.get(stage)
        compared = "forward" if stage == "graph" else stage
        if said is None:
            failed = any(not one.ok for one in got.stages.values())
            judged[stage] = "not reached" if failed else f"ended the process: {got.printed[-300:].strip()}"
        elif not said.ok:
            judged[stage] = f"{said.error} at {said.at}"
        else:
            different = first_difference(compared, expected_outputs, got_outputs, got.parts, stage)
            judged[stage] = str(different) if different else WELL
    return judged


def reached(stages: dict[str, str]) -> str:
    """The last level whose stage, and all before it, went well."""
    level = "converts"
    for name, stage in LEVELS.items():
        if stages.get(stage) != WELL:
            break
        level = name
    return level


def _outputs(out: Path) -> Outputs:
    with np.load(out.with_name(f"{out.name}.npz")) as file:
        return {key: file[key] for key in file.files}


def _result(case: Case, **rest: object) -> Result:
    said = case.description
    given = Result(id=case.id, number=said.number, repository=said.repository, kind=said.kind, half=said.half)
    return msgspec.structs.replace(given, **rest)


def _key(case: Case, copy: Copy) -> str:
    return _digest(str(msgspec.json.encode(case.description)), copy.digest(), digest_of_sides())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
