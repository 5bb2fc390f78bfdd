"""The groups of an optimizer, `optimizer.param_groups`, and the names that hold one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from mindport.source.trees import children, every_node
from mindport.usage.scope_storage import DEFINITIONS

# What torch's groups have and MindSpore's have not.
_OF_TORCH = frozenset({"capturable", "decoupled_weight_decay", "differentiable", "foreach", "fused"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_group(node: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression is one group: an item of the groups, or one of the names that hold one."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Subscript(value=ast.Attribute(attr="param_groups")):
            return True
    return False


def groups_in_loop(target: ast.expr, over: ast.expr) -> Iterator[ast.Name]:
    """The variable of a loop that holds a group, if there is one."""
    match target, over:
        case ast.Name(), ast.Attribute(attr="param_groups"):
            yield target
        case (
            ast.Tuple(elts=[_, ast.Name() as name]),
            ast.Call(func=ast.Name(id="enumerate"), args=[ast.Attribute(attr="param_groups"), *_]),
        ):
            yield name


def names_of_groups(scope: ast.AST) -> frozenset[str]:
    """The variables of a function, or of a module, that hold a group; not those of functions in it."""
    found: set[str] = set()
    pending = children(scope)
    while pending:
        node = pending.pop()
        found.update(name.id for name in _holders(node))
        if not isinstance(node, _SCOPES):
            pending += children(node)
    return frozenset(found)


def _holders(node: ast.AST) -> Iterator[ast.Name]:
    """The names that a statement or comprehension binds to a group."""
    match node:
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            yield from groups_in_loop(target, over)
        case ast.Assign(targets=[ast.Name() as name], value=value) if is_group(value, frozenset()):
            yield name


def groups_by_entries(module: Sequence[ast.stmt]) -> frozenset[ast.Attribute]:
    """The places `optimizer.param_groups` of which nothing but entries is read and set, and no entry that MindSpore's
    groups lack: `for group in optimizer.param_groups: group["lr"] = rate`. `module` are the statements of a file."""
    found = _of_scope([one for one in module if not isinstance(one, DEFINITIONS)])
    for node in (node for one in module for node in every_node(one)):
        if isinstance(node, _SCOPES):
            found |= _of_scope([node])
    return frozenset(found)


def _of_scope(scope: Sequence[ast.AST]) -> set[ast.Attribute]:
    nodes = [node for one in scope for node in every_node(one)]
    parents = {child: node for node in nodes for child in children(node)}
    bound = {name: node for node in nodes for name in _holders(node)}
    names = {name.id for name in bound}
    # A name that holds anything else, or of which more than entries is asked, tells of no group.
    open_names = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name)
        and node.id in names
        and node not in bound
        and not _is_entry(node, parents)
    } | {node.arg for node in nodes if isinstance(node, ast.arg)}
    held = {id(node) for name, node in bound.items() if name.id not in open_names}
    return {
        node
        for node in nodes
        if isinstance(node, ast.Attribute)
        and node.attr == "param_groups"
        and _is_of_entries(node, parents, held)
    }


def _is_of_entries(node: ast.Attribute, parents: dict[ast.AST, ast.AST], held: set[int]) -> bool:
    around = parents.get(node)
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name):
        if around.func.id == "len":
            return True
        around = parents.get(around) if around.func.id == "enumerate" else None
    if isinstance(around, ast.Subscript) and around.value is node:
        return _is_entry(around, parents) or id(parents.get(around)) in held
    return id(around) in held


def _is_entry(group: ast.expr, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an entry of a group is read, or set by a statement of its own."""
    entry = parents.get(group)
    match entry:
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key)), ctx=context) if value is group:
            return key not in _OF_TORCH and (isinstance(context, ast.Load) or _is_set(parents.get(entry)))
    return False


def _is_set(statement: ast.AST | None) -> bool:
    """Whether a statement sets one thing and no other."""
    return isinstance(statement, ast.AugAssign) or (
        isinstance(statement, ast.Assign) and len(statement.targets) == 1
    )
