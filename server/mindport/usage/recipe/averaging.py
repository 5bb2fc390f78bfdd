"""Moving averages of the weights: torch's AveragedModel, and loops that mix one model's weights into another's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, Function, SourceFile
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry
from mindport.usage.recipe.parameters import argument_of, defaults_of
from mindport.usage.recipe.values import Values

_STATES = frozenset(("state_dict", "named_parameters", "parameters", "named_buffers"))
_DECAY = re.compile(r"decay|^alpha$|^beta$|^tau$|momentum|^accum$", re.IGNORECASE)
_SWITCH = re.compile(r"^(use_|model_)?ema(_decay|_rate|_beta|_kimg)?$")


def averages(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each way of averaging, with its decay."""
    switches = tuple(_switches(values))
    for file in code.files:
        for use, call in file.calls():
            if use.api == "torch.optim.swa_utils.AveragedModel":
                details = details_of(values, file, use.api, call, frozenset(("model", "device")))
                yield Entry(ChecklistTopic.AVERAGING, "AveragedModel", file.place(call), details + switches)
            elif use.library and re.search(r"Ema", use.api.rpartition(".")[2]):
                what = f"{use.api.rpartition('.')[2]} of {use.library}"
                yield Entry(ChecklistTopic.AVERAGING, what, file.place(call), switches)
        for function in file.functions():
            if _mixes_weights(function):
                yield _entry(file, function, values, switches)


def _entry(file: SourceFile, function: Function, values: Values, switches: tuple[Detail, ...]) -> Entry:
    owner = file.class_of(function)
    init = function
    if owner is not None:
        init = next(
            (one for one in owner.body if isinstance(one, Function) and one.name == "__init__"), function
        )
    name = owner.name if owner is not None else function.name
    details = []
    for parameter in [argument.arg for argument in (*init.args.args, *init.args.kwonlyargs)]:
        if not _DECAY.search(parameter):
            continue
        calls = [
            (caller, argument)
            for caller, call in values.mentions.callers(name)
            if (argument := argument_of(call, init, parameter, is_method=owner is not None)) is not None
            and values.mentions.callers(name)
        ]
        # What is passed while training stands in a loop or a method; a first copy with 0 is none.
        calls.sort(key=lambda pair: isinstance(pair[1], ast.Constant) and pair[1].value == 0)
        if calls:
            details.append(values.detail(parameter, *calls[0]))
        elif parameter in defaults_of(init):
            details.append(values.detail(parameter, file, defaults_of(init)[parameter]))
    return Entry(
        ChecklistTopic.AVERAGING,
        f"exponential moving average in {name}",
        file.place(owner or function),
        tuple(details) + switches,
    )


def _mixes_weights(function: Function) -> bool:
    """Whether a function goes through the weights of a model and multiplies by `d` and by `1 - d`."""
    nodes = every_node(function)
    if not any(isinstance(node, ast.Call) and last_name(node.func) in _STATES for node in nodes):
        return False
    if any(
        isinstance(node, ast.Call) and last_name(node.func) in ("lerp_", "_foreach_lerp_") for node in nodes
    ):
        return True
    complements = {
        last_name(node.right)
        for node in nodes
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Constant)
        and node.left.value in (1, 1.0)
    } - {""}
    factors = set()
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            factors |= {last_name(node.left), last_name(node.right)}
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mult):
            factors.add(last_name(node.value))
        elif isinstance(node, ast.Call) and last_name(node.func) in ("mul_", "mul") and node.args:
            factors.add(last_name(node.args[0]))
    return bool(complements & factors)


def _switches(values: Values) -> Iterator[Detail]:
    for name in values.settings.names():
        if _SWITCH.match(name):
            setting = values.setting(name)
            if isinstance(setting, KnownValue) and isinstance(setting.value, bool | int | float):
                yield Detail(name, shown(setting.value), setting.place)
