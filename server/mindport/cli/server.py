"""`mindport server`: the language server, which is a host of its own; only its name is known here."""

from __future__ import annotations

import importlib

import click


@click.command()
def server() -> int:
    """Start the language server on standard input and output."""
    # By name: the two hosts do not import each other, and the protocol's types take longer to load than all
    # the rest.
    result: int = importlib.import_module("mindport.lsp.serve").run()
    return result
