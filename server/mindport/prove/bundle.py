"""A folder that proves mappings on another machine, which has a Python with MindSpore and nothing else: no network, no
torch, no mindport. What torch gives is recorded here and travels along, and so does the part of mindport that runs
samples. What comes back is one file of results, which is checked against today's catalogue before it is evidence."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Dict
from pathlib import Path

import msgspec

from mindport.config.problem import ConfigurationError
from mindport.config.regular_file import read_regular
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import MOST_BYTES, SharedRow, shared_rows
from mindport.model.language import say
from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.outcomes import ExampleOutcome, evidence_rows
from mindport.prove.proof import SECONDS_PER_SAMPLE, Planned, outcome_of, plan
from mindport.prove.workers import Outcome, Worker, run_all

FORMAT = 1
TASKS, MANIFEST, RUN = "tasks.jsonl", "bundle.json", "run.py"
_PACKAGE = Path(__file__).resolve().parent.parent
_ALONG = (
    "__init__.py",
    "prove/__init__.py",
    "prove/workers.py",
    "registry/probe_process.py",
    "probes/oracle_worker.py",
    "probes/probe_channel.py",
    *(
        f"probes/oracle/{name}.py"
        for name in ("__init__", "compare", "drawn", "graph_side", "inputs", "mindspore_side")
    ),
    *(f"probes/oracle/{name}.py" for name in ("plain_values", "recorded_reference", "reference", "request")),
    *(f"probes/oracle/{name}.py" for name in ("sample", "snippet", "worker")),
)


class BundleManifest(msgspec.Struct, frozen=True):
    """What a bundle is for, and the digest of its tasks."""

    format: int
    mindspore: str
    device: str
    mode: str
    torch: str
    tasks: str
    count: int


class TaskResult(msgspec.Struct, frozen=True):
    """The outcomes of the samples of one task, whose `digest` tells what was run."""

    api: str
    digest: str
    outcomes: tuple[Outcome, ...]


class Results(msgspec.Struct, frozen=True):
    """What came back: the bundle's manifest, the machine, and a row for each task that was run. `digest` is that of
    the rows, so that a file which was cut or changed is told."""

    bundle: BundleManifest
    versions: dict[str, str]
    machine: dict[str, str]
    rows: tuple[TaskResult, ...]
    digest: str


class ProvedElsewhere(msgspec.Struct, frozen=True):
    """Results that hold for today's catalogue: the evidence by mapping, and how many rows say nothing any more."""

    target: Target
    machine: str
    evidence: dict[str, tuple[Evidence, ...]]
    shared: tuple[SharedRow, ...]
    stale: int


def make_bundle(
    mappings: Dict[str, Mapping],
    target: Target,
    interpreter: Path,
    folder: Path,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> BundleManifest:
    """Write a bundle to an empty or new folder. `interpreter` has torch. Raises CannotRun where it has not, OSError."""
    planned = plan(mappings, target)
    recorded: dict[int, list[Outcome]] = {}
    versions: dict[str, str] = {}

    def done(index: int, results: list[Outcome], found: dict[str, str]) -> None:
        recorded[index] = results
        versions.update(found)
        progress(len(recorded), len(planned))

    tasks = [list(one.requests) for one in planned]
    run_all(
        tasks,
        done,
        lambda: Worker(interpreter, part="torch"),
        jobs,
        SECONDS_PER_SAMPLE,
        is_repeated=False,
    )
    folder.mkdir(parents=True, exist_ok=True)
    lines = [_task(one, mappings[one.key], recorded[number]) for number, one in enumerate(planned)]
    text = "".join(f"{line}\n" for line in lines)
    (folder / TASKS).write_text(text, encoding="utf-8")
    manifest = BundleManifest(
        FORMAT,
        str(target.version),
        target.device.value,
        target.mode.value,
        versions.get("torch", ""),
        hashlib.sha256(text.encode()).hexdigest(),
        len(lines),
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    for name in _ALONG:
        place = folder / "mindport" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_PACKAGE / name, place)
    (folder / "mindport" / "registry" / "__init__.py").touch()  # ours needs more than Python
    shutil.copyfile(Path(__file__).with_name("bundle_run.py"), folder / RUN)
    return manifest


def _task(planned: Planned, mapping: Mapping, recorded: Sequence[Outcome]) -> str:
    """One line: the samples of an example with what torch gave; where torch ended, there is nothing to compare."""
    requests = [
        {**request, "expected": outcome.get("expected") or {"not_prepared": outcome["message"]}}
        for request, outcome in zip(planned.requests, recorded, strict=False)
    ]
    row = {"api": _api(mapping), "digest": digest_of(planned), "requests": requests}
    return json.dumps(row, ensure_ascii=False)


def digest_of(planned: Planned) -> str:
    """A word for all that decides what is run of an example."""
    text = json.dumps([planned.case, planned.requests], sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def read_results(path: Path) -> Results:
    """The results in a file. Raises ConfigurationError that names the file and what is wrong with it."""
    try:
        data = read_regular(path, MOST_BYTES)
        found = msgspec.json.decode(data, type=Results)
        rows = json.loads(data)["rows"]
    except OSError as error:
        raise ConfigurationError([f"{path}: cannot be read: {error.strerror or error}"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: no results of a bundle: {error}"]) from None
    if found.bundle.format != FORMAT:
        raise ConfigurationError([f"{path}: format {found.bundle.format} is not known to this mindport"])
    text = json.dumps(rows, sort_keys=True, separators=(",", ":"))
    if hashlib.sha256(text.encode()).hexdigest() != found.digest:
        raise ConfigurationError([say("{file}: it was changed or cut since it was written", file=path)])
    return found


def accept(results: Results, mappings: Dict[str, Mapping]) -> ProvedElsewhere:
    """What the results prove of `mappings`, the catalogue of today. A row counts where the same would be run today; a
    case counts where all its examples were run. Raises ConfigurationError where they are of another MindSpore or
    device than the bundle."""
    bundle, versions = results.bundle, {**results.versions, "torch": results.bundle.torch}
    target = Target(Version.parse(bundle.mindspore), Device(bundle.device), Mode(bundle.mode))
    if Version.parse(versions.get("mindspore", "0.0")) != target.version:
        raise ConfigurationError(
            [
                say(
                    "the bundle is for MindSpore {wanted}, and {found} ran it",
                    wanted=target.version,
                    found=versions.get("mindspore", ""),
                )
            ]
        )
    if results.machine.get("device") != target.device.value:
        raise ConfigurationError(
            [say("the bundle is for {device}, and was not run there", device=target.device.value)]
        )
    ran = {row.digest: row for row in results.rows}
    wanted = {row.api for row in results.rows}
    chosen = {name: mapping for name, mapping in mappings.items() if _api(mapping) in wanted}
    outcomes: dict[str, list[ExampleOutcome]] = {name: [] for name in chosen}
    unfinished: set[tuple[str, int]] = set()
    known = set()
    for planned in plan(chosen, target):
        digest = digest_of(planned)
        row = ran.get(digest)
        if row is None:
            unfinished.add((planned.key, planned.case))
            continue
        known.add(digest)
        outcomes[planned.key].append(outcome_of(planned, row.outcomes))
    evidence = {}
    for name, found in outcomes.items():
        whole = [one for one in found if (name, one.case) not in unfinished]
        rows = evidence_rows(chosen[name], whole, versions, target.device, target.mode)
        if rows:
            evidence[name] = rows
    machine = ", ".join(f"{key} {value}" for key, value in sorted(results.machine.items()) if value)
    shared = tuple(
        msgspec.structs.replace(one, machine=machine)
        for name, rows in evidence.items()
        for one in shared_rows(chosen[name], rows)
    )
    return ProvedElsewhere(target, machine, evidence, shared, len(ran.keys() - known))


def _api(mapping: Mapping) -> str:
    return listed_names(mapping.torch)[0][0]
