"""`mindport evidence`: what a bundle of `mindport prove --bundle` brought back, as evidence of the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mindport.check.project_evidence import project_index
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.main import EXIT_FAILED
from mindport.cli.output import warn
from mindport.cli.prove import evidence_option, evidence_place, told_of, write_evidence
from mindport.config.load import load_settings
from mindport.config.problem import ConfigurationError
from mindport.mapping.index import MappingIndex
from mindport.mapping.shared_evidence import merged, read_shared
from mindport.model.language import say
from mindport.prove.bundle import accept, read_results
from mindport.report.text import number_of


@click.group()
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


def _mappings(index: MappingIndex) -> dict[str, Any]:
    return {name: mapping for name, mapping in index.mappings() if mapping.examples}
