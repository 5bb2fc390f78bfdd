"""Changes by an operator, `a += 1`, of tensors that others have: torch changes the tensor itself, MindSpore makes a new
one of that name. Others have it where another name is read later (`a = x`, `a = x[1:]`, `rows.append(a)`), where it is
from an attribute or from a caller that reads it again, and where nobody reads the new value, so that the change can
only be meant for somebody else. So it is in a network where torch does not record: the gradient goes on through the
tensor."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mindport.source.trees import every_node
from mindport.source.units import Unit, UnitKind
from mindport.usage.scope_storage import DEFINITIONS, Function, ScopeStorage, StatementCall, parameter_names

# The sign of a change by an operator of what surely is a tensor.
OF_TENSORS = frozenset({"changes"})
Parameter = tuple[Function, str]


def shared_changes(units: Sequence[Unit], known: KnownScopes) -> Iterator[tuple[int, ast.AugAssign, bool]]:
    """Those in a file of these units: how many lines further down each stands than its tree says, the statement, and
    whether it changes the tensor through another shape of it."""
    return _File(units, known).shared()


class _Scope(msgspec.Struct):
    """A function of a unit, in the lines of its tree, with the class it is a method of and the number of parameters
    that a caller does not give."""

    function: Function
    owner: str
    skipped: int
    storage: ScopeStorage


class KnownScopes:
    """The functions of units, looked at once as long as the text of a unit is the same."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[list[ast.stmt], list[_Scope]]] = {}

    def of(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, list[_Scope]]]:
        """The functions of each unit; those of other units are forgotten."""
        before, self._found = self._found, {}
        for unit in units:
            found = before.get(id(unit.statements))
            if found is None or found[0] is not unit.statements:
                found = unit.statements, list(_scopes_in(unit.statements, unit.owner))
            self._found[id(unit.statements)] = found
            yield unit, found[1]


def _scopes_in(statements: Iterable[ast.AST], owner: str) -> Iterator[_Scope]:
    """The functions that statements define, those inside of them as well."""
    for one in statements:
        if isinstance(one, ast.ClassDef):
            yield from _scopes_in(one.body, one.name)
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            decorators = (getattr(found, "id", "") for found in one.decorator_list)
            storage = ScopeStorage([(0, inside) for inside in one.body], one)
            yield _Scope(one, owner, int(bool(owner) and "staticmethod" not in decorators), storage)
            yield from _scopes_in(storage.inner, "")


class _File:
    """The scopes of a file, and what its calls give to its functions."""

    def __init__(self, units: Sequence[Unit], known: KnownScopes) -> None:
        self._functions: defaultdict[str, list[_Scope]] = defaultdict(list)
        self._held: defaultdict[str, list[ast.expr]] = defaultdict(list)
        self._scopes: list[tuple[int, ScopeStorage]] = []
        statements: list[tuple[int, ast.stmt]] = []
        for unit, scopes in known.of([one for one in units if one.kind is not UnitKind.CLASS]):
            self._scopes += ((unit.shift, one.storage) for one in scopes)
            for one in scopes:
                self._functions[one.function.name].append(one)
            if not unit.owner:
                statements += (
                    (unit.shift, one) for one in unit.statements if not isinstance(one, DEFINITIONS)
                )
        mentioned = frozenset[str]().union(*(storage.mentioned() for _, storage in self._scopes))
        self._scopes.append((0, ScopeStorage(statements, mentioned=mentioned)))
        for _, storage in self._scopes:
            for name, value in storage.held_by_self:
                self._held[name].append(value)
        self._read: dict[Parameter, bool] = {}

    def shared(self) -> Iterator[tuple[int, ast.AugAssign, bool]]:
        for shift, scope in self._scopes:
            for change in scope.changes:
                owner = scope.shared(change, functools.partial(self._is_read_again, scope))
                if owner is not None:
                    yield shift + change.shift, change.statement, owner.is_view
                elif scope.is_unrecorded(change) and scope in self._of_networks:
                    yield shift + change.shift, change.statement, False

    @functools.cached_property
    def _of_networks(self) -> list[ScopeStorage]:
        """The functions that networks run: `forward`, and what it calls."""
        found: list[ScopeStorage] = []
        waiting = [one.storage for one in self._functions["forward"] if one.owner]
        while waiting:
            scope = waiting.pop()
            if scope not in found:
                found.append(scope)
                waiting += (
                    one.storage for call in scope.calls for one in self._called(call.node.func, scope)
                )
        return found

    @functools.cached_property
    def _callers(self) -> dict[Parameter, list[tuple[ScopeStorage, StatementCall, ast.expr]]]:
        found: defaultdict[Parameter, list[tuple[ScopeStorage, StatementCall, ast.expr]]] = defaultdict(list)
        for _, scope in self._scopes:
            for call in scope.calls:
                for known in self._called(call.node.func, scope):
                    for name, argument in _given(call.node, parameter_names(known.function)[known.skipped :]):
                        found[known.function, name].append((scope, call, argument))
        return found

    def _called(self, node: ast.expr, scope: ScopeStorage) -> Iterator[_Scope]:
        """The functions of the file that a call may be one of, told by their names; of objects, `forward` of what they
        may be."""
        match node:
            case ast.Name(id=name) if name in self._functions:
                yield from self._functions[name]
            case ast.Attribute(attr=name) if name in self._functions:
                yield from self._functions[name]
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield from self._networks(self._held[name])
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield from self._networks(self._held[name])
            case ast.Name(id=name) if scope.binds(name):
                yield from self._functions["forward"]

    def _networks(self, values: Iterable[ast.expr]) -> Iterator[_Scope]:
        """`forward` of the classes of the file that values name; of all where they name what is made elsewhere."""
        networks = self._functions["forward"]
        for value in values:
            names = {node.id for node in every_node(value) if isinstance(node, ast.Name)}
            named = [one for one in networks if one.owner in names]
            is_made_elsewhere = any(
                isinstance(node, ast.Starred | ast.Call) and _is_own(node) for node in every_node(value)
            )
            yield from networks if is_made_elsewhere and not named else named

    def _is_read_again(self, scope: ScopeStorage, name: str) -> bool:
        """Whether a caller of a function reads again what it gives for a parameter."""
        if scope.function is None:
            return False
        key = scope.function, name
        if key not in self._read:
            self._read[key] = False
            self._read[key] = any(
                caller.is_read_again(argument, call, functools.partial(self._is_read_again, caller))
                for caller, call, argument in self._callers.get(key, ())
            )
        return self._read[key]


def _given(call: ast.Call, names: Sequence[str]) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that a call gives values for, with them."""
    yield from zip(names, call.args, strict=False)
    yield from ((one.arg, one.value) for one in call.keywords if one.arg is not None and one.arg in names)


def _is_own(node: ast.Starred | ast.Call) -> bool:
    """Whether a part of a value is made by a method of the object, or is a list that was made before."""
    if isinstance(node, ast.Starred):
        return True
    return isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "self"
