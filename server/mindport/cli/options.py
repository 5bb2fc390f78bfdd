"""The options that several commands share, and how they become settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mindport.config.problem import nearest
from mindport.model.language import say
from mindport.report.formats.discover import format_called, format_names

Command = TypeVar("Command", bound=Callable[..., Any])

# option -> setting of the settings page
_SETTINGS = {
    "device": "device",
    "target_version": "target-version",
    "mode": "mode",
    "preset": "preset",
    "select": "select",
    "ignore": "ignore",
    "min_severity": "min-severity",
    "fail_on": "fail-on",
    "extend_exclude": "extend-exclude",
    "respect_gitignore": "respect-gitignore",
    "force_exclude": "force-exclude",
    "jobs": "jobs",
    "interpreter": "interpreter",
    "unsafe_fixes": "unsafe-fixes",
    "locale": "locale",
}


def _words(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a shell may put in place of a word that is begun: the words that the help names."""
    return [word for word in (parameter.metavar or "").strip("[]").split("|") if word.startswith(incomplete)]


def _formats(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The same for names of formats, of which several may stand with commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in format_names() if name.startswith(last)]


_TARGET_OPTIONS = (
    click.option(
        "--device",
        shell_complete=_words,
        metavar="[auto|Ascend|GPU|CPU]",
        help="The device the ported code is to run on.",
    ),
    click.option(
        "--target-version", metavar="VERSION", help="The MindSpore release to port to, such as 2.10."
    ),
    click.option(
        "--mode",
        shell_complete=_words,
        metavar="[pynative|graph]",
        help="How the ported code is to be executed.",
    ),
    click.option("--interpreter", metavar="PATH", help="The project's Python interpreter."),
    click.option(
        "--locale", shell_complete=_words, metavar="[auto|en|zh-cn]", help="The language of the texts."
    ),
    click.option("--config", "config_file", metavar="FILE", help="Read the settings from this TOML file."),
)
_FILE_OPTIONS = (
    click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path(path_type=str)),
    click.option("--stdin-filename", metavar="FILE", help="What to call standard input (path -)."),
    click.option(
        "--extend-exclude", multiple=True, metavar="PATTERN", help="Leave out what a pattern matches."
    ),
    click.option(
        "--force-exclude/--no-force-exclude",
        default=None,
        help="Leave out what a pattern matches even where it is named itself.",
    ),
    click.option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what git ignores (default).",
    ),
    click.option("--jobs", "-j", type=int, metavar="N", help="How many processes to use; 0 for all cores."),
    click.option(
        "--no-cache", is_flag=True, help="Neither read nor write the result cache, which `check` keeps."
    ),
)
_RULE_OPTIONS = (
    click.option(
        "--select", multiple=True, metavar="CODES", help="Report only these, such as MP1 or MP101,MP102."
    ),
    click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these."),
    click.option(
        "--preset", shell_complete=_words, metavar="[all|silent-only]", help="Which findings to start from."
    ),
    click.option(
        "--min-severity",
        shell_complete=_words,
        metavar="[hint|information|warning|error]",
        help="The lowest severity to report.",
    ),
)


def _named_formats(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """The formats that were named, one by one. Raises BadParameter for one that is none."""
    names = [name.strip() for words in value for name in words.split(",") if name.strip()]
    known = format_names()
    if context.info_name == "inventory":
        known = tuple(name for name in known if format_called(name).lists_references)
    for name in names:
        if name not in known:
            near = nearest(name, known)
            raise click.BadParameter(
                say(
                    "unknown format {name!r}{nearest}; there are {known}",
                    name=name,
                    nearest=near,
                    known=", ".join(known),
                )
            )
    return tuple(names)


_FORMAT_OPTIONS = (
    click.option(
        "--output-format",
        "output_formats",
        multiple=True,
        metavar="FORMAT[,FORMAT]",
        envvar="MINDPORT_OUTPUT_FORMAT",
        callback=_named_formats,
        shell_complete=_formats,
        help="How to write the results: text (default), full, concise, json, jsonl, csv, github, gitlab, "
        "html, junit, sarif.",
    ),
    click.option(
        "--output-file",
        "output_files",
        multiple=True,
        metavar="FILE",
        type=click.Path(dir_okay=False),
        envvar="MINDPORT_OUTPUT_FILE",
        help="Write the results to a file; with several formats, the last of them.",
    ),
)

_OUTCOME_OPTIONS = (
    click.option(
        "--statistics", is_flag=True, help="Count the findings of each rule instead of listing them."
    ),
    click.option(
        "--fail-on",
        shell_complete=_words,
        metavar="[hint|information|warning|error|never]",
        help="The lowest severity that ends the run with exit code 1 (warning).",
    ),
    click.option("--no-baseline", is_flag=True, help="Report what mindport-baseline.json has, too."),
    click.option("--exit-zero", is_flag=True, help="End with exit code 0 even where there are findings."),
)


def target_options(command: Command) -> Command:
    """The options that choose a target."""
    return _with(command, _TARGET_OPTIONS)


def file_options(command: Command) -> Command:
    """The options that choose files and how to go through them."""
    return _with(command, _FILE_OPTIONS)


def rule_options(command: Command) -> Command:
    """The options that choose findings."""
    return _with(command, _RULE_OPTIONS)


def format_options(command: Command) -> Command:
    """The output formats and where they go."""
    return _with(command, _FORMAT_OPTIONS)


def outcome_options(command: Command) -> Command:
    """What is made of the findings as a whole."""
    return _with(command, _OUTCOME_OPTIONS)


def settings_of(options: dict[str, Any], for_programs: bool = False) -> dict[str, object]:
    """The settings that were given as options; those that were not are left to the file. What programs read is
    English."""
    given: dict[str, object] = {}
    for option, setting in _SETTINGS.items():
        value = options.get(option)
        if value is None or value == ():
            continue
        if setting in ("select", "ignore"):
            value = [code.strip() for codes in value for code in codes.split(",") if code.strip()]
        given[setting] = value
    if for_programs:
        given["locale"] = "en"
    return given


def _with(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
