"""What a user wants to trace: `python train.py --epochs 1`, read as the interpreter and what it is to run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from mindport.config.programs import program_on_path
from mindport.model.language import say

_PYTHON = re.compile(r"python(\d+(\.\d+)?)?(\.exe)?$")
# What starts several processes, or hands the program to something that does.
_LAUNCHERS = frozenset(
    (
        "torchrun",
        "accelerate",
        "deepspeed",
        "mpirun",
        "mpiexec",
        "srun",
        "horovodrun",
        "lightning",
        "composer",
    )
)
_LAUNCHER_MODULES = ("torch.distributed.run", "torch.distributed.launch", "accelerate.commands", "deepspeed")
_FLAGS_ALONE = frozenset("bBdEiIOPqsSuvx")


class CannotTrace(Exception):
    """Why a command cannot be traced; the message is for the user."""


class TraceCommand(msgspec.Struct, frozen=True):
    """`interpreter` is empty for the project's; `flags` are its own, `arguments` begin with the program, which is the
    name of a module where `as_module` says so."""

    interpreter: str
    flags: tuple[str, ...]
    arguments: tuple[str, ...]
    as_module: bool = False


def read_command(words: Sequence[str], environment: Mapping[str, str]) -> TraceCommand:
    """Read a command. Raises CannotTrace."""
    if not words:
        raise CannotTrace(say("say what to run: mindport trace -- python train.py"))
    first, *rest = words
    name = os.path.basename(first)  # noqa: PTH119
    if name.removesuffix(".exe") in _LAUNCHERS:
        raise CannotTrace(_of_launcher(name))
    if first.endswith(".py"):
        return _checked(TraceCommand("", (), tuple(words)))
    if not _PYTHON.match(name):
        raise CannotTrace(
            say(
                "{name} is no Python: write the command as `python train.py ...` or `python -m package.train ...`",
                name=first,
            )
        )
    interpreter = first if os.path.dirname(first) else program_on_path(first, environment) or ""  # noqa: PTH120
    flags: list[str] = []
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        flag = rest.pop(0)
        if flag in ("-W", "-X") and rest:
            flags += [flag, rest.pop(0)]
        elif flag.startswith(("-W", "-X")) or set(flag[1:]) <= _FLAGS_ALONE:
            flags.append(flag)
        else:
            raise CannotTrace(say("{flag} of Python cannot be traced: name a file or a module", flag=flag))
    as_module = rest[:1] == ["-m"]
    arguments = tuple(rest[as_module:])
    if not arguments:
        raise CannotTrace(say("the command names no program"))
    if as_module and arguments[0].startswith(_LAUNCHER_MODULES):
        raise CannotTrace(_of_launcher(arguments[0]))
    return _checked(TraceCommand(interpreter, tuple(flags), arguments, as_module))


def _of_launcher(name: str) -> str:
    return say(
        "{name} starts several processes, and one is traced: name the program itself, `python train.py ...`",
        name=name,
    )


def _checked(command: TraceCommand) -> TraceCommand:
    if not command.as_module and not Path(command.arguments[0]).is_file():
        raise CannotTrace(say("there is no file {file}", file=command.arguments[0]))
    return command
