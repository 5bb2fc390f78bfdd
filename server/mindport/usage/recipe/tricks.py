"""Training tricks that torch itself offers, and those that show in how the loop is written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile, written
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry, SettingLine
from mindport.usage.recipe.values import Values

_APIS = {
    "torch.nn.parallel.DistributedDataParallel": "distributed data parallel",
    "torch.nn.DataParallel": "data parallel in one process",
    "torch.distributed.fsdp.FullyShardedDataParallel": "sharded data parallel",
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm": "synchronised batch normalisation",
    "torch.utils.checkpoint.checkpoint": "activation checkpointing",
    "torch.utils.checkpoint.checkpoint_sequential": "activation checkpointing",
    "torch.compile": "compiled model",
    "torch.jit.script": "scripted model",
    "torch.nn.functional.scaled_dot_product_attention": "fused attention",
    "torch.nn.utils.spectral_norm": "spectral normalisation",
    "torch.nn.utils.parametrizations.spectral_norm": "spectral normalisation",
    "torch.nn.utils.weight_norm": "weight normalisation",
    "torch.autograd.grad": "gradient taken by hand",
}
_SWITCHES = {
    "cudnn.benchmark": "cuDNN chooses its algorithms",
    "matmul.allow_tf32": "TF32 in matrix products",
    "cudnn.allow_tf32": "TF32 in convolutions",
}
_DROPOUT = re.compile(r"^torch\.nn\.(Dropout\w*|functional\.dropout\w*)$")
_SKIP = frozenset(
    ("module", "model", "function", "args", "input", "device_ids", "output_device", "inplace", "fn", "obj")
)


def tricks(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each trick, at its first place."""
    told: set[str] = set()
    for file in code.files:
        for use, call in file.calls():
            what = _APIS.get(use.api, "")
            if use.api == "torch.autograd.grad":
                what = "gradient of a gradient" if _creates_graph(call) else ""
            if what and what not in told:
                told.add(what)
                yield Entry(
                    ChecklistTopic.TRICKS,
                    what,
                    file.place(call),
                    _kept(details_of(values, file, use.api, call, _SKIP)),
                )
            for keyword in call.keywords:
                if keyword.arg == "label_smoothing" and "label smoothing" not in told:
                    told.add("label smoothing")
                    yield Entry(
                        ChecklistTopic.TRICKS,
                        "label smoothing",
                        file.place(call),
                        (values.detail("label_smoothing", file, keyword.value),),
                    )
        for use in file.uses:
            if use.api == "torch.channels_last" and use.api not in told:
                told.add(use.api)
                yield Entry(
                    ChecklistTopic.TRICKS,
                    "channels-last memory format",
                    SettingLine(file.path, use.span.line),
                )
        yield from _switched_on(file)
        yield from _in_models(file, code)
    if not any(re.match(r"^(entropy|ent)_(coef|beta|weight)$", name) for name in values.settings.names()):
        yield from _entropy(code, values)
    yield from _dropout(code, values)
    yield from _accumulation(code, values)


def _switched_on(file: SourceFile) -> Iterator[Entry]:
    """Switches of torch that are set to True."""
    for node in file.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is True:
            for target in node.targets:
                what = next(
                    (what for name, what in _SWITCHES.items() if dotted_text(target).endswith(name)), ""
                )
                if what:
                    yield Entry(ChecklistTopic.TRICKS, what, file.place(node))


def _in_models(file: SourceFile, code: Code) -> Iterator[Entry]:
    """What models do with their own weights when they are made: share them, or keep them from training."""
    for node in file.nodes:
        if file.class_of(node) not in code.module_classes:
            continue
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "weight"
        ):
            if any(isinstance(target, ast.Attribute) and target.attr == "weight" for target in node.targets):
                parent = file.parents.get(node)
                where = f", where {written(parent.test)}" if isinstance(parent, ast.If) else ""
                yield Entry(
                    ChecklistTopic.TRICKS, "tied weights", file.place(node), note=f"{written(node)}{where}"
                )
        elif (
            isinstance(node, ast.Call)
            and last_name(node.func) == "requires_grad_"
            and _is_false(node.args[:1])
        ):
            function = file.function_of(node)
            condition = next((one for one in file.outwards(node) if isinstance(one, ast.If)), None)
            if function is not None and function.name == "__init__" and condition is not None:
                note = f"where {written(condition.test, 90)}"
                yield Entry(ChecklistTopic.TRICKS, "frozen parameters", file.place(node), note=note)


def _is_false(arguments: list[ast.expr]) -> bool:
    return any(isinstance(argument, ast.Constant) and argument.value is False for argument in arguments)


def _kept(details: tuple[Detail, ...]) -> tuple[Detail, ...]:
    return tuple(detail for detail in details if detail.is_known)


def _creates_graph(call: ast.Call) -> bool:
    return any(
        keyword.arg == "create_graph"
        and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False)
        for keyword in call.keywords
    )


def _dropout(code: Code, values: Values) -> Iterator[Entry]:
    found: dict[str, Entry] = {}
    for file in code.files:
        for use, call in file.calls():
            if use.form is Form.CALL and _DROPOUT.match(use.api):
                details = tuple(
                    detail for detail in details_of(values, file, use.api, call, _SKIP) if detail.name == "p"
                )
                value = details[0].value if details else "0.5"
                found.setdefault(value, Entry(ChecklistTopic.TRICKS, "dropout", file.place(call), details))
    yield from found.values()


def _entropy(code: Code, values: Values) -> Iterator[Entry]:
    """An entropy that a loss rewards: `loss = ... - 0.01 * entropy`."""
    for file in code.files:
        for node in file.nodes:
            if not (
                isinstance(node, ast.Assign) and any("loss" in last_name(one).lower() for one in node.targets)
            ):
                continue
            for term in every_node(node.value):
                if not (isinstance(term, ast.BinOp) and isinstance(term.op, ast.Sub)):
                    continue
                factor = term.right
                if (
                    isinstance(factor, ast.BinOp)
                    and isinstance(factor.op, ast.Mult)
                    and _is_entropy(factor.right)
                ):
                    detail = values.detail("coefficient", file, factor.left)
                    yield Entry(ChecklistTopic.TRICKS, "entropy bonus", file.place(term), (detail,))
                    return


def _is_entropy(node: ast.expr) -> bool:
    return any("entropy" in last_name(one).lower() for one in every_node(node)) and not any(
        "cross" in last_name(one).lower() for one in every_node(node)
    )


def _accumulation(code: Code, values: Values) -> Iterator[Entry]:
    """Loops that step the optimizer only now and then: `if (i + 1) % n == 0: optimizer.step()`."""
    for file in code.files:
        for node in file.nodes:
            if not (isinstance(node, ast.If) and _steps(node.body)):
                continue
            modulo = next(
                (
                    one
                    for one in every_node(node.test)
                    if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod)
                ),
                None,
            )
            if modulo is None:
                continue
            answer = values.value(file, modulo.right)
            detail = (
                Detail("steps", shown(answer.value), answer.place)
                if isinstance(answer, KnownValue)
                else Detail("steps", answer.text, file.place(node), is_known=False)
            )
            yield Entry(ChecklistTopic.TRICKS, "gradient accumulation by hand", file.place(node), (detail,))


def _steps(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(inner, ast.Call)
        and last_name(inner.func) == "step"
        and isinstance(inner.func, ast.Attribute)
        and re.search(r"optim|opt$|scaler", last_name(inner.func.value)) is not None
        for statement in body
        for inner in every_node(statement)
    )
