"""The entry point `mindport`. A command's code is loaded when it is called, so that `--version` and the help
start about as fast as Python itself."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Iterator, Sequence

import click

from mindport import __version__
from mindport.cli.group import CommandGroup
from mindport.cli.help import SpeakingContext, speaking_help
from mindport.cli.language import terminal_language, texts_of
from mindport.config.problem import ConfigurationError
from mindport.model.language import speaking

# name -> (module:attribute, the line in the help of the group)
COMMANDS = {
    "port": ("port:port", "Port a project: convert a copy of it, and say what to review and what is left."),
    "check": ("check:check", "Report every use of torch that MindSpore lacks or treats differently."),
    "baseline": ("baseline:baseline", "Accept the findings that are there, and check for new ones only."),
    "merge": ("shares:merge", "Make one result of what `check --shard` wrote on several machines."),
    "fix": ("fix:fix", "Apply the fixes that are proved right; show or write the result."),
    "inventory": ("inventory:inventory", "List every reference to torch with what can be said of it."),
    "report": ("report:report", "Make the migration report of a project as one page."),
    "explain": ("explain:explain", "Explain a rule (MP101) or a torch name (torch.nn.Conv2d)."),
    "evidence": (
        "evidence:evidence",
        "Take over what a bundle of `prove --bundle` found on another machine.",
    ),
    "prove": ("prove:prove", "Run torch and its replacements on this machine; what agrees becomes safe."),
    "verify": ("verify:verify", "Run a program and its port and compare what they compute."),
    "try": ("trial:try_", "Import the files of a port and run its scripts up to a training step."),
    "trace": ("trace:trace", "Run a program in torch for a few steps and keep what is seen as facts."),
    "convert-weights": (
        "convert_weights:convert_weights_command",
        "Convert a torch checkpoint into one that the port loads.",
    ),
    "verify-second-order": (
        "verify_second_order:verify_second_order",
        "Compile and run the gradient of a gradient of your function or Cell.",
    ),
    "shapes": ("shapes:shapes", "Go through a loader of yours and tell which shapes vary."),
    "accumulate": (
        "accumulate:accumulate",
        "Let a training loop of torch add up the gradients of several batches.",
    ),
    "custom-op": (
        "custom_op:custom_op",
        "Write an operator that calls torch's kernel, for a call without an equivalent.",
    ),
    "request-api": (
        "request_api:request_api",
        "Write an issue that asks MindSpore's community for a missing equivalent.",
    ),
    "init": ("init:init", "Write the first settings of a project: its target, and what to leave out."),
    "rules": ("rules:rules", "List the rules."),
    "server": ("server:server", "Start the language server on standard input and output."),
    "mcp": ("mcp:mcp", "Start the server for coding agents (MCP) on standard input and output."),
    "doctor": (
        "doctor:doctor",
        "Look whether mindport itself is well: versions, data, settings, the server.",
    ),
    "config": ("config:config", "Show the settings that apply, or their JSON schema."),
}

EXIT_FINDINGS = 1
EXIT_FAILED = 2
_EXIT_INTERRUPTED = 130
_EXIT_BROKEN_PIPE = 141
# Generated code nests deeper than Python's limit of 1000 lets us follow: sums of thousands of terms, long
# chains of methods. A frame takes about half a kilobyte of the stack, of which there are eight megabytes.
_DEEPEST_RECURSION = 10_000


class _Interrupted(Exception):
    """Ctrl-C, in a form that click hands on."""


class _ReaderLeft(Exception):
    """A closed pipe, in a form that click hands on."""


class OutputFailed(click.ClickException):
    """Standard output cannot take more, as on a full disk. What is missing there must not look like a
    result."""

    exit_code = EXIT_FAILED


@contextlib.contextmanager
def output_failures() -> Iterator[None]:
    """Around what writes to standard output: raises OutputFailed instead of OSError, except for a reader that
    has gone."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputFailed(f"standard output cannot be written: {error.strerror}") from None


def loaded(name: str) -> click.Command:
    """A command by its name."""
    module, attribute = COMMANDS[name][0].split(":")
    command: click.Command = getattr(importlib.import_module(f"mindport.cli.{module}"), attribute)
    return speaking_help(command)


class LazyGroup(CommandGroup):
    """A group that knows the names of its commands and loads only the one that is called."""

    context_class = SpeakingContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command; None for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        # Syntax trees are millions of objects without cycles; looking for cycles among them again and again doubled
        # the CPU time of a check, and finding none saved 17 % of the memory. The server begins again once it is
        # loaded.
        gc.disable()
        atexit.register(gc.freeze)  # Python looks for them once more when it ends
        return loaded(cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. What click would turn into an exit code of 1, which means findings here, passes it
        by."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Interrupted from None
        except (_ReaderLeft, BrokenPipeError):
            raise _ReaderLeft from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _say_version(context: click.Context) -> None:
    """Write the version of the program and of its data, and end."""
    from mindport.registry.data_version import data_version

    click.echo(f"mindport {__version__} (data: {data_version()})")
    context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, option, asked: _say_version(context) if asked else None,
    help="Show the version and exit.",
)
@click.pass_context
def commands(context: click.Context) -> None:
    """Takes PyTorch code to MindSpore: findings, explanations and fixes.

    Exit codes: 0 nothing to report, 1 warnings or errors were found, 2 the work could not be done."""
    if context.invoked_subcommand != "server":  # which works in the folders that the editor names
        try:
            os.getcwd()  # noqa: PTH109
        except OSError as error:
            raise ConfigurationError([f"the current directory: {error.strerror}"]) from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code; `python -m mindport` and the installed script end with
    it."""
    _open_missing_streams()
    _let_output_take_any_text()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST_RECURSION))
    try:
        with speaking(texts_of(terminal_language())):
            result = commands.main(args=arguments, prog_name="mindport", standalone_mode=False)
        with output_failures():
            sys.stdout.flush()
    except ConfigurationError as error:
        for problem in error.problems:
            click.echo(f"error: {problem}", err=True)
        return EXIT_FAILED
    except click.ClickException as error:
        error.show()
        if isinstance(error, OutputFailed):
            _drop_output()
        return EXIT_FAILED  # click's own 1 means findings here
    except click.exceptions.Exit as error:
        return error.exit_code
    except (_Interrupted, KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return _EXIT_INTERRUPTED
    except (_ReaderLeft, BrokenPipeError):
        # The reader has gone, as in `mindport check | head`.
        _drop_output()
        return _EXIT_BROKEN_PIPE
    except MemoryError:
        click.echo("error: there is not enough memory", err=True)
        return EXIT_FAILED
    except Exception as error:  # noqa: BLE001  Python's own exit code for it is that of findings
        import traceback

        from mindport.cli.crash import write_crash_report

        traceback.print_exc()
        report = write_crash_report(error, sys.argv[1:] if arguments is None else arguments)
        attached = (
            f"the lines above, or {report}, which has nothing of your code" if report else "the lines above"
        )
        click.echo(f"error: this is a defect of mindport; please report it with {attached}", err=True)
        return EXIT_FAILED
    return result if isinstance(result, int) else 0


def _drop_output() -> None:
    """Let what is still to be written go nowhere: Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_missing_streams() -> None:
    """A stream that the caller has closed (`mindport check >&-`) is None; it is replaced by an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def _let_output_take_any_text() -> None:
    """A terminal with a small character set shows what it has not as an escape, rather than end the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
