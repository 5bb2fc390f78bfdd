"""Which losses the project trains with: torch's and its own, and the weights between them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile, written
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry, SettingLine
from mindport.usage.recipe.values import Values
from mindport.usage.recipe.vocabulary import plain_name

_FUNCTION = re.compile(
    r"^torch\.nn\.functional\.(\w*loss\w*|cross_entropy|binary_cross_entropy\w*|kl_div)$|^torchvision\.ops\.\w*loss\w*$"
)
_OWN = re.compile(r"(^|_)(loss|criterion)(_|$)|loss$")
_NOT_A_LOSS = re.compile(
    r"^(get|reduce|log|print|plot|compute_avg|estimate|save|load|update|loss_labels_map|build|make|set|has|is|use|with)_"
)
_WEIGHT = re.compile(
    r"^\w+_loss_(coef|weight)$|^lambda_\w+$|^loss_weights?$|^eos_coef$|^(class|box|reg|cls|obj)_weight$"
)
_SKIP = frozenset(("input", "target", "self"))


def losses(code: Code, values: Values) -> Iterator[Entry]:
    """Entries for torch's losses with what they are told, the project's own, and the weights."""
    told: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for file in code.files:
        for use, call in file.calls():
            if use.form is not Form.CALL:
                continue
            is_module = (
                use.api.startswith("torch.nn.")
                and use.api.endswith("Loss")
                and torch_facts().is_module_class(use.api)
            )
            if not (is_module or _FUNCTION.match(use.api)) or values.mentions.is_kept_unread(file, call):
                continue
            what = use.api.removeprefix("torch.").removeprefix("nn.functional.").removeprefix("nn.")
            details = details_of(values, file, use.api, call, _SKIP)
            details = tuple(detail for detail in details if not _is_tensor(detail))
            key = (what, tuple((detail.name, detail.value) for detail in details))
            if key not in told:
                told.add(key)
                yield Entry(ChecklistTopic.LOSS, what, file.place(call), details)
        yield from _of_libraries(file, code)
    yield from _own_losses(code, values)
    yield from _written_out(code)
    weights = tuple(_weights(values))
    if weights and weights[0].place is not None:
        yield Entry(ChecklistTopic.LOSS, "weights of the losses", weights[0].place, weights)


def _is_tensor(detail: Detail) -> bool:
    """Whether an argument is data, which the checklist does not list."""
    return not detail.is_known and detail.name not in (
        "reduction",
        "label_smoothing",
        "pos_weight",
        "weight",
        "beta",
        "delta",
    )


def _of_libraries(file: SourceFile, code: Code) -> Iterator[Entry]:
    """Losses of other libraries, which say by their names what they are."""
    own = {part for one in code.all_files for part in one.path.removesuffix(".py").split("/")} | {"torch"}
    names = {
        alias.asname or alias.name: (alias.name, node.module.partition(".")[0])
        for node in file.nodes
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
        if alias.name.endswith("Loss") and node.module.partition(".")[0] not in own
    }
    for node in file.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            name, library = names[node.func.id]
            yield Entry(ChecklistTopic.LOSS, f"{name} of {library}", file.place(node))


def _own_losses(code: Code, values: Values) -> Iterator[Entry]:
    for file in code.files:
        for node in file.nodes:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            name = plain_name(node.name)
            is_handed_on = name != "loss" and values.mentions.is_used(node)
            if not _OWN.search(name) or not (is_handed_on or values.mentions.callers(node.name)):
                continue
            if _NOT_A_LOSS.match(name) and not isinstance(node, ast.ClassDef):
                continue
            if isinstance(node, ast.ClassDef) and node not in code.module_classes:
                continue
            if not isinstance(node, ast.ClassDef) and not _returns_value(node):
                continue
            yield Entry(ChecklistTopic.LOSS, f"{node.name} (of this project)", file.place(node))


def _written_out(code: Code) -> Iterator[Entry]:
    """Losses that are a formula in the step itself: `action_loss = -(advantages * log_probs).mean()`."""
    for file in code.files:
        for function in file.functions():
            if not any(
                isinstance(node, ast.Call) and last_name(node.func) == "backward"
                for node in every_node(function)
            ):
                continue
            told: set[str] = set()
            for node in every_node(function):
                if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
                    continue
                name = last_name(node.targets[0])
                if re.match(r"^\w+_loss$", name) and name not in told and _is_formula(node.value):
                    told.add(name)
                    yield Entry(
                        ChecklistTopic.LOSS,
                        f"{name} (a formula)",
                        file.place(node),
                        note=written(node.value, 90),
                    )


def _is_formula(value: ast.expr) -> bool:
    """Whether a mean or a sum is taken of something computed, and no loss is called."""
    calls = [last_name(node.func) for node in every_node(value) if isinstance(node, ast.Call)]
    is_reduced = any(name in ("mean", "sum") for name in calls)
    is_computed = any(
        isinstance(node, ast.BinOp | ast.UnaryOp) or last_name(node) == "pow" for node in every_node(value)
    )
    return is_reduced and is_computed and not any("loss" in name.lower() for name in calls)


def _returns_value(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Return) and inner.value is not None for inner in every_node(node))


def _weights(values: Values) -> Iterator[Detail]:
    for name in values.settings.names():
        if not _WEIGHT.match(name):
            continue
        setting = values.setting(name)
        if (
            isinstance(setting, KnownValue)
            and isinstance(setting.value, int | float)
            and not isinstance(setting.value, bool)
        ):
            place: SettingLine = setting.place
            yield Detail(name, shown(setting.value), place)
