"""Mixed precision of CUDA, which a CPU does not have: there torch computes `with autocast():` in full precision, and a
`GradScaler` leaves every loss as it is. So the blocks are opened and the scalers go."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mindport.rewrite.training.events import Recogniser, names_scaler
from mindport.rewrite.training.flow import every_node
from mindport.rewrite.training.layout import Layout
from mindport.rewrite.training.step_parts import Scope, own_nodes_of

SCALERS = (
    "torch.GradScaler",
    "torch.amp.GradScaler",
    "torch.cuda.amp.GradScaler",
    "torch.amp.grad_scaler.GradScaler",
)


def open_autocast_blocks(scope: Scope, layout: Layout, recogniser: Recogniser) -> Iterator[ast.stmt]:
    """Write the bodies of `with autocast():` in place of the blocks; gives the headers that go, as the statements."""
    for node in own_nodes_of(scope):
        if not isinstance(node, ast.With):
            continue
        if all(_is_autocast(item, recogniser) for item in node.items) and layout.stands_alone(node):
            header, first, last = layout.at(node), layout.at(node.body[0]), layout.last_of(node)
            layout.unwrap(header, first, last)
            yield from (
                ast.copy_location(ast.Expr(item.context_expr), item.context_expr) for item in node.items
            )


def _is_autocast(item: ast.withitem, recogniser: Recogniser) -> bool:
    call = item.context_expr
    if not isinstance(call, ast.Call) or item.optional_vars is not None:
        return False
    api = recogniser.api(call.func)
    if api == "torch.cuda.amp.autocast":
        return True
    if api not in ("torch.autocast", "torch.amp.autocast"):
        return False
    devices = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "device_type")]
    return [ast.unparse(one) for one in devices] == ["'cuda'"]


def scaling_statements(scope: Scope, recogniser: Recogniser) -> Iterator[ast.stmt]:
    """The statements that only adapt or undo the scale of losses."""
    for node in own_nodes_of(scope):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr in ("update", "unscale_"):
                is_scaler = recogniser.api(function).rpartition(".")[0] in SCALERS
                if is_scaler or names_scaler(ast.unparse(function.value)):
                    yield node


def scalers(
    scope: Scope, tree: ast.Module, gone: Iterable[ast.stmt], recogniser: Recogniser
) -> Iterator[tuple[ast.stmt, str]]:
    """The statements that make scalers which nothing but the statements in `gone` asks for anything, and what to write
    instead: nothing, or the name without a value where it is still handed to functions of the file."""
    handled = {id(node) for statement in gone for node in every_node(statement)}
    functions = {node.name for node in every_node(tree) if isinstance(node, ast.FunctionDef)}
    passed = {
        id(one)
        for node in every_node(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
        for one in (*node.args, *(keyword.value for keyword in node.keywords))
    }
    for node in own_nodes_of(scope):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if recogniser.api(node.value.func) not in SCALERS or not isinstance(target, ast.Name):
            continue
        names = [one for one in every_node(tree) if isinstance(one, ast.Name) and one.id == target.id]
        left = [one for one in names if one is not target and id(one) not in handled]
        if all(id(one) in passed for one in left):
            yield node, f"{target.id} = None" if left else ""
