"""`mindport prove`: runs the examples of the catalogue in torch and in MindSpore on this machine and keeps what agreed
as evidence of the project."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from mindport.checking.choice import Share
from mindport.checking.project_evidence import evidence_files, project_index
from mindport.cli.explain import full_name
from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.options import settings_of
from mindport.cli.output import warn, write
from mindport.cli.progress import progress_of
from mindport.cli.shares import share_of
from mindport.config.load import LoadedSettings, load_settings
from mindport.config.problem import nearest
from mindport.config.target import resolve_target
from mindport.mapping.index import MappingIndex
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import (
    DEFAULT_FILE,
    EvidenceShare,
    SharedRow,
    as_text,
    merged,
    read_shared,
    shared_rows,
)
from mindport.model.language import later, listing, say
from mindport.model.target import Target, Version
from mindport.prove.bundle import make_bundle
from mindport.prove.outcomes import evidence_rows
from mindport.prove.proof import prove as run_examples
from mindport.prove.workers import CannotRun
from mindport.registry.probe import ProbeFailure, run_probe
from mindport.registry.torch import torch_facts
from mindport.report.text import number_of
from mindport.source.writing import write_output

_PROBE_SECONDS = 60.0
evidence_option = click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help=f"The evidence file; what it holds already is kept.  [default: {DEFAULT_FILE} of the project]",
)


@click.command()
@click.argument("apis", nargs=-1, metavar="[API]...")
@click.option("--device", metavar="[auto|Ascend|GPU|CPU]", help="The device to run on.")
@click.option(
    "--mode", metavar="[pynative|graph]", help="How to execute it: op by op, or as compiled graphs."
)
@click.option("--interpreter", metavar="PATH", help="A Python that has torch and MindSpore.")
@evidence_option
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="How many processes."
)
@click.option(
    "--bundle",
    metavar="DIR|ZIP",
    type=click.Path(),
    help="Run nothing here: write a folder that runs it on a machine with MindSpore alone.",
)
@click.option(
    "--target-version", metavar="VERSION", help="With --bundle, the MindSpore of the other machine."
)
@click.option(
    "--shard",
    metavar="I/N",
    callback=share_of,
    help="Run one of N shares of them, for `mindport evidence merge`; --output names its file.",
)
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def prove(
    apis: tuple[str, ...],
    output: str | None,
    jobs: int,
    bundle: str | None,
    shard: Share | None,
    config_file: str | None,
    **options: Any,
) -> int:
    """Run torch and its replacements on this machine and keep what agreed as evidence.

    Takes torch names such as torch.nn.Conv2d or F.relu; all of the catalogue if none is named. A fix is safe on a
    version, device and mode only where they were run: what ships was run on CPU.

    With --bundle, torch's results are recorded here for another machine, which needs neither torch nor mindport nor a
    network: copy the folder there, run `python run.py` in it with a Python that has MindSpore, and bring the results
    back with `mindport evidence add`."""
    if shard is not None and (output is None or bundle is not None):
        raise click.UsageError(say("--shard needs an --output of its own, and does not go with --bundle"))
    loaded = load_settings(".", settings_of(options), config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    root = Path(loaded.root)
    interpreter = interpreter_to_start(loaded)
    index = project_index(loaded.settings, loaded.root)
    mappings = wanted_mappings(apis, index)
    if bundle is not None:
        return _bundled(mappings, resolve_target(loaded.settings, root)[0], interpreter, Path(bundle), jobs)
    version = _mindspore_of(interpreter)
    chosen = resolve_target(loaded.settings, root)[0]
    target = Target(version, chosen.device, chosen.mode)
    path = evidence_place(loaded, output)
    share = None
    if shard is not None:
        share = EvidenceShare(number=shard.number, count=shard.count, asked=apis, target=str(target))
        mappings = _in_share(mappings, shard)
    old = read_shared(path) if path.is_file() and share is None else ()
    warn(
        say(
            "Proving mappings on {target} with {interpreter}: {number}",
            target=target,
            interpreter=interpreter,
            number=len(mappings),
        )
    )
    try:
        with progress_of(say("Proving")) as progress:
            proof = run_examples(mappings, target, interpreter, jobs=jobs, progress=progress, catalogue=index)
    except CannotRun as error:
        raise click.ClickException(str(error)) from None
    rows = {
        name: evidence_rows(mapping, proof.outcomes[name], proof.versions, target.device, target.mode)
        for name, mapping in mappings.items()
        if proof.outcomes[name]
    }
    shared = [row for name, seen in rows.items() for row in shared_rows(mappings[name], seen)]
    if not shared and share is None:
        device = target.device.value
        warn(
            say(
                "Nothing that was named can be run on {device}: no example shows a case for it", device=device
            )
        )
        return EXIT_FAILED
    write_evidence(path, merged(old, shared), share)
    return told_of(rows, path)


def _in_share(mappings: dict[str, Mapping], share: Share) -> dict[str, Mapping]:
    """The mappings of one share of a run, of about as many examples as the others."""
    names = list(mappings)
    chosen = share.among([len(mappings[name].examples) for name in names], names)
    return {name: mappings[name] for index, name in enumerate(names) if index in chosen}


def evidence_place(loaded: LoadedSettings, output: str | None) -> Path:
    """The file that evidence goes to: the one that was named, the project's first, or the usual one."""
    default = evidence_files(loaded.settings, loaded.root)
    return Path(output) if output else default[0] if default else Path(loaded.root) / DEFAULT_FILE


def write_evidence(path: Path, rows: Iterable[SharedRow], share: EvidenceShare | None = None) -> None:
    """Write an evidence file, or that of one share of a run. Raises click.ClickException."""
    try:
        write_output(path, as_text(rows, share).encode("utf-8"))
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(
            say("{file} cannot be written: {reason}", file=path, reason=reason)
        ) from None


def told_of(rows: dict[str, tuple[Evidence, ...]], path: Path) -> int:
    """Say what was seen of each case and in all, and the exit code for it."""
    write("".join(_lines(rows)))
    seen = [row for found in rows.values() for row in found]
    against = sum(not row.agrees for row in seen)
    warn(
        say(
            "Cases that agreed: {agreed}, that did not: {against}; written to {file}",
            agreed=len(seen) - against,
            against=against,
            file=path,
        )
    )
    return EXIT_FINDINGS if against else 0


def _bundled(mappings: dict[str, Mapping], target: Target, interpreter: Path, place: Path, jobs: int) -> int:
    """Write a bundle into a folder that is empty or not there yet, or a zip file of it."""
    is_zip = place.suffix == ".zip"
    if place.exists() and (is_zip or not place.is_dir() or any(place.iterdir())):
        raise click.UsageError(say("{place} is there already", place=place))
    warn(say("Recording what {interpreter} gives, for {target}", interpreter=interpreter, target=target))
    with tempfile.TemporaryDirectory(prefix="mindport-") as work:
        folder = Path(work, place.stem) if is_zip else place
        try:
            with progress_of(say("Recording")) as progress:
                manifest = make_bundle(mappings, target, interpreter, folder, jobs=jobs, progress=progress)
            if is_zip:
                shutil.make_archive(str(place.with_suffix("")), "zip", work, place.stem)
        except CannotRun as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            reason = error.strerror or error
            raise click.ClickException(
                say("{file} cannot be written: {reason}", file=place, reason=reason)
            ) from None
    if not manifest.count:
        device = target.device.value
        warn(
            say(
                "Nothing that was named can be run on {device}: no example shows a case for it", device=device
            )
        )
        return EXIT_FAILED
    number = number_of(manifest.count, "example")
    warn(say("Wrote {number} to {place}; run `python run.py` there", number=number, place=place))
    return 0


def wanted_mappings(apis: tuple[str, ...], index: MappingIndex) -> dict[str, Mapping]:
    """The mappings to run, by the name that asks for them. Raises click.UsageError for a name without one."""
    if not apis:
        return {file: mapping for file, mapping in index.mappings() if mapping.examples}
    found = {}
    for api in apis:
        name = full_name(api)
        mapping = index.find(torch_facts().canonical(name) or name)
        if mapping is None:
            near = nearest(name, index.names())
            raise click.UsageError(
                say("{api!r} is no torch name that mindport judges{nearest}", api=api, nearest=near)
            )
        if not mapping.examples:
            raise click.UsageError(
                say("{api} has no replacement that could be run; see `mindport explain {api}`", api=name)
            )
        found[name] = mapping
    return found


def _mindspore_of(interpreter: Path) -> Version:
    """The version of MindSpore that the interpreter has. Raises click.ClickException where anything is missing."""
    answer = run_probe(interpreter, "versions", {}, _PROBE_SECONDS)
    if isinstance(answer, ProbeFailure):
        raise click.ClickException(say("{reason}; name a Python with --interpreter", reason=answer.reason))
    missing = [name for name in ("torch", "mindspore", "numpy") if answer.content.get(name) is None]
    if missing:
        raise click.ClickException(
            say(
                "{interpreter} (Python {version}) lacks {missing}: install what is missing there, or name a Python "
                "that has both frameworks with --interpreter",
                interpreter=interpreter,
                version=answer.content.get("python"),
                missing=listing(missing),
            )
        )
    version = str(answer.content["mindspore"])
    try:
        return Version.parse(version)
    except ValueError:
        raise click.ClickException(
            say(
                "{interpreter} does not tell the version of its MindSpore (it says {version!r})",
                interpreter=interpreter,
                version=version,
            )
        ) from None


def _lines(rows: dict[str, tuple[Evidence, ...]]) -> list[str]:
    lines = []
    for name, seen in rows.items():
        for row in seen:
            what = number_of(row.samples, "sample")
            if row.agrees and row.max_abs:
                largest = f"{row.max_abs:.0e}"
                what = say("{samples}, largest difference {largest}", samples=what, largest=largest)
            sentence = (
                later("agrees  {name} case {case}: {what}")
                if row.agrees
                else later("DIFFERS {name} case {case}: {what}")
            )
            note = f": {row.note}" if row.note else ""
            lines.append(f"{say(sentence, name=name, case=row.case, what=what)}{note}\n")
    return lines
