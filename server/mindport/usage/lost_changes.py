"""Changes by an operator whose new value nobody reads: `total *= 0.9` at the end of a function that was given `total`.
In torch they change a tensor that the caller has; where the operator makes a new one they do nothing."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

_Place = tuple[int, int]
_Loop = ast.For | ast.AsyncFor | ast.While
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def lost_changes(body: list[ast.stmt], parameters: Collection[str]) -> frozenset[ast.AugAssign]:
    """The statements `x op= y` in the body of a function about a parameter that gets no other value, or about the
    variable of a loop, if nothing reads the name after the last of them."""
    names = _Names(body)
    found: set[ast.AugAssign] = set()
    for name, changes in names.changes.items():
        if name in names.elsewhere or names.bound[name]:
            continue
        loops = [
            loop for loop in names.loops if isinstance(loop, (ast.For, ast.AsyncFor)) and _binds(loop, name)
        ]
        if not loops and name in parameters:
            region: list[ast.stmt] = body
        elif len(loops) == 1 and name not in parameters:
            region = loops[0].body
        else:
            continue
        last = max(changes, key=_start)
        inside = all(_is_in(_start(change), region) for change in changes)
        reads = names.reads[name]
        repeated = [loop for loop in names.loops if loop not in loops and _is_in(_start(last), loop.body)]
        if (
            inside
            and all(_is_in(read, region) and read <= _end(last) for read in reads)
            and not any(_is_in(read, loop.body) for loop in repeated for read in reads)
        ):
            found.update(changes)
    return frozenset(found)


class _Names:
    """What the statements of one function do with names: where each is read and changed by an operator, how often it is
    bound otherwise except by loops, and which are mentioned by scopes of their own or declared to be of another."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.changes: defaultdict[str, list[ast.AugAssign]] = defaultdict(list)
        self.reads: defaultdict[str, list[_Place]] = defaultdict(list)
        self.bound: Counter[str] = Counter()
        self.elsewhere: set[str] = set()
        self.loops: list[_Loop] = []
        own: set[ast.AST] = set()
        for node in _nodes(body):
            match node:
                case ast.AugAssign(target=ast.Name(id=name) as target):
                    self.changes[name].append(node)
                    own.add(target)
                case ast.For(target=target) | ast.AsyncFor(target=target):
                    self.loops.append(node)
                    own.update(one for one in ast.walk(target) if isinstance(one, ast.Name))
                case ast.While():
                    self.loops.append(node)
                case ast.Global(names=declared) | ast.Nonlocal(names=declared):
                    self.elsewhere.update(declared)
                case ast.Name(id=name, ctx=ast.Load()):
                    self.reads[name].append((node.lineno, node.col_offset))
                case ast.Name(id=name) if node not in own:
                    self.bound[name] += 1
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                    self.elsewhere.update(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of statements, parents first, without the insides of other scopes."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def _binds(loop: ast.For | ast.AsyncFor, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(loop.target))


def _start(node: ast.stmt) -> _Place:
    return node.lineno, node.col_offset


def _end(node: ast.stmt) -> _Place:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _is_in(place: _Place, statements: list[ast.stmt]) -> bool:
    return _start(statements[0]) <= place <= _end(statements[-1])
