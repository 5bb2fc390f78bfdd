"""Variables that only some paths set, and that are read where the paths have met: behind a loop whose body sets them,
in the next turn of it, behind a branch. Python never comes there without; graph mode compiles all paths and says that
the variable is not defined. Set to None before, it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NOT_FOLLOWED = (ast.Global, ast.Nonlocal, ast.Try, ast.Yield, ast.YieldFrom)


def late_names(function: ast.FunctionDef, lines: LineIndex) -> Iterator[TextEdit]:
    """An edit before each statement of the function's own block that first sets such variables."""
    nodes = every_node(function)
    if any(isinstance(node, _NOT_FOLLOWED) or type(node).__name__ == "Match" for node in nodes):
        return
    missing = _Paths(function).missing
    for statement in function.body:
        names = [name for name in _stored(statement) if name in missing]
        missing.difference_update(names)
        start = start_of(statement, lines)
        indentation = lines.text[lines.line_start(statement.lineno) : start]
        if names and not indentation.strip():
            new = "".join(f"{name} = " for name in dict.fromkeys(names)) + f"None\n{indentation}"
            yield TextEdit(start, start, new if "\r\n" not in lines.text else new.replace("\n", "\r\n"))


class _Paths:
    """Follows the paths through a function; `missing` are the variables that are read where some path has not set them.

    A test of nothing but attributes of the object is decided before the paths are looked at, so either branch of it
    counts as taken."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.missing: set[str] = set()
        arguments = function.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        given = {one.arg for one in (*every, arguments.vararg, arguments.kwarg) if one is not None}
        self._local = {name for statement in function.body for name in _stored(statement)} - given
        self._once: set[str] = set()  # set on some path so far
        self._block(function.body, set())

    def _block(self, body: list[ast.stmt], known: set[str]) -> set[str] | None:
        """What is set behind statements; None where the path does not come there."""
        for statement in body:
            after = self._statement(statement, known)
            if after is None:
                return None
            known = after
        return known

    def _statement(self, statement: ast.stmt, known: set[str]) -> set[str] | None:
        match statement:
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                self._read(statement, known)
                return None
            case ast.If():
                self._read(statement.test, known)
                first = self._block(statement.body, set(known))
                second = self._block(statement.orelse, set(known))
                if first is None or second is None:
                    return second if first is None else first
                return first | second if _is_decided(statement.test) else first & second
            case ast.For() | ast.While():
                self._loop(statement, known)
                after = self._block(statement.orelse, set(known))
                return known if after is None else after
            case ast.With():
                for item in statement.items:
                    self._read(item, known)
                return self._block(statement.body, known | self._set_by(statement))
        self._read(statement, known)
        return known | self._set_by(statement)

    def _loop(self, statement: ast.For | ast.While, known: set[str]) -> None:
        self._read(statement.iter if isinstance(statement, ast.For) else statement.test, known)
        # What the last turn may have set is set on some path when the next one begins.
        self._once |= set(_stored(statement))
        self._block(statement.body, known | self._set_by(statement))

    def _set_by(self, statement: ast.stmt) -> set[str]:
        names = set(_targets(statement))
        self._once |= names
        return names

    def _read(self, node: ast.AST, known: set[str]) -> None:
        late = self._local & self._once
        self.missing |= {
            name for name in _names_read(node, frozenset()) if name in late and name not in known
        }
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.missing |= {node.target.id} & late - known


def _is_decided(test: ast.expr) -> bool:
    """Whether a test asks for attributes of `self` and constants only."""
    names = [node for node in every_node(test) if isinstance(node, ast.Name)]
    return all(name.id == "self" for name in names) and not any(
        isinstance(node, (ast.Call, ast.Subscript)) for node in every_node(test)
    )


def _targets(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement itself sets, without those that statements in it set."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
        return
    for field, value in ast.iter_fields(statement):
        if field in ("body", "orelse"):
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.AST):
                yield from _stored(one)


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that are set in a node, in the order of the text, but for those of scopes in it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.alias(name=name, asname=other):
            yield (other or name).partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
    if isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
        return
    for one in children(node):
        yield from _stored(one)


def _names_read(node: ast.AST, hidden: frozenset[str]) -> Iterator[str]:
    """The names that a node reads, but for variables of comprehensions in it; functions in it read theirs later."""
    if isinstance(node, _SCOPES):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in hidden:
        yield node.id
    if isinstance(node, _COMPREHENSIONS):
        hidden |= {
            one.id
            for generator in node.generators
            for one in every_node(generator.target)
            if isinstance(one, ast.Name)
        }
    for one in children(node):
        yield from _names_read(one, hidden)
