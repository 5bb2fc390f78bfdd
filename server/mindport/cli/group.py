"""Commands that have commands below them."""

from __future__ import annotations

from typing import IO, Any

import click


class CommandGroup(click.Group):
    """A group that is wrongly called without one of its commands: that shows its help among the errors and ends with 2,
    whatever the release of click makes of it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; raises UsageError where there are none."""
        if not args and not ctx.resilient_parsing:
            raise _WithoutCommand(ctx)
        return super().parse_args(ctx, args)


class _WithoutCommand(click.UsageError):
    """Says its help alone, without what click puts around a message."""

    def __init__(self, context: click.Context) -> None:
        super().__init__(context.get_help(), context)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the help to the errors."""
        click.echo(self.format_message(), file=file, err=True)
