"""`mindport init`: write the first settings of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mindport.checking.baseline import BASELINE_FILE
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.options import settings_of
from mindport.cli.output import warn, write
from mindport.cli.outputs import FileFailed
from mindport.config.first_table import code_of_others, first_table, with_table
from mindport.config.load import load_settings
from mindport.config.problem import ConfigurationError
from mindport.config.target import resolve_target
from mindport.model.language import say
from mindport.source.writing import replace_file

_FILE = "pyproject.toml"


@click.command()
@click.argument("directory", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--device", metavar="[Ascend|GPU|CPU]", help="The device the ported code is to run on.")
@click.option("--target-version", metavar="VERSION", help="The MindSpore release to port to, such as 2.10.")
@click.option("--mode", metavar="[pynative|graph]", help="How the ported code is to be executed.")
@click.option("--dry-run", is_flag=True, help="Write the table to standard output and change nothing.")
def init(directory: str, dry_run: bool, **options: Any) -> None:
    """Write the settings of a project into its pyproject.toml: the target that was found, and what to leave out.

    DIRECTORY is in the project; without it that is the current directory. What the options do not say is what
    `mindport check` would take by itself, so that it is the same on every machine from then on."""
    loaded = load_settings(directory, settings_of(options), language=terminal_language())
    speak_as(loaded.settings)
    if loaded.source:
        raise ConfigurationError([say("{file}: has a table [tool.mindport] already", file=loaded.source)])
    target, reasons = resolve_target(loaded.settings, loaded.root)
    table = first_table(target, reasons, code_of_others(Path(loaded.root)))
    if dry_run:
        write(table)
        return
    path = Path(loaded.root, _FILE)
    _append(path, table)
    write(table)
    warn(say("wrote {file}", file=path))
    warn(
        say(
            "next: `mindport check`; `mindport baseline write` accepts what is there in {baseline}",
            baseline=BASELINE_FILE,
        )
    )


def _append(path: Path, table: str) -> None:
    """Put a table at the end of a file, which is made where there is none. Raises FileFailed, and ConfigurationError
    where it cannot stand there."""
    try:
        content = path.read_bytes().decode() if path.exists() else ""
        text = with_table(content, table)
        if text is None:
            raise ConfigurationError(
                [say("{file}: the table cannot be put at its end; --dry-run shows it", file=path)]
            )
        mode = path.stat().st_mode & 0o7777 if path.exists() else 0o644
        replace_file(path.resolve(), text.encode(), mode)
    except OSError as error:
        raise FileFailed(f"{path}: {error.strerror}") from None
