"""`mindport evidence`: what a bundle of `mindport prove --bundle` brought back, as evidence of the project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mindport.checking.project_evidence import project_index
from mindport.cli.group import CommandGroup
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED
from mindport.cli.output import warn
from mindport.cli.prove import (
    evidence_option,
    evidence_place,
    told_of,
    wanted_mappings,
    write_evidence,
)
from mindport.config.load import load_settings
from mindport.config.problem import ConfigurationError
from mindport.mapping.index import MappingIndex
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Evidence, Mapping
from mindport.mapping.shared_evidence import SharedRow, evidence_for, merged, read_shared, read_shares
from mindport.model.language import say
from mindport.prove.bundle import accept, read_results
from mindport.report.text import number_of


@click.group(cls=CommandGroup)
def evidence() -> None:
    """Take over what was proved on other machines."""


@evidence.command(short_help="Take over the results of a bundle.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@evidence_option
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def add(file: str, output: str | None, config_file: str | None) -> int:
    """Take over the results of a bundle, after checking them: that the file is whole, that the MindSpore and the device
    are the bundle's, and that the catalogue of today would run the same."""
    loaded = load_settings(".", {}, config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    path = evidence_place(loaded, output)
    old = read_shared(path) if path.is_file() else ()
    try:
        found = accept(read_results(Path(file)), _mappings(project_index(loaded.settings, loaded.root)))
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from None
    warn(say("Run on {target}: {machine}", target=found.target, machine=found.machine))
    if found.stale:
        number = number_of(found.stale, "example")
        warn(say("{number} changed since the bundle was made and say nothing any more", number=number))
    if not found.shared:
        return EXIT_FAILED
    write_evidence(path, merged(old, found.shared))
    return told_of(found.evidence, path)


@evidence.command(short_help="Put the shares of a run together.")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, dir_okay=False)
)
@evidence_option
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def merge(files: tuple[str, ...], output: str | None, config_file: str | None) -> int:
    """Put together what `mindport prove --shard` wrote: the evidence, the lines and the exit code are those of one run
    over everything. Refuses shares that are not all there, or not of one run."""
    loaded = load_settings(".", {}, config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    path = evidence_place(loaded, output)
    old = read_shared(path) if path.is_file() else ()
    share, rows = read_shares([Path(file) for file in files])
    mappings = wanted_mappings(share.asked, project_index(loaded.settings, loaded.root))
    if not rows:
        return EXIT_FAILED
    write_evidence(path, merged(old, rows))
    seen = {name: _seen_of(mapping, rows) for name, mapping in mappings.items()}
    return told_of({name: found for name, found in seen.items() if found}, path)


def _seen_of(mapping: Mapping, rows: Sequence[SharedRow]) -> tuple[Evidence, ...]:
    """What the rows say of a mapping, in the order of its cases."""
    api = listed_names(mapping.torch)[0][0]
    found = evidence_for(mapping, [row for row in rows if row.api == api])
    return tuple(sorted(found, key=lambda row: row.case))


def _mappings(index: MappingIndex) -> dict[str, Any]:
    return {name: mapping for name, mapping in index.mappings() if mapping.examples}
