"""Which optimizers the project makes, with their arguments and parameter groups."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile, written
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry
from mindport.usage.recipe.parameters import argument_of, defaults_of
from mindport.usage.recipe.values import Values

_PARAMETERS = frozenset(("params", "foreach", "fused", "capturable", "maximize", "differentiable"))


def optimizers(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each place that makes an optimizer."""
    own = _own_optimizers(code)
    for file in code.files:
        for use, call in file.calls():
            if use.form is Form.CALL and torch_facts().is_optimizer_class(use.api):
                details = details_of(values, file, use.api, call, _PARAMETERS)
                what = use.api.rpartition(".")[2]
                yield Entry(
                    ChecklistTopic.OPTIMIZER, what, file.place(call), details + _groups(values, file, call)
                )
            elif use.library and use.api.rpartition(".")[2].startswith(
                ("Adam", "SGD", "Lion", "create_optimizer")
            ):
                what = f"{use.api.rpartition('.')[2]} of {use.library}"
                yield Entry(ChecklistTopic.OPTIMIZER, what, file.place(call), _keywords(values, file, call))
        for node in file.nodes:
            if isinstance(node, ast.Call) and last_name(node.func) in own:
                defined = own[last_name(node.func)]
                yield Entry(
                    ChecklistTopic.OPTIMIZER,
                    f"{last_name(node.func)} (of this project)",
                    file.place(node),
                    _own_details(values, file, node, defined),
                )
        for use in file.uses:
            if use.form is Form.DYNAMIC and use.api.startswith("torch.optim"):
                line = next((one for one in file.nodes if getattr(one, "lineno", 0) == use.span.line), None)
                if line is not None:
                    what = f"chosen by name from {use.api}"
                    yield Entry(ChecklistTopic.OPTIMIZER, what, file.place(line), _chosen(values, file, line))


def _own_optimizers(code: Code) -> dict[str, ast.ClassDef]:
    found = {}
    for file in code.files:
        lines = {
            use.span.line
            for use in file.uses
            if use.form is Form.BASE_CLASS
            and use.api.startswith("torch.optim.")
            and "lr_scheduler" not in use.api
        }
        for node in file.classes():
            if any(base.lineno in lines for base in node.bases):
                found[node.name] = node
    return found


def _own_details(
    values: Values, file: SourceFile, call: ast.Call, defined: ast.ClassDef
) -> tuple[Detail, ...]:
    """What is passed, and the defaults of the rest."""
    found = list(_keywords(values, file, call))
    init = next(
        (one for one in defined.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None
    )
    if init is None:
        return tuple(found)
    home = next(one for one in values.code.files if defined in one.parents)
    for name, default in defaults_of(init).items():
        if argument_of(call, init, name, is_method=True) is None:
            found.append(values.detail(name, home, default))
    return tuple(found)


def _keywords(values: Values, file: SourceFile, call: ast.Call) -> tuple[Detail, ...]:
    return tuple(
        values.detail(keyword.arg, file, keyword.value)
        for keyword in call.keywords
        if keyword.arg and keyword.arg not in _PARAMETERS
    )


def _groups(values: Values, file: SourceFile, call: ast.Call) -> tuple[Detail, ...]:
    """The settings of single parameter groups: in the first argument, and of `add_param_group` calls nearby."""
    found = []
    first = call.args[0] if call.args else None
    scope: ast.AST = file.function_of(call) or file.tree
    if isinstance(first, ast.Name):
        assigned = [
            node.value
            for node in every_node(scope)
            if isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == first.id for target in node.targets)
        ]
        first = assigned[0] if len(assigned) == 1 else None
    dictionaries = list(first.elts) if isinstance(first, ast.List | ast.Tuple) else []
    for node in every_node(scope):
        if isinstance(node, ast.Call) and last_name(node.func) == "add_param_group" and node.args:
            dictionaries.append(node.args[0])
    for group in dictionaries:
        if not isinstance(group, ast.Dict):
            continue
        for key, value in zip(group.keys, group.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value != "params":
                found.append(values.detail(f"{key.value} of a parameter group", file, value))
    return tuple(found)


def _chosen(values: Values, file: SourceFile, node: ast.AST) -> tuple[Detail, ...]:
    for inner in every_node(node):
        if isinstance(inner, ast.Call) and last_name(inner.func) == "getattr" and len(inner.args) >= 2:
            return (values.detail("name", file, inner.args[1]),)
    return (Detail("name", written(node), file.place(node), is_known=False),)
