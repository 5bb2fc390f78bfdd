"""`mindport rules`: every kind of finding with its code and severity."""

from __future__ import annotations

import click

from mindport.cli.output import painter_for_output, write, write_data
from mindport.report.json_text import json_text
from mindport.rules.discover import all_rules


@click.command()
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
def rules(output_format: str) -> None:
    """List the rules; `mindport explain CODE` tells more of one."""
    found = all_rules().values()
    if output_format == "json":
        rows = [
            {"code": rule.code, "name": rule.name, "severity": rule.severity.label, "summary": rule.summary}
            for rule in found
        ]
        write_data(json_text(rows))
        return
    painter = painter_for_output()
    width = max((len(rule.name) for rule in found), default=0)
    for rule in found:
        severity = painter.severity(f"{rule.severity.label:11}", rule.severity.label)
        write(f"{painter.bold(rule.code)} {rule.name:{width}} {severity} {rule.summary}\n")
