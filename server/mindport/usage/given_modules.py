"""The classes of a project that may be made of modules in evaluation mode: `Distiller(teacher)` behind
`teacher.eval()`. A module of torch leaves those that it is given as they are. Told by names alone, within the function
that does both."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from mindport.source.trees import children, every_node
from mindport.source.written_names import dotted_name
from mindport.usage.files import FileState
from mindport.usage.function_names import FunctionNames

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NOBODY = frozenset(("", "self"))


# What a function gives in evaluation mode; a name that has such a module; a class that is given one, or what a name has
# or a function gives: ("function", f), ("name", n), ("class", c), ("named", c, n), ("made", c, f), ("holds", n, f).
_Fact = tuple[str, ...]


def classes_given_evaluated(
    texts: Mapping[str, str], state: Callable[[str], FileState]
) -> FunctionNames[_Fact]:
    """The names of these classes, and of whatever else is called with such a module."""
    return FunctionNames(
        texts,
        state,
        lambda text: ".eval()" in text or "train(False)" in text,
        lambda trees: frozenset(_of_unit(list(trees))),
        _given,
    )


def _given(facts: frozenset[_Fact]) -> frozenset[str]:
    functions = {fact[1] for fact in facts if fact[0] == "function"}
    names = {fact[1] for fact in facts if fact[0] == "name" or (fact[0] == "holds" and fact[2] in functions)}
    return frozenset(
        fact[1]
        for fact in facts
        if fact[0] == "class"
        or (fact[0] == "named" and fact[2] in names)
        or (fact[0] == "made" and fact[2] in functions)
    )


def _of_unit(trees: list[ast.AST]) -> Iterator[_Fact]:
    """The facts of a statement of the module, or of a method."""
    functions = [node for tree in trees for node in every_node(tree) if isinstance(node, _FUNCTIONS)]
    for one in functions:
        nodes = _nodes([one])
        own = list(_of_scope(nodes))
        if _returns_evaluated(nodes, {fact[1] for fact in own if fact[0] == "name"} - _NOBODY):
            yield "function", one.name
        yield from (fact for fact in own if fact[0] in ("class", "made"))
    yield from _of_scope(_nodes(one for one in trees if not isinstance(one, _SCOPES)))


def _nodes(scope: Iterable[ast.AST]) -> list[ast.AST]:
    """The nodes of a function or a module in the order of the text, but for those of functions in it."""
    found: list[ast.AST] = []
    pending = [child for one in scope for child in (children(one) if isinstance(one, _SCOPES) else [one])]
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, _SCOPES):
            pending += children(node)
    return sorted(
        found, key=lambda node: (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
    )


def _of_scope(nodes: Iterable[ast.AST]) -> Iterator[_Fact]:
    evaluated: set[str] = set()
    made: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=value):
                name = _name(target)
                evaluated.discard(name)
                made.pop(name, None)
                if _is_evaluation(value):
                    evaluated.add(name)
                    yield "name", name
                elif isinstance(value, ast.Call) and name:
                    made[name] = _name(value.func)
                    yield "holds", name, made[name]
            case ast.Call(func=ast.Attribute(value=owner)) if _is_evaluation(node):
                evaluated.add(_name(owner))
                yield "name", _name(owner)
            case ast.Call(func=func):
                for one in (*node.args, *(each.value for each in node.keywords)):
                    name = _name(one)
                    if _is_evaluation(one) or name in evaluated - _NOBODY:
                        yield "class", _name(func)
                    elif isinstance(one, ast.Call):
                        yield "made", _name(func), _name(one.func)
                    elif name in made:
                        yield "made", _name(func), made[name]
                    elif name not in _NOBODY:
                        yield "named", _name(func), name


def _returns_evaluated(nodes: Iterable[ast.AST], evaluated: set[str]) -> bool:
    """Whether a function of these nodes, in which `evaluated` names have such a module, gives one."""
    returned = (one.value for one in nodes if isinstance(one, ast.Return) and one.value is not None)
    return any(_is_evaluation(one) or _name(one) in evaluated for one in returned)


def _is_evaluation(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="eval"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="train" | "set_train"), args=[ast.Constant(value=False)]):
            return True
    return False


def _name(node: ast.expr) -> str:
    """The last part of a dotted name; nothing for any other expression."""
    return (dotted_name(node) or ("",))[-1]
