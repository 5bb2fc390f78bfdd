"""Which arguments hold no graph because every call in the file passes data for them, or a network or an optimizer."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from mindport.rewrite.training.data_only import DataOnly, data_before, makes_configuration
from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import Names, StatementPlace, every_node, head_nodes, places
from mindport.rewrite.training.step_parts import Scope, arguments_of, own_nodes_of
from mindport.source.written_names import last_name


def arguments_without_graph(
    tree: ast.Module, scopes: list[Scope], recogniser: Recogniser
) -> Mapping[str, Names]:
    """By the name of a function or method that calls `backward`: the arguments that hold no graph in any call of the
    file. One that the file does not call, hands on as a value, decorates or defines twice has none: its callers are not
    seen."""
    functions = {
        name: function
        for name, function in _functions_with_one_name(scopes).items()
        if any(last_name(node) == "backward" for node in own_nodes_of(function))
    }
    if not functions:
        return {}
    calls = [node.func for node in every_node(tree) if isinstance(node, ast.Call)]
    called = {id(node) for node in calls}
    for node in every_node(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in called:
            functions.pop(last_name(node), None)
    functions = {name: functions[name] for name in map(last_name, calls) if name in functions}
    classes = frozenset(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    found: dict[str, list[Names]] = defaultdict(list)
    for scope in scopes:
        objects = _Objects(scope, classes, recogniser)
        for call, place, at in _calls(scope, functions):
            data = data_before(place, scope, recogniser)
            for statement in place.body[:at]:
                data.take(statement)
            name = last_name(call.func)
            found[name].append(_without_graph(call, functions[name], data, objects))
    return {name: frozenset.intersection(*some) for name, some in found.items()}


def _functions_with_one_name(scopes: list[Scope]) -> dict[str, ast.FunctionDef]:
    found: dict[str, list[ast.FunctionDef]] = defaultdict(list)
    for scope in scopes:
        if isinstance(scope, ast.FunctionDef):
            found[scope.name].append(scope)
    return {name: some[0] for name, some in found.items() if len(some) == 1 and not some[0].decorator_list}


def _calls(scope: Scope, names: Mapping[str, object]) -> Iterator[tuple[ast.Call, StatementPlace, int]]:
    """The calls in a scope of functions with these names, each with the innermost statement that it stands in."""
    for place in places(scope):
        for at, statement in enumerate(place.body):
            for node in head_nodes(statement):
                if isinstance(node, ast.Call) and last_name(node.func) in names:
                    yield node, place, at


class _Objects:
    """What layers, optimizers and objects of the file's classes are in a scope."""

    def __init__(self, scope: Scope, classes: Names, recogniser: Recogniser) -> None:
        self._classes = classes
        self._recogniser = recogniser
        self._names: Names = frozenset()
        nodes = list(own_nodes_of(scope))
        made = Counter(
            target.id
            for node in nodes
            if isinstance(node, ast.Assign) and self.has(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        )
        bound = Counter(
            node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        self._names = frozenset(name for name, count in made.items() if count == bound[name])

    def has(self, node: ast.expr) -> bool:
        """Whether an expression is such an object: one that is made there, or a name that holds nothing else."""
        if isinstance(node, ast.Name):
            return node.id in self._names
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name) and node.func.id in self._classes:
            return True
        return makes_configuration(self._recogniser.api(node.func))


def _without_graph(call: ast.Call, function: ast.FunctionDef, data: DataOnly, objects: _Objects) -> Names:
    """The arguments of a function that a call gives data or an object for, or leaves at their defaults."""
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    if starred or any(one.arg is None for one in call.keywords):
        return frozenset()
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        del names[0]
    given = dict(zip(names, call.args, strict=False))
    given.update((one.arg, one.value) for one in call.keywords if one.arg is not None)
    return frozenset(
        name
        for name in arguments_of(function)
        if name not in given or data.is_data(given[name]) or objects.has(given[name])
    )
