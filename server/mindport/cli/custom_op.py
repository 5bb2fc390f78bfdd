"""`mindport custom-op`: writes an operator of MindSpore that calls the kernel of torch."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import click

from mindport.cli.explain import full_name
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn
from mindport.config.load import load_settings
from mindport.config.target import resolve_target
from mindport.explain.request import is_missing
from mindport.mapping.index import load_index
from mindport.model.target import Device, Target
from mindport.registry.mindspore import mindspore_facts
from mindport.rewrite.custom_operator.call import OperatorCall, Unsuitable, operator_call
from mindport.rewrite.custom_operator.files import SHARED, operator_files
from mindport.rules.wording import target_words

_PRIMITIVE = "mindspore.ops.Custom"
_MODULES = ("torch", "F", "nn", "Tensor")  # what a function's name begins with; anything else is a tensor


@click.command()
@click.argument("call")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="TEXT",
    help="A sample of each tensor, in their order: 'rand(4, 4)', 'randint(0, 9, (3,))'.",
)
@click.option(
    "--output",
    "-o",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("custom_ops"),
    show_default=True,
    help="Write the files into this directory.",
)
@click.option("--force", is_flag=True, help="Write over files that are there.")
@target_options
def custom_op(
    call: str, inputs: tuple[str, ...], directory: Path, force: bool, config_file: str | None, **options: Any
) -> int:
    """Write an operator for CALL, such as 'torch.cdist(a, b, p=1.0)' or 'x.logcumsumexp(1)', that calls torch's kernel.

    For trying out a port on the CPU where MindSpore has no equivalent: C++ source, build script, Python module and a
    test that compares it with torch. Names in the call are tensors, all else is fixed in the source."""
    loaded = load_settings(".", settings_of(options), config_file=config_file)
    target, _ = resolve_target(loaded.settings, loaded.root)
    try:
        found = _operator(call)
        _refuse_target(found, target)
        files = operator_files(found, inputs)
    except Unsuitable as unsuitable:
        warn(f"error: {unsuitable}")
        return EXIT_FAILED
    taken = [name for name in files if name not in SHARED and (directory / name).exists()]
    if taken and not force:
        warn(f"error: {directory / taken[0]} is there already (--force writes over it)")
        return EXIT_FAILED
    for name, text in files.items():
        if name in SHARED and (directory / name).exists() and not force:
            continue
        try:
            directory.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(text, encoding="utf-8")
        except OSError as error:
            warn(f"error: {directory / name} cannot be written: {error.strerror}")
            return EXIT_FAILED
    warn(f"Wrote {', '.join(sorted(files))} to {directory}")
    if not is_missing(found.api, target):
        warn(f"{target_words(target)} has an equivalent, too: mindport explain {found.api}")
    warn(f"Then: python {directory / 'build.py'} {found.operator}, and python -m pytest {directory}")
    return 0


def _operator(text: str) -> OperatorCall:
    """Read what the user asks for. Raises Unsuitable."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unsuitable(f"{text!r} is no call") from None
    function = node.func if isinstance(node, ast.Call) else node
    name = ast.unparse(function)
    if name.partition(".")[0] in _MODULES:
        api = full_name(name)
    elif isinstance(node, ast.Call) and isinstance(function, ast.Attribute):
        api = f"torch.Tensor.{function.attr}"
    else:
        raise Unsuitable(f"{text!r} is neither a name of torch nor a call")
    return operator_call(api, node if isinstance(node, ast.Call) else None)


def _refuse_target(call: OperatorCall, target: Target) -> None:
    """Raise Unsuitable where the target cannot run such an operator, and say what is advised there."""
    if target.device is Device.CPU and mindspore_facts(target.version).has(_PRIMITIVE):
        return
    mapping = load_index().find(call.api)
    advice = [] if mapping is None else [case.why for case in mapping.cases if case.why]
    raise Unsuitable(
        f"torch's kernel runs on the CPU; for {target_words(target)} build {call.api} from official operators. "
        + " ".join(advice[:1])
    )
