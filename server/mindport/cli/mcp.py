"""`mindport mcp`: the server of the Model Context Protocol, for coding agents."""

from __future__ import annotations

from pathlib import Path

import click

from mindport.model.language import say


@click.command()
@click.option(
    "--root",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder that agents may work in; nothing outside of it is read or written for them.",
)
@click.option(
    "--allow-run",
    is_flag=True,
    help="Also offer the tool that runs the code of a port, as `mindport try` does.",
)
@click.option("--interpreter", default="", metavar="PATH", help="The Python that it runs it with.")
def mcp(root: Path, allow_run: bool, interpreter: str) -> None:
    """Serve coding agents on standard input and output by the Model Context Protocol."""
    try:
        from mindport.agent.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise click.UsageError(say("this needs the extra `mcp`: pip install 'mindport[mcp]'")) from None
    serve(root.resolve(), allow_run, interpreter)
