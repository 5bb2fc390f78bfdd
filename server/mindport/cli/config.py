"""`mindport config`: the settings that apply to a directory, and the JSON schema of them all."""

from __future__ import annotations

import click

from mindport.cli.group import CommandGroup
from mindport.cli.output import write_data
from mindport.config.load import load_settings
from mindport.config.schema import settings_schema
from mindport.config.target import resolve_target
from mindport.model.language import speaking
from mindport.report.json_text import json_text


@click.group(cls=CommandGroup)
def config() -> None:
    """Show the settings that apply, or their JSON schema."""


@config.command(short_help="Print the JSON schema of [tool.mindport].")
def schema() -> None:
    """Print the JSON schema of [tool.mindport]."""
    write_data(json_text(settings_schema(), indent=2))


@config.command(short_help="Print the settings that apply, and their target, as JSON.")
@click.argument("directory", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file.")
def show(directory: str, config_file: str | None) -> None:
    """Print the settings of the files in DIRECTORY as JSON, where they are from, and the target that
    follows."""
    loaded = load_settings(directory, config_file=config_file)
    with speaking(None):  # programs read it
        target, reasons = resolve_target(loaded.settings, loaded.root)
    document = {
        "source": loaded.source,
        "root": loaded.root,
        "target": str(target),
        "reasons": reasons,
        "settings": loaded.settings,
    }
    write_data(json_text(document, indent=2))
