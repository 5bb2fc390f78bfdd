"""How long and with how much data the project trains: settings, and the commands that its documents give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.code import Code, Function, SourceFile
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry, SettingLine
from mindport.usage.recipe.settings import Setting, SettingKind
from mindport.usage.recipe.values import Values

_LENGTH = re.compile(
    r"^(n|num|max|total|train|training|nb|end)?_?epochs?$|^(epoch_num|num_train_epochs|niter|n_epoch)$"
    r"|^(n|max|total|train)_?(iters?|steps?|iterations|timesteps|env_steps|train_steps|episodes)$|^num_(iters?|iterations|timesteps|env_steps|train_steps|episodes|steps)$|^(iter|iterations)$"
    r"|^(n|num|max|total)_train(ing)?_(iters?|steps?|iterations|time_?steps|episodes)$|^(n|num|max|total)_(updates|frames)$"
)
_BATCH = re.compile(
    r"^(train_|global_|micro_|total_|per_device_train_|per_gpu_)?(batch|bs)(_?size)?(_per_gpu)?$"
    r"|^(ims_per_batch|samples_per_gpu|images_per_gpu)$|^mini_?batch(_size)?$"
)
_FEWEST_STEPS = 10_000  # of a whole training with an environment
_TRAINS = re.compile(
    r"train|fit|main|run|learn|loop|init|loader|data|batch|config|arg|option|param|setting|new"
)
_ASIDE = re.compile(r"test|val|eval")
_PARTS = re.compile(r"^(num|n)_?(mini_?)?batch(es)?$")
_DEVICES = re.compile(r"^(devices|gpus|num_gpus|n_?gpus?|nproc_per_node|num_devices|nprocs)$")


def lengths_and_batches(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each setting of that kind, and one for each documented command that sets them."""
    for what, pattern in (
        ("length of training", _LENGTH),
        ("batch size", _BATCH),
        ("number of batches", _PARTS),
    ):
        for name in values.settings.names():
            if not pattern.match(name.lower()):
                continue
            chosen = values.setting(name)
            if (
                not isinstance(chosen, KnownValue)
                or chosen.value is True
                or not isinstance(chosen.value, int | float)
            ):
                continue
            if chosen.value < 1 or (name.lower() == "num_steps" and chosen.value < _FEWEST_STEPS):
                continue  # a counter, or "not set"; the steps between two updates
            if all(_is_of_another(setting) for setting in values.settings.named(name)):
                continue
            detail = Detail(name, shown(chosen.value), chosen.place)
            yield Entry(
                ChecklistTopic.TRAINING, what, chosen.place, (detail,), values.elsewhere(name, chosen)
            )
    yield from _commands(code, values)
    for file in code.files:
        yield from _written_batches(file)
        yield from _written_lengths(file)


def _is_of_another(setting: Setting) -> bool:
    """Whether a setting is a parameter of a function whose name does not say that it has to do with training."""
    owner = setting.owner.lower()
    is_of_training = _TRAINS.search(owner) is not None and _ASIDE.search(owner) is None
    return setting.kind is SettingKind.PARAMETER and not is_of_training


def _written_batches(file: SourceFile) -> Iterator[Entry]:
    """Batch sizes that are written where a loader is made, of loaders whose name does not say that they only test."""
    for use, call in file.calls():
        if use.api != "torch.utils.data.DataLoader" or _ASIDE.search(_names_around(file, call)):
            continue
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        size = given.get("batch_size", call.args[1] if len(call.args) > 1 else None)
        if isinstance(size, ast.Constant) and type(size.value) is int:
            detail = Detail("batch_size", str(size.value), file.place(size))
            yield Entry(ChecklistTopic.TRAINING, "batch size", file.place(call), (detail,))


def _written_lengths(file: SourceFile) -> Iterator[Entry]:
    """Lengths that are written in the head of a loop over epochs: `range(200)`, `range(start, start + 200)`."""
    for node in file.nodes:
        if not isinstance(node, ast.For) or "epoch" not in last_name(node.target).lower():
            continue
        if not isinstance(node.iter, ast.Call) or last_name(node.iter.func) != "range" or not node.iter.args:
            continue
        bounds = node.iter.args
        end = bounds[min(1, len(bounds) - 1)]
        if len(bounds) == 2 and isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add):
            sides = [end.left, end.right]
            end = next((one for one in sides if ast.dump(one) != ast.dump(bounds[0])), end)
        if isinstance(end, ast.Constant) and type(end.value) is int and end.value > 0:
            detail = Detail("epochs", str(end.value), file.place(end))
            yield Entry(ChecklistTopic.TRAINING, "length of training", file.place(node), (detail,))


def _names_around(file: SourceFile, call: ast.Call) -> str:
    """The names of what takes the value of a call, and of the functions that it stands in."""
    found = []
    for outer in file.outwards(call):
        if isinstance(outer, ast.Assign):
            found += [last_name(target) for target in outer.targets]
        elif isinstance(outer, Function):
            found.append(outer.name)
    return " ".join(found).lower()


def _commands(code: Code, values: Values) -> Iterator[Entry]:
    splits = _splits_batch(code)
    told: set[tuple[str, ...]] = set()
    for command in values.commands:
        batch = next((name for name in command.options if _BATCH.match(name)), "")
        devices = next((name for name in command.options if _DEVICES.match(name)), "")
        if not batch or not command.options[batch].isdigit():
            continue
        details = [Detail(batch, command.options[batch], command.place)]
        if devices and command.options[devices].isdigit():
            number = int(command.options[devices])
            details.append(Detail(devices, str(number), command.place))
            if splits is not None and number > 0:
                each = int(command.options[batch]) // number
                details.append(Detail("batch size on each device", str(each), splits))
        key = tuple(detail.value for detail in details)
        if key not in told:
            told.add(key)
            note = f"documented command for {command.script}"
            yield Entry(ChecklistTopic.TRAINING, "batch size", command.place, tuple(details), note)


def _splits_batch(code: Code) -> SettingLine | None:
    """Where the code divides the batch size by the number of devices."""
    for file in code.files:
        for node in file.nodes:
            left: ast.expr | None = None
            right: ast.expr | None = None
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Div):
                left, right = node.left, node.right
            elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.FloorDiv):
                left, right = node.target, node.value
            if left is None or right is None or not _BATCH.match(last_name(left)):
                continue
            names = {last_name(inner) for inner in every_node(right)}
            if any(re.search(r"world_size|num_?gpus|ngpus|device_count|n_gpu", name) for name in names):
                return file.place(node)
    return None
