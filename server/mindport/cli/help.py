"""The help of the command line in the language in force: what click writes, translated when it is written. Lines of
Chinese are broken where Chinese may be, and counted as wide as terminals show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click

from mindport.model.language import in_force, later, say, translated
from mindport.report.visible import terminal_columns

# Click's own words.
_WORDS = (
    later("Options"),
    later("Commands"),
    later("Show this message and exit."),
    later("Show the version and exit."),
    later("required"),
)
_REMARK = re.compile(r"(.*?)(?:  \[(.*)\])?", re.DOTALL)  # what click adds to the help of an option
_TOKEN = re.compile(r"\s+|[（“《]*(?:[⺀-鿿＀-￯]|[^\s⺀-鿿＀-￯]+)[，。；：、？！）”》]*")
_PARAGRAPHS = re.compile(r"\n\s*\n")


class HelpPage(click.HelpFormatter):
    """Writes as click does, in English and else translated."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line with the usage."""
        super().write_usage(prog, args, say("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """The heading of a section."""
        super().write_heading(translated(heading))

    def write_text(self, text: str) -> None:
        """The paragraphs of a text."""
        if in_force() is None:
            super().write_text(text)
            return
        indent = " " * self.current_indent
        paragraphs = _PARAGRAPHS.split(translated(text))
        self.write(
            "\n\n".join(
                "\n".join(indent + line for line in wrapped(one, self.width - len(indent)))
                for one in paragraphs
            )
            + "\n"
        )

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """The options or commands, each with what it does."""
        if in_force() is None:
            super().write_dl(rows, col_max, col_spacing)
            return
        said = [(term, _said(help_text)) for term, help_text in rows]
        column = min(max(len(term) for term, _ in said), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, help_text in said:
            first, *others = wrapped(help_text, max(self.width - column - 2, 10)) or [""]
            between = (
                " " * (column - len(term))
                if len(term) <= column - col_spacing
                else f"\n{indent}{' ' * column}"
            )
            self.write(f"{indent}{term}{between}{first}".rstrip() + "\n")
            for line in others:
                self.write(f"{indent}{' ' * column}{line}\n")


class SpeakingContext(click.Context):
    """A context whose help is translated."""

    formatter_class = HelpPage


def speaking_help(command: click.Command) -> click.Command:
    """The command, and those below it, with their help translated."""
    command.context_class = SpeakingContext
    for one in command.commands.values() if isinstance(command, click.Group) else ():
        speaking_help(one)
    return command


def wrapped(text: str, columns: int) -> list[str]:
    """The lines of a paragraph, none wider than so many columns of a terminal but where a word is. No line begins with
    a closing mark or ends with an opening one."""
    lines: list[str] = []
    line = ""
    for token in _TOKEN.findall(" ".join(text.split())):
        if line and not token.isspace() and terminal_columns(line + token) > columns:
            lines.append(line.rstrip())
            line = ""
        line += token if line or not token.isspace() else ""
    return [*lines, line.rstrip()] if line else lines


def _said(help_text: str) -> str:
    whole = translated(help_text)
    if whole != help_text:
        return whole
    match = _REMARK.fullmatch(help_text)
    assert match is not None  # any text fits
    own, remarks = match.groups()
    said = translated(own)
    return f"{said}  [{'; '.join(_remarks(remarks))}]" if remarks else said


def _remarks(remarks: str) -> Iterator[str]:
    for remark in remarks.split("; "):
        name, mark, value = remark.partition(": ")
        yield say("default: {value}", value=value) if mark and name == "default" else translated(remark)
