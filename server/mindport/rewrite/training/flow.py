"""What statements read and write: names that come in, names that are read afterwards."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mindport.source import trees
from mindport.usage.handed_graphs import CUTS
from mindport.usage.value_keepers import COLLECTING

Names = frozenset[str]
_NONE: Names = frozenset()
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_REBINDS = frozenset(
    (
        "transpose_",
        "squeeze_",
        "unsqueeze_",
        "swapaxes_",
        "swapdims_",
        "t_",
        "detach_",
        "as_strided_",
        "resize_",
    )
)
"""Methods that change a tensor in place in torch, and whose counterpart is an assignment to its name."""
_UNUSUAL = tuple(getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name))
_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def forget() -> None:
    """Let go of the trees that answers were kept of."""
    for kept in (
        every_node,
        nodes_of_scopes,
        written,
        read,
        read_with_gradient,
        changed_in_place,
        parts_named,
        dotted_reads,
        leaves_loop,
    ):
        kept.cache_clear()


@functools.cache
def every_node(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a file, or of a part of one, which is asked for them a dozen times."""
    return tuple(trees.every_node(tree))


@functools.cache
def nodes_of_scopes(tree: ast.Module) -> tuple[tuple[ast.AST, ...], ...]:
    """The nodes of the module and of every function in it, each without those of the scopes in it."""
    scopes = (tree, *(node for node in every_node(tree) if isinstance(node, _SCOPES[:2])))
    return tuple(tuple(_inside(scope)) for scope in scopes)


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    return (node for child in trees.children(scope) for node in own_nodes(child))


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what is below it, without the insides of functions, classes and lambdas."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, _SCOPES):
            waiting += trees.children(one)


def head_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """`statement` and what is below it, without the statements in it and without the insides of functions and classes:
    so that each node of a scope is one of exactly one statement, however deep they lie in each other."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, _SCOPES):
            waiting += [child for child in trees.children(one) if not isinstance(child, ast.stmt)]


def suites(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statement lists directly in a compound statement."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, (ast.ExceptHandler, ast.match_case)):
                    yield one.body


@functools.cache
def written(node: ast.AST) -> Names:
    """The names that a statement may bind in its own scope."""
    found: set[str] = set()
    _collect_written(node, found)
    return frozenset(found)


def _collect_written(node: ast.AST, found: set[str]) -> None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        found.add(node.name)
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        found.add(node.id)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        found.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        found.add(node.name)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _REBINDS:
        if isinstance(node.func.value, ast.Name):
            found.add(node.func.value.id)
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        found.add(node.name)
    if isinstance(node, _COMPREHENSIONS):
        found.update(one.target.id for one in trees.every_node(node) if isinstance(one, ast.NamedExpr))
        return
    for child in trees.children(node):
        _collect_written(child, found)


@functools.cache
def read(node: ast.AST) -> Names:
    """The names that a node may read, also inside functions in it."""
    found = {
        one.id
        for one in trees.every_node(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }
    for one in trees.every_node(node):
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            found.add(one.target.id)
        elif isinstance(one, ast.Delete):
            found |= {target.id for target in one.targets if isinstance(target, ast.Name)}
    return frozenset(found)


def taken_from_outside(node: ast.AST) -> Names:
    """The names that a function or class, when it runs, takes from the scopes around it."""
    if isinstance(node, ast.ClassDef):
        return frozenset(name for child in node.body for name in taken_from_outside(child))
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return _NONE
    arguments = node.args
    bound = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    bound |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
    for statement in node.body if isinstance(node.body, list) else ():
        bound |= written(statement)
    declared = {
        name
        for one in trees.every_node(node)
        if isinstance(one, (ast.Global, ast.Nonlocal))
        for name in one.names
    }
    return (read(node) - bound) | declared


@functools.cache
def changed_in_place(statement: ast.stmt) -> Names:
    """What a statement may change without binding it, as dotted names: `label` of `label.fill_(1)`, `x` of
    `x[1:].copy_(h)`, `self.outputs` of `self.outputs.append(y)`, `net.memory` of `net.memory = h`."""
    places = (place for node in own_nodes(statement) for place in _places_changed(node))
    return frozenset(name for place in places if (name := dotted_name(place)))


_SWITCHES = frozenset(("requires_grad", "requires_grad_", "grad"))
"""What is set of a tensor without a change of its value."""


def _places_changed(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=method)):
            is_in_place = method.endswith("_") and not method.endswith("__") and method not in _SWITCHES
            if is_in_place or method in COLLECTING:
                yield value
        case ast.Call(func=ast.Name(id="setattr"), args=[value, *_]):
            yield value
        case ast.Subscript(value=value, ctx=ast.Store()):
            yield value
        case ast.Attribute(attr=name, ctx=ast.Store()) if name not in _SWITCHES:
            yield node


def dotted_name(node: ast.expr) -> str:
    """`x.a` of `x.a[0].b`: the name of what an expression is a part of; empty where it is a part of none."""
    attributes: list[str] = []
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=value, attr=attribute):
                attributes.append(attribute)
            case ast.Subscript(value=value) | ast.Starred(value=value):
                attributes.clear()
            case _:
                return ""
        node = value
    return ".".join((node.id, *reversed(attributes)))


@functools.cache
def parts_named(statement: ast.stmt) -> Mapping[str, Names]:
    """Names that a statement gives to parts of other objects, with the dotted names of these: `cell = net.cell`,
    `for block in net.blocks`. A name that it gives to anything else comes with none."""
    found: dict[str, Names] = {}
    for node in own_nodes(statement):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                owner = dotted_name(value)
                found[name] = frozenset((owner,) if owner else ())
            case ast.For(target=target, iter=items):
                owners = frozenset(
                    owner
                    for one in trees.every_node(items)
                    if isinstance(one, (ast.Name, ast.Attribute)) and (owner := dotted_name(one))
                )
                found |= dict.fromkeys(written(target), owners)
    return found


@functools.cache
def dotted_reads(node: ast.AST, functions: Names) -> Names:
    """The dotted names that a node reads. What a method reads of its object is not seen: for `self.loss(x)` it is
    `self` where `functions` of the file have that name, `self.loss` of any other."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in functions:
            name = dotted_name(value)
        case ast.Attribute() | ast.Name():
            name = dotted_name(node)
        case _:
            name = ""
    found = frozenset((name,)) if name else _NONE
    if isinstance(node, ast.Name):
        return found
    children = [] if isinstance(node, ast.Attribute) and name else trees.children(node)
    return found.union(*(dotted_reads(child, functions) for child in children))


def overlap(first: str, second: str) -> bool:
    """Whether one of two dotted names is the other or a part of it."""
    return f"{first}.".startswith(f"{second}.") or f"{second}.".startswith(f"{first}.")


@functools.cache
def read_with_gradient(node: ast.AST, holds_graph: Callable[[ast.Attribute], bool]) -> Names:
    """The names that a node may read, without those that are only asked for numbers: `x.detach()`, `x.item()`.
    `holds_graph` says of which attributes of such a name this is not true."""
    found: set[str] = set()
    if isinstance(node, ast.Attribute) and node.attr in CUTS and not holds_graph(node):
        return _NONE
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return frozenset((node.id,))
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    for child in trees.children(node):
        found |= read_with_gradient(child, holds_graph)
    return frozenset(found)


def names_as_values(node: ast.AST) -> Iterator[str]:
    """Names that are read, but for those that are only called or whose methods are called on the way to a call."""
    called = set()
    for one in trees.every_node(node):
        if isinstance(one, ast.Call):
            root: ast.expr = one.func
            while isinstance(root, ast.Attribute):
                root = root.value
            called.add(id(root))
    for one in trees.every_node(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and id(one) not in called:
            yield one.id


class Reads:
    """What a list of statements may read before it has written it, and what it has surely written at its end."""

    def __init__(self, statements: Sequence[ast.stmt], reads: Callable[[ast.AST], Names] = read) -> None:
        self.exposed: set[str] = set()
        self._reads = reads
        self.assigned, self.falls_through = self._suite(statements, _NONE)

    def _see(self, names: Iterable[str], assigned: Names) -> None:
        self.exposed.update(name for name in names if name not in assigned)

    def _suite(self, statements: Sequence[ast.stmt], assigned: Names) -> tuple[Names, bool]:
        frozen: Names | None = None  # where a `continue` may leave, later writes are not sure
        for statement in statements:
            assigned, falls_through = self._statement(statement, assigned)
            if not falls_through:
                return (assigned if frozen is None else frozen), False
            if frozen is None and leaves_loop(statement):
                frozen = assigned
        return (assigned if frozen is None else frozen), True

    def _statement(self, node: ast.stmt, assigned: Names) -> tuple[Names, bool]:
        if isinstance(node, ast.If):
            self._see(self._reads(node.test), assigned)
            assigned |= written(node.test)
            first, first_goes = self._suite(node.body, assigned)
            second, second_goes = self._suite(node.orelse, assigned)
            if first_goes and second_goes:
                return first & second, True
            return (first if first_goes else second), first_goes or second_goes
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            head = node.test if isinstance(node, ast.While) else node.iter
            self._see(self._reads(head), assigned)
            inside = assigned if isinstance(node, ast.While) else assigned | written(node.target)
            self._suite(node.body, inside)
            self._suite(node.orelse, assigned)
            return assigned, True
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self._see(self._reads(item), assigned)
                assigned |= written(item)
            return self._suite(node.body, assigned)
        if isinstance(node, ast.Try):
            ends = [self._suite([*node.body, *node.orelse], assigned)]
            for handler in node.handlers:
                ends.append(self._suite(handler.body, assigned | ({handler.name} if handler.name else _NONE)))
            after, _ = self._suite(node.finalbody, assigned)
            going = [names for names, goes in ends if goes]
            return after | frozenset.intersection(*going) if going else after, bool(going)
        self._see(self._reads(node), assigned)
        if isinstance(node, _UNUSUAL):
            return assigned, True
        return assigned | written(node), not isinstance(node, _ENDS)


@functools.cache
def leaves_loop(node: ast.AST) -> bool:
    """Whether a `break` or `continue` in a statement belongs to a loop around it."""
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, _SCOPES):
        return False
    if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
        return any(leaves_loop(one) for one in node.orelse)
    return any(leaves_loop(child) for child in trees.children(node))


class StatementPlace:
    """Where a statement list stands: `owner` is the compound statement (or the function, or the module) that it is a
    part of, and `at` is its own place in the list that holds it."""

    def __init__(self, body: list[ast.stmt], owner: ast.AST, outer: StatementPlace | None, at: int) -> None:
        self.body = body
        self.owner = owner
        self.outer = outer
        self.at = at

    @property
    def is_loop_body(self) -> bool:
        """Whether it is run again and again."""
        return isinstance(self.owner, (ast.For, ast.AsyncFor, ast.While)) and self.body is self.owner.body

    def ancestors(self) -> Iterator[StatementPlace]:
        """The lists around this one, nearest first."""
        place = self.outer
        while place is not None:
            yield place
            place = place.outer

    def live_after(self, at: int) -> Names:
        """The names that may be read after the statement at `at`, before they are written again."""
        after = Reads(self.body[at + 1 :])
        later: set[str] = set()
        if self.is_loop_body:
            owner = self.owner
            assert isinstance(owner, (ast.For, ast.AsyncFor, ast.While))
            again = Reads([_head(owner)])
            later |= again.exposed | (Reads(self.body).exposed - _target(owner))
            later |= Reads(owner.orelse).exposed
        for one in (self, *self.ancestors()):
            if isinstance(one.owner, ast.Try):
                later |= read(one.owner)
        if self.outer is not None:
            later |= self.outer.live_after(self.at)
        return frozenset(after.exposed | (later - after.assigned))


def _head(owner: ast.For | ast.AsyncFor | ast.While) -> ast.stmt:
    return ast.Expr(owner.test if isinstance(owner, ast.While) else owner.iter)


def _target(owner: ast.For | ast.AsyncFor | ast.While) -> Names:
    return _NONE if isinstance(owner, ast.While) else written(owner.target)


def places(scope: ast.Module | ast.FunctionDef) -> Iterator[StatementPlace]:
    """All statement lists of a scope, outer ones first."""
    waiting = [StatementPlace(scope.body, scope, None, 0)]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += reversed(
            [
                StatementPlace(body, statement, place, at)
                for at, statement in enumerate(place.body)
                if not isinstance(statement, _SCOPES)
                for body in suites(statement)
            ]
        )
