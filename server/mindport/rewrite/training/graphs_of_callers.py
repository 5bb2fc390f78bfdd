"""What a step gets from other functions of the file with a graph on it: arguments that a network computed in a caller,
and attributes that another method leaves so.

torch follows such a graph back into the caller. A function of the loss alone does not hold the calls that made it: the
gradients of those networks would be zero, without a message."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import Names, every_node, head_nodes, suites
from mindport.rewrite.training.step_parts import Scope, arguments_of, own_nodes_of
from mindport.source.trees import children
from mindport.source.written_names import bound_pairs, dotted_text, last_name
from mindport.usage.handed_graphs import ASKS, CUTS, NUMBERS

_WITHOUT = frozenset(f"torch.{name}" for name in ("argmax", "argmin", "zeros_like", "ones_like", "is_tensor"))
_MOST_ROUNDS = 5  # of functions that hand on what others gave them


def find_graphs(
    tree: ast.Module, scopes: Sequence[Scope], recogniser: Recogniser, from_project: Collection[str]
) -> None:
    """Note in the recogniser what the functions of a file give each other with a graph on it, and what callers
    anywhere in the project give them (`from_project`, as `function:argument`). A name that several functions have is
    left out, and so is what calls that are not known to be of a network give."""
    program = _Program(tree, scopes, recogniser)
    if program.networks:
        program.follow()
    for given in from_project:
        function, _, argument = given.partition(":")
        if function in program.functions:
            known = program.arguments.get(function, frozenset())
            program.arguments[function] = known | {argument}
    recogniser.graph_arguments = program.arguments
    recogniser.graph_attributes = program.attributes()


def graph_from_outside(
    scope: Scope, arguments: Names, statements: Iterable[ast.AST], recogniser: Recogniser
) -> str:
    """The first of the `arguments` that a loss depends on, or of the attributes that its `statements` read, that holds
    a graph which the function itself does not; empty where there is none."""
    if not isinstance(scope, ast.FunctionDef):
        return ""
    given = arguments & recogniser.graph_arguments.get(scope.name, frozenset())
    own = {
        dotted_text(node)
        for node in own_nodes_of(scope)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    left = recogniser.graph_attributes.get(scope.name, frozenset()) - own
    read = {name for one in statements for name in _reads(one, recogniser)} if left else set()
    return min(given | (left & read), default="")


class _Program:
    """The functions of a file, gone through until no more is known of what they give each other."""

    def __init__(self, tree: ast.Module, scopes: Sequence[Scope], recogniser: Recogniser) -> None:
        self.recogniser = recogniser
        self.networks = frozenset(_networks(tree))
        self._scopes = scopes
        named: dict[str, list[ast.FunctionDef]] = defaultdict(list)
        for scope in scopes:
            if isinstance(scope, ast.FunctionDef):
                named[scope.name].append(scope)
        self.functions = {name: some[0] for name, some in named.items() if len(some) == 1}
        self._classes = {
            id(function): node.name
            for node in every_node(tree)
            if isinstance(node, ast.ClassDef)
            for function in node.body
            if isinstance(function, ast.FunctionDef)
        }
        self.arguments: dict[str, Names] = {}
        self.returning: set[str] = set()
        self._left: dict[str, dict[str, set[str]]] = defaultdict(dict)  # by class and method

    def follow(self) -> None:
        """Go through all functions until nothing changes."""
        for _ in range(_MOST_ROUNDS):
            before = dict(self.arguments), set(self.returning)
            for scope in self._scopes:
                self._go_through(scope)
            if before == (self.arguments, self.returning):
                break

    def attributes(self) -> dict[str, Names]:
        """By the name of a method: the attributes that other methods of its class leave with a graph."""
        found: dict[str, Names] = {}
        for name, function in self.functions.items():
            methods = self._left.get(self._classes.get(id(function), ""), {})
            left = [some for other, some in methods.items() if other != name]
            if any(left):
                found[name] = frozenset().union(*left)
        return found

    def _go_through(self, scope: Scope) -> None:
        decorators = scope.decorator_list if isinstance(scope, ast.FunctionDef) else []
        if any(self.recogniser.stops_recording(ast.withitem(context_expr=one)) for one in decorators):
            return
        name = scope.name if isinstance(scope, ast.FunctionDef) and scope.name in self.functions else ""
        values = _Values(self, self.arguments.get(name, ()))
        values.take(scope.body)
        if name and values.returns:
            self.returning.add(name)
        if isinstance(scope, ast.FunctionDef) and (owner := self._classes.get(id(scope))):
            self._left[owner][scope.name] = {one for one in values.names if one.startswith("self.")}


class _Values:
    """Follows in one scope which names and attributes hold a graph, in the order of the text; in branches any may."""

    def __init__(self, program: _Program, names: Iterable[str]) -> None:
        self.names = set(names)
        self.returns = False
        self._program = program

    def take(self, statements: Sequence[ast.stmt], *, is_recorded: bool = True) -> None:
        """Go through a list of statements."""
        for statement in statements:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            if is_recorded:
                self._hand_over(statement)
            self._assign(statement, is_recorded)
            if isinstance(statement, ast.Return) and is_recorded and self.holds(statement.value):
                self.returns = True
            stops = isinstance(statement, ast.With) and any(
                map(self._program.recogniser.stops_recording, statement.items)
            )
            for body in suites(statement):
                self.take(body, is_recorded=is_recorded and not stops)

    def _assign(self, statement: ast.stmt, is_recorded: bool) -> None:
        for target, value in bound_pairs(statement):
            holds = is_recorded and self.holds(value)
            for name in _targets(target):
                (self.names.add if holds else self.names.discard)(name)

    def _hand_over(self, statement: ast.stmt) -> None:
        for node in head_nodes(statement):
            if not isinstance(node, ast.Call) or last_name(node.func) not in self._program.functions:
                continue
            function = self._program.functions[last_name(node.func)]
            names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
            if isinstance(node.func, ast.Attribute) and names[:1] == ["self"]:
                del names[0]
            given = dict(zip(names, node.args, strict=False))
            given.update({one.arg: one.value for one in node.keywords if one.arg in arguments_of(function)})
            found = frozenset(name for name, value in given.items() if name and self.holds(value))
            if found:
                known = self._program.arguments.get(function.name, frozenset())
                self._program.arguments[function.name] = known | found

    def holds(self, node: ast.AST | None) -> bool:
        """Whether a value surely was computed by a network, and nothing was cut off since."""
        recogniser = self._program.recogniser
        match node:
            case None | ast.Compare() | ast.Constant() | ast.Lambda():
                return False
            case ast.Attribute(attr=name) if name in CUTS and not recogniser.holds_graph(node):
                return False
            case ast.Name() | ast.Attribute() if dotted_text(node) in self.names:
                return True
            case ast.Call(func=called):
                if last_name(called) in NUMBERS or recogniser.api(called) in _WITHOUT:
                    return False
                if self._calls_network(called) or last_name(called) in self._program.returning:
                    return True
        return any(map(self.holds, children(node)))

    def _calls_network(self, called: ast.expr) -> bool:
        networks = self._program.networks
        match called:
            case ast.Attribute(value=value, attr="forward" | "__call__") if dotted_text(value) in networks:
                return True
        return dotted_text(called) in networks


def _networks(tree: ast.Module) -> Iterable[str]:
    """The dotted names that something asks for their parameters, or sets to train."""
    for node in every_node(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in ASKS and dotted_text(value):
                yield dotted_text(value)


def _reads(node: ast.AST, recogniser: Recogniser) -> Iterable[str]:
    """The dotted names that a node reads, without what it only asks for numbers."""
    if isinstance(node, ast.Attribute) and node.attr in CUTS and not recogniser.holds_graph(node):
        return
    if isinstance(node, ast.Attribute) and (name := dotted_text(node)):
        yield name
    for child in children(node):
        yield from _reads(child, recogniser)


def _targets(target: ast.expr) -> Iterable[str]:
    """The names and attributes that an assignment binds."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _targets(part)
        case ast.Starred(value=value):
            yield from _targets(value)
        case ast.Name() | ast.Attribute() if name := dotted_text(target):
            yield name
