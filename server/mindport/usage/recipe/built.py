"""The networks that a project's calls and classes make, built by the forward machine with what the settings say."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mindport.semantics.domains.construction.counts import count, is_module, parts
from mindport.semantics.domains.construction.domain import Construction
from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.frame import Frame, Unreachable
from mindport.semantics.flow.functions import open_parameters
from mindport.semantics.flow.imports import module
from mindport.semantics.flow.machine import Machine
from mindport.semantics.flow.objects import Class, Function, Instance, Namespace
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Arguments, Dotted, Ref, is_unknown
from mindport.source.written_names import last_name
from mindport.usage.modules import ModuleFinder
from mindport.usage.recipe.answer import KnownValue
from mindport.usage.recipe.code import Code, SourceFile
from mindport.usage.recipe.parameters import parameters_of
from mindport.usage.recipe.values import Values

_MOST_STEPS = 150_000  # for one network
_MOST_STEPS_IN_ALL = 600_000


class BuiltPart(msgspec.Struct, frozen=True):
    """A module in a network: the attribute, its class, and how many numbers its parameters hold."""

    attribute: str
    name: str
    parameters: int | None


class Network(msgspec.Struct, frozen=True):
    """A network that was made. `path` is the file of its class; empty for torch's own."""

    name: str
    path: str
    parameters: int | None
    parts: tuple[BuiltPart, ...]


class ProjectSources:
    """The files of a project, trees by their paths below its root, as the machine asks for them."""

    def __init__(self, trees: Mapping[str, ast.Module], finder: ModuleFinder | None = None) -> None:
        self.trees = trees
        self._finder = ModuleFinder("", dict.fromkeys(trees, "")) if finder is None else finder
        self.find = self._finder.find
        self.is_folder = self._finder.is_folder


class _WithSettings(Construction):
    """Construction, where the settings of the project answer for what nothing here gives a value."""

    def __init__(self, code: Code, values: Values) -> None:
        self._code = code
        self._values = values
        self.made_alone: ast.AST | None = (
            None  # the constructor of a network whose required arguments nobody passes
        )

    def settled(self, m: Machine, frame: Frame, node: ast.expr, value: Any) -> Any:
        """What the settings say, where they may answer: for names that nothing gives a value, and for settings that
        mean one thing only. What another call passes, or another run would have, is no answer."""
        file = self._code.file(frame.path)
        if file is None or node not in file.parents or not self._may_answer(m, frame, file, node):
            return value
        known = self._values.value(file, node)
        if isinstance(known, KnownValue) and isinstance(known.value, bool | int | float | str | tuple):
            return known.value
        return value

    def _may_answer(self, m: Machine, frame: Frame, file: SourceFile, node: ast.expr) -> bool:
        if isinstance(file.parents.get(node), ast.Attribute):
            return False  # a setting is a number or a text, and this has attributes
        if isinstance(node, ast.Name):
            names = m.heap.read(frame.names)
            is_alone = frame.function is not None and frame.function is self.made_alone
            # Of a function that nobody was seen calling the parameters are not known here.
            is_unseen = names.is_open or (is_unknown(names.names.get(node.id)) and is_alone)
            is_handed_in = (
                is_unseen and frame.function is not None and node.id in parameters_of(frame.function)
            )
            return node.id not in names.names or frame.names == frame.module or is_handed_in
        if isinstance(node, ast.Attribute):
            owner = m.heap.read(frame.names).names.get(last_name(node.value))
            if is_module(m, owner) and last_name(node.value) != "self":
                return False
            return last_name(node.value) == "self" or self._is_told(file, node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            key = node.slice.value
            return isinstance(key, str) and self._is_told(file, key)
        return False

    def _is_told(self, file: SourceFile, name: str) -> bool:
        """Whether a setting means one thing only, or there is no call that tells which of several is meant."""
        return self.made_alone is not None or self._values.is_settled(file, name)


class Builder:
    """Makes networks of one project. Never raises for what the code holds."""

    def __init__(self, code: Code, values: Values) -> None:
        self._sources = ProjectSources({file.path: file.tree for file in code.all_files}, code.finder)
        self._domain = _WithSettings(code, values)
        self._left = _MOST_STEPS_IN_ALL

    def made_by(self, file: SourceFile, call: ast.Call) -> Network | None:
        """The network that a call makes, with the arguments as far as they are known; None for what is no network."""
        return self._network(lambda m: m.evaluate(_frame_before(m, file, call), call))

    def made_with_defaults(self, name: str, path: str) -> Network | None:
        """The network of a class that a file of the project defines, made with the defaults of its parameters; those
        without one are not known."""

        def make(m: Machine) -> Any:
            where = module(m, path)
            found = m.heap.read(where).names.get(name, UNKNOWN)
            constructor = _constructor(m, found)
            self._domain.made_alone = None if constructor is None else constructor.node
            return m.call(found, Arguments((), dict.fromkeys(_required(constructor), UNKNOWN)))

        try:
            return self._network(make)
        finally:
            self._domain.made_alone = None

    def _network(self, make: Callable[[Machine], Any]) -> Network | None:
        steps = min(_MOST_STEPS, self._left)
        m = Machine(self._sources, self._domain, steps)
        try:
            made = make(m)
            return _seen(m, made) if is_module(m, made) else None
        except (BudgetSpent, Unreachable, RecursionError):
            return None
        except Exception:  # noqa: BLE001  an odd construct in user code must cost no more than a count
            return None
        finally:
            self._left -= steps - max(m.budget.left, 0)


def _constructor(m: Machine, found: Any) -> Function | None:
    is_class = isinstance(found, Ref) and isinstance(m.heap.read(found), Class)
    init: Any = m.member_of_class(found, "__init__") if is_class else None
    return m.heap.read(init) if m.is_function(init) else None


def _required(constructor: Function | None) -> list[str]:
    """The parameters of a class's constructor that have no default."""
    if constructor is None:
        return []
    arguments = constructor.node.args
    names = [one.arg for one in arguments.args][1:]
    without = names[: max(len(names) - len(constructor.defaults), 0)]
    return [
        *without,
        *(one.arg for one in arguments.kwonlyargs if one.arg not in constructor.keyword_defaults),
    ]


def _seen(m: Machine, made: Ref) -> Network:
    inner = [
        BuiltPart(name, _class_name(m, part)[0], count(m, part))
        for name, part in parts(m, made)
        if is_module(m, part)
    ]
    return Network(*_class_name(m, made), count(m, made), tuple(inner))


def _class_name(m: Machine, made: Ref) -> tuple[str, str]:
    thing: Instance = m.heap.read(made)
    if isinstance(thing.class_of, Dotted):
        return thing.class_of.name.rpartition(".")[2], ""
    found = m.heap.read(thing.class_of)
    return found.name, found.path


def _frame_before(m: Machine, file: SourceFile, call: ast.Call) -> Frame:
    """What a call sees: the names that the statements before it in its function, or file, leave."""
    function = file.function_of(call)
    if function is None:
        frame = _module_frame(m, file)
        _run_up_to(m, frame, file, call, file.tree.body)
        return frame
    where = module(m, file.path)
    names = Namespace(file.path, where, is_open=True, bound=scope_of(function).bound)
    names.names = open_parameters(m, function)
    frame = Frame(file.path, m.new(names), where)
    scope = scope_of(function)
    frame.globals, frame.rebound, frame.function = scope.globals, scope.nonlocals, function
    m.frame = frame
    _run_up_to(m, frame, file, call, function.body)
    return frame


def _module_frame(m: Machine, file: SourceFile) -> Frame:
    names = Namespace(file.path, is_open=True)
    names.names = {"__name__": "__main__", "__file__": UNKNOWN}
    where = m.new(names)
    m.heap.write(m.loaded).names[file.path] = where
    m.rebound |= m.rebound_in(file.path)
    m.frame = Frame(file.path, where, where)
    return m.frame


def _run_up_to(m: Machine, frame: Frame, file: SourceFile, call: ast.Call, body: list[ast.stmt]) -> None:
    around = {call, *file.outwards(call)}
    while body:
        last = next((index for index, one in enumerate(body) if one in around), len(body))
        for statement in body[:last]:
            # That the call is reached at all is certain: what seems to end before it does not, in the case at hand.
            before = m.heap.fork()
            try:
                m.run(frame, [statement])
            except Unreachable:
                m.heap = before
        holder = body[last] if last < len(body) else None
        blocks = [getattr(holder, name, []) for name in ("body", "orelse", "finalbody")]
        body = next((block for block in blocks if any(one in around for one in block)), [])
