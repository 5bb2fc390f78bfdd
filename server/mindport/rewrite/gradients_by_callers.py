"""Lets callers take the gradient that a penalty is made of, where a function gets outputs of a network and its inputs:
`r1(out, x)` becomes `r1(torch.autograd.grad(out.sum(), x, create_graph=True)[0], x)`. MindSpore takes gradients of
functions, and it is the caller who knows the network. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from mindport.rewrite.gradient_parameters import GRADIENT_PARAMETERS
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree


class _Taken(msgspec.Struct):
    """A function that assigns a gradient of its parameter `outputs` for its parameter `inputs`: where these stand among
    the arguments of a call, the name of the gradient, whether it is one of a sum, and the statements that go."""

    function: ast.FunctionDef
    outputs: int
    inputs: int
    gradient: str
    is_summed: bool
    statements: list[ast.stmt]


def gradients_by_callers(text: str, is_called_elsewhere: Callable[[str], bool]) -> list[TextEdit]:
    """The edits that do so, where every call of the function is seen; none where the text does not parse."""
    if "create_graph" not in text or "import torch\n" not in text.replace("\r", ""):
        return []
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return []
    lines = LineIndex(text)
    edits: list[TextEdit] = []
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        taken = _taken(function)
        if taken is not None and [one.name for one in functions].count(function.name) == 1:
            calls = _calls(tree, taken)
            if calls and not is_called_elsewhere(function.name):
                edits += _in_function(taken, lines)
                edits += (edit for call in calls for edit in _in_call(call, taken, lines))
    return edits


def _taken(function: ast.FunctionDef) -> _Taken | None:
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or function.decorator_list:
        return None
    names = [one.arg for one in given.args]
    for statement in function.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=gradient)],
                value=ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=0)),
            ) if ast.unparse(call.func) in ("torch.autograd.grad", "autograd.grad", "grad"):
                pass
            case _:
                continue
        passed = dict(zip(GRADIENT_PARAMETERS, call.args, strict=False))
        passed |= {keyword.arg or "**": keyword.value for keyword in call.keywords}
        outputs, is_summed = _summed(passed.get("outputs"))
        inputs = passed.get("inputs")
        keeps = passed.get("create_graph")
        if not (isinstance(outputs, ast.Name) and isinstance(inputs, ast.Name)) or "**" in passed:
            return None
        if not (isinstance(keeps, ast.Constant) and keeps.value is True) or gradient in names:
            return None
        if outputs.id not in names or inputs.id not in names:
            return None
        statements = [statement, *_ones(function, passed.get("grad_outputs"), outputs.id, is_summed)]
        inside = {id(node) for one in statements for node in ast.walk(one)}
        others = [
            node for node in ast.walk(function) if isinstance(node, ast.Name) and id(node) not in inside
        ]
        is_changed = any(node.id == inputs.id and isinstance(node.ctx, ast.Store) for node in others)
        weights = passed.get("grad_outputs")
        is_left = (
            weights is not None and (is_summed or len(statements) == 1) and not _is_ones(weights, outputs.id)
        )
        if any(node.id == outputs.id for node in others) or is_changed or is_left:
            return None
        shift = 1 if names[0] in ("self", "cls") else 0
        at = names.index(outputs.id) - shift, names.index(inputs.id) - shift
        return _Taken(function, *at, gradient, is_summed, statements)
    return None


def _summed(node: ast.expr | None) -> tuple[ast.expr | None, bool]:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="sum"), args=[], keywords=[]):
            return value, True
    return node, False


def _ones(
    function: ast.FunctionDef, weights: ast.expr | None, outputs: str, is_summed: bool
) -> Iterator[ast.stmt]:
    """The statement that makes the ones which the gradients of the outputs are, where nothing else reads them."""
    if not isinstance(weights, ast.Name) or is_summed:
        return
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == weights.id]
    for statement in function.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name == weights.id and len(uses) == 2 and _is_ones(value, outputs):
                    yield statement


def _is_ones(node: ast.expr, outputs: str) -> bool:
    """Whether an expression is `torch.ones_like(outputs)` or `torch.ones(outputs.size())`, wherever it lies."""
    if isinstance(node, ast.Constant):
        return node.value is None
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("to", "cuda")
    ):
        node = node.func.value
    if not isinstance(node, ast.Call) or not node.args:
        return False
    of = ast.unparse(node.args[0])
    made = ast.unparse(node.func)
    return (made == "torch.ones_like" and of == outputs) or (
        made == "torch.ones" and len(node.args) == 1 and of in (f"{outputs}.size()", f"{outputs}.shape")
    )


def _calls(tree: ast.Module, taken: _Taken) -> list[ast.Call]:
    """All calls of the function; none where it is used otherwise, or where one has no outputs that its own function has
    just computed of the inputs."""
    name = taken.function.name
    called = {}
    for around in ast.walk(tree):
        if isinstance(around, ast.FunctionDef) and around is not taken.function:
            for node in ast.walk(around):
                if (
                    isinstance(node, ast.Call)
                    and _last_name(node.func) == name
                    and _fits(node, taken, around)
                ):
                    called[id(node.func)] = node
    uses = {
        id(node)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Name, ast.Attribute)) and _last_name(node) == name
    }
    return list(called.values()) if uses == called.keys() else []


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _fits(call: ast.Call, taken: _Taken, around: ast.FunctionDef) -> bool:
    if call.keywords or len(call.args) <= max(taken.outputs, taken.inputs):
        return False
    outputs, inputs = call.args[taken.outputs], call.args[taken.inputs]
    if not (isinstance(outputs, ast.Name) and isinstance(inputs, ast.Name)):
        return False
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and any(isinstance(one, ast.Name) and one.id == inputs.id for one in node.value.args)
        and any(isinstance(one, ast.Name) and one.id == outputs.id for one in ast.walk(node.targets[0]))
        for node in ast.walk(around)
    )


def _in_function(taken: _Taken, lines: LineIndex) -> Iterator[TextEdit]:
    arguments = taken.function.args.args
    shift = 1 if arguments[0].arg in ("self", "cls") else 0
    parameter = arguments[taken.outputs + shift]
    yield TextEdit(start_of(parameter, lines), end_of(parameter, lines), taken.gradient)
    for statement in taken.statements:
        yield TextEdit(
            lines.line_start(statement.lineno),
            lines.line_start((statement.end_lineno or statement.lineno) + 1),
            "",
        )


def _in_call(call: ast.Call, taken: _Taken, lines: LineIndex) -> Iterator[TextEdit]:
    outputs, inputs = call.args[taken.outputs], call.args[taken.inputs]
    name = ast.unparse(outputs)
    of = (
        f"{name}.sum(), {ast.unparse(inputs)}"
        if taken.is_summed
        else f"{name}, {ast.unparse(inputs)}, torch.ones_like({name})"
    )
    new = f"torch.autograd.grad({of}, create_graph=True)[0]"
    yield TextEdit(start_of(outputs, lines), end_of(outputs, lines), new)
