"""The machine: runs statements, evaluates expressions, and answers what everything else asks of the running program."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Statements
from typing import Any, NoReturn

from mindport.semantics.flow import assignment, attributes, calls, imports, items, iteration
from mindport.semantics.flow.budget import Budget
from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.expressions import EXPRESSIONS, MAY_FAIL
from mindport.semantics.flow.frame import Frame, Path, Unreachable
from mindport.semantics.flow.generators import Generators
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.names import Names
from mindport.semantics.flow.objects import Instance, Iteration, Namespace, Sequence, Table, Thing
from mindport.semantics.flow.operators import BINARY_BY_SIGN, Operator, operate
from mindport.semantics.flow.plain import PlainValues
from mindport.semantics.flow.statements import STATEMENTS
from mindport.semantics.flow.types import Types
from mindport.semantics.flow.values import (
    UNKNOWN,
    Arguments,
    Dotted,
    Member,
    Ref,
    Unknown,
    View,
    is_plain,
    is_unknown,
    may_be_object,
)

_OBJECTS_A_STEP = 4  # looked at in the time that one expression takes


class Unwatched(list[Path]):
    """Where exceptions go that nobody catches. What may be raised there needs no path of its own."""

    may = False


class Machine(Names, Types, PlainValues, Generators):
    """Runs the code of a project. Everything may raise `BudgetSpent`; a run that did is worth nothing."""

    ADD: Operator = BINARY_BY_SIGN["+"]
    MULTIPLY: Operator = BINARY_BY_SIGN["*"]

    def __init__(self, sources: imports.ProjectFiles, domain: Domain, steps: int = 300_000) -> None:
        self.sources = sources
        self.domain = domain
        self.budget = Budget(steps)
        self.heap: Heap = Heap(domain.either)
        self.catchers: list[list[Path]] = [Unwatched()]
        self.loaded = self.heap.new(Namespace(""))  # the modules that have run, by path
        self.kept: dict[str, imports.Kept] = {}
        self.stars: dict[str, list[str]] = {}  # by path: the modules outside whose names a file takes all of
        self.comprehensions: dict[Ref, Frame] = {}
        self.unbound = 0  # how often a variable was asked for that has no value yet
        self.rebound: frozenset[tuple[str, str]] = frozenset()
        nowhere = self.heap.new(Namespace(""))
        self.frame: Frame = Frame("", nowhere, nowhere)

    def run(self, frame: Frame, body: Statements[ast.stmt]) -> None:
        """Run statements. Raises Unreachable where no path comes to their end."""
        for statement in body:
            self.budget.step()
            STATEMENTS[type(statement)](self, frame, statement)

    def evaluate(self, frame: Frame, node: ast.expr) -> Any:
        """The value of an expression."""
        self.budget.step()
        value = EXPRESSIONS[type(node)](self, frame, node)
        if isinstance(value, Unknown):
            value = self.domain.settled(self, frame, node, value)
            if isinstance(value, Unknown) and isinstance(node, MAY_FAIL):
                self.may_raise()
        elif isinstance(value, Member) and self.is_watched and self.is_object(value.receiver):
            self.may_raise()  # there may be no such member
        return value

    def call(self, callee: Any, passed: Arguments, **about: Any) -> Any:
        """What a call gives."""
        return calls.call(self, callee, passed, **about)

    def operate(self, sign: Operator, left: Any, right: Any) -> Any:
        """An operator on two values."""
        return operate(self, sign, left, right)

    def attribute(self, owner: Any, name: str) -> Any:
        """`owner.name`."""
        return attributes.attribute(self, owner, name)

    def item(self, owner: Any, key: Any) -> Any:
        """`owner[key]`."""
        return items.item(self, owner, key)

    def new(self, thing: Thing) -> Ref:
        """A new object. Whatever it is made of has been evaluated by now, and may have changed the path."""
        return self.heap.new(thing)

    def instance(self, kind: Dotted, given: dict[str, Any]) -> Ref:
        """An object of a class outside."""
        return self.new(Instance(kind, given))

    def assign(self, frame: Frame, target: ast.expr, value: Any, source: ast.expr) -> None:
        """Give a target a value."""
        assignment.assign(self, frame, target, value, source)

    def truth(self, value: Any) -> bool | None:
        """Whether a value holds in a test."""
        if is_plain(value) or isinstance(value, tuple | frozenset):
            return bool(value)
        if isinstance(value, View):
            if value.kind == "names":
                return True
            value = value.table
        if is_unknown(value):
            return self.domain.truth(self, value)
        if isinstance(value, Dotted | Member):
            return None  # what nobody has looked up may be data
        if not isinstance(value, Ref):
            return True
        thing = self.heap.read(value)
        if isinstance(thing, Sequence | Table):
            return None if thing.items is None else bool(thing.items)
        if not isinstance(thing, Instance):
            return True
        for name in ("__bool__", "__len__"):
            method = self.class_member(value, name)
            if method is not None:
                return self.truth(self.call(method, Arguments()))
        record = self.record_items(value)
        if record is not None:
            return bool(record)
        order = self.order_of(thing)
        if order is None or any(isinstance(one, Dotted) for one in order):
            return True if self.is_exception(value) else self.domain.truth(self, value)
        return True

    # Exceptions

    def raise_(self, what: Any) -> NoReturn:
        """Raise an exception."""
        self.catchers[-1].append((self.heap, what))
        raise Unreachable

    def raise_builtin(self, name: str, given: tuple[Any, ...] = ()) -> NoReturn:
        """Raise one of Python's own."""
        self.raise_(self.instance(Dotted(f"builtins.{name}"), {"args": given or UNKNOWN}))

    def unwatched(self) -> list[Path]:
        """For `catchers`: nobody handles what is raised from here on."""
        return Unwatched()

    @property
    def is_watched(self) -> bool:
        """Whether somebody handles what is raised here."""
        return not isinstance(self.catchers[-1], Unwatched)

    def may_raise(self) -> None:
        """Something that is not known may fail here."""
        catcher = self.catchers[-1]
        if isinstance(catcher, Unwatched):
            catcher.may = True
        else:
            self.budget.step(len(self.heap) // 100)
            catcher.append((self.heap.fork(), UNKNOWN))

    # What unknown code does

    def lose(self, values: Any) -> None:
        """Unknown code of the project got these values."""
        self.budget.step(self.heap.lose(tuple(values), self.rebound) // _OBJECTS_A_STEP)

    def lose_if_unknown(self, owner: Any) -> None:
        """Something was done to a value that may be any object that escaped."""
        if may_be_object(owner):
            self.lose(())

    def lose_iterated(self, value: Any) -> None:
        """Nobody knows what going through a value does."""
        if not iteration.is_idle(self, value):
            self.lose((value,))
        elif isinstance(value, Ref) and isinstance(self.heap.read(value), Iteration):
            self.heap.write(value).lose()

    def given_outside(self, values: Any) -> Any:
        """What code outside the project makes of values. It changes lists and dictionaries, and may call functions."""
        given = tuple(values)
        kept = [one for one in given if not self.is_object(one)]
        self.budget.step(self.heap.lose(kept, self.rebound, is_outside=True) // _OBJECTS_A_STEP)
        self.may_raise()
        answer = self.unknown_of(given)
        if may_be_object(answer):
            self.heap.escape(given)
        return answer

    # Modules

    def load(self, importer: str, dotted: str) -> Any:
        """The module of a dotted name."""
        return imports.load(self, importer, dotted, 0)

    def submodule(self, owner: Ref, thing: Namespace, name: str) -> Ref | None:
        """A module that a package has, once it was imported anywhere."""
        path = f"{thing.path.rpartition('/')[0]}/{name}.py".lstrip("/")
        if thing.path.endswith("__init__.py") and path in self.heap.read(self.loaded).names:
            return imports.submodule(self, thing, name)
        return imports.submodule(self, thing, name) if thing.path.endswith("/") else None

    # Loops

    def items_of(self, value: Any) -> list[Any] | None:
        """All items of a value in their order, where they are known."""
        return iteration.all_items(self, value)
