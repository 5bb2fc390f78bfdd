"""Whether a project may do something to weights between two training steps. No type of a value says which tensors these
are, so any in the project counts; told by the names of functions, whether that may happen between two steps: in a loop,
in what a loop calls, or in a function that takes steps before and after."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping

import msgspec

from mindport.source.trees import children, every_node
from mindport.usage.files import FileState
from mindport.usage.unit_answers import UnitAnswers

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DEFINED = re.compile(r"\bdef[ ]+(\w+)")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MODULE = ""  # stands for the function where there is none
_STEP, _CHANGE = "step", "="  # among the calls of a function
_AT_START = frozenset((_MODULE, "__init__", "main", "reset_parameters", "_reset_parameters"))
# What is stepped without weights, by a part of its name.
_NO_OPTIMIZERS = ("env", "sched")
# A loop over one of these goes through weights once, and is no training.
_OF_WEIGHTS = frozenset(
    (
        *("parameters", "named_parameters", "modules", "named_modules", "children", "named_children"),
        *("items", "keys", "values", "state_dict"),
    )
)


def has_steps(text: str) -> bool:
    """Whether a text may call an optimizer."""
    return ".step(" in text


class Change(msgspec.Struct, frozen=True):
    """What may be done to weights: files with one of the `signs` may have it, `is_made_by` knows its nodes. The change
    counts behind a step, and behind calls whose names `counts_from` holds for. `by_anybody`: whether a function that
    nothing in the project calls may be called between two steps by somebody else. `in_any_loop`: whether every loop may
    be one that trains, as those that are known to take a step are."""

    signs: tuple[str, ...]
    is_made_by: Callable[[ast.AST], bool]
    counts_from: Callable[[str], bool] = lambda name: False
    by_anybody: bool = False
    in_any_loop: bool = False


class _Calls(msgspec.Struct, frozen=True):
    """What one file says: who calls whom, by names alone."""

    by_function: dict[
        str, tuple[str, ...]
    ]  # what each function calls, in order, and where it changes weights
    in_loops: frozenset[str]  # names of what is called in loops
    mentioned: frozenset[str]  # names that are read anywhere
    changing: frozenset[str]  # functions that change weights
    around: frozenset[frozenset[str]]  # what loops call in which weights are changed


class ChangesBetweenSteps:
    """The answer for the files of one project, where `state` reads a file."""

    def __init__(self, texts: Mapping[str, str], state: Callable[[str], FileState], change: Change) -> None:
        self._texts = texts
        self._state = state
        self._change = change
        self._signs: set[str] = set()
        self._files: dict[str, _Calls] = {}
        self._defined: dict[str, frozenset[str]] = {}  # file -> the names of its functions
        self._units = UnitAnswers(functools.partial(_read, change=change))
        self._answer: bool | None = None

    def note(self, path: str, text: str) -> None:
        """Take a new text of a file, an empty one where there is no such file any more."""
        self._answer = None
        self._files.pop(path, None)
        self._defined.pop(path, None)
        if path not in self._texts:
            self._units.forget(path)
        has_sign = any(sign in text for sign in self._change.signs)
        (self._signs.add if has_sign else self._signs.discard)(path)

    def may_be(self) -> bool:
        """Whether weights may be changed when the first step was taken."""
        if self._answer is None:
            self._answer = self._conclude()
        return self._answer

    def _conclude(self) -> bool:
        signs = [self._calls(path) for path in self._signs]
        if self._is_any_training({called for one in signs for called in one.around}):
            return True
        pending = {name for one in signs for name in one.changing}
        seen = set(pending)
        while pending:
            name = pending.pop()
            near = [self._calls(path) for path, text in self._texts.items() if name in text]
            if self._change.by_anybody and not any(name in one.mentioned for one in near):
                return True
            if any(name in one.in_loops for one in near):
                return True
            callers = _callers(name, near)
            pending |= callers - seen - _AT_START
            seen |= callers
        return self._is_between_steps(seen - _AT_START)

    def _is_any_training(self, loops: Collection[frozenset[str]]) -> bool:
        """Whether one of some loops, each told by what it calls, takes steps."""
        if self._change.in_any_loop or not loops:
            return bool(loops)
        called = frozenset[str]().union(*loops)
        return not called.isdisjoint(self._leading_to(called, _is_step))

    def _is_between_steps(self, names: set[str]) -> bool:
        """Whether a function takes a step, changes weights, and takes a step again, by itself or by what it calls;
        `names` are the functions that change weights."""
        near = {path for path, text in self._texts.items() if any(name in text for name in names)}
        changing = names | {_CHANGE}
        several = [
            calls
            for path in near | self._signs
            for calls in self._calls(path).by_function.values()
            if not changing.isdisjoint(calls[1:-1])
        ]
        if not several:
            return False
        called = {name for calls in several for name in calls}
        stepping = self._leading_to(called, _is_step)
        before = stepping | self._leading_to(called, self._change.counts_from)
        return any(_has_in_order(calls, before, changing - before, stepping) for calls in several)

    def _leading_to(self, names: Collection[str], is_wanted: Callable[[str], bool]) -> set[str]:
        """Those of some names that are wanted, or called where functions of the project that they may mean lead to what
        is."""
        for path in self._texts.keys() - self._defined.keys():
            self._defined[path] = frozenset(_DEFINED.findall(self._texts[path]))
        files: dict[str, list[str]] = {}
        for path, defined in self._defined.items():
            for name in defined:
                files.setdefault(name, []).append(path)
        called: dict[str, set[str]] = {}
        pending = {*names}
        while pending:
            name = pending.pop()
            paths = () if name in _AT_START else files.get(name, ())
            called[name] = {one for path in paths for one in self._calls(path).by_function.get(name, ())}
            pending |= called[name] - called.keys()
        leading = {name for name in called if is_wanted(name)}
        while more := {name for name, callees in called.items() if callees & leading} - leading:
            leading |= more
        return leading

    def _calls(self, path: str) -> _Calls:
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = _together(self._units.of(path, self._state(path).module.units))
        return known


def _is_step(name: str) -> bool:
    return name == _STEP


def _together(parts: Iterable[_Calls]) -> _Calls:
    """What several parts of a file say."""
    parts = list(parts)
    by_function: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for function, names in part.by_function.items():
            by_function[function] = by_function.get(function, ()) + names
    none = frozenset[str]()
    return _Calls(
        by_function,
        none.union(*(part.in_loops for part in parts)),
        none.union(*(part.mentioned for part in parts)),
        none.union(*(part.changing for part in parts)),
        frozenset[frozenset[str]]().union(*(part.around for part in parts)),
    )


def _callers(name: str, files: Iterable[_Calls]) -> set[str]:
    return {caller for one in files for caller, names in one.by_function.items() if name in names}


def _has_in_order(
    calls: Iterable[str], before: Container[str], changing: Container[str], behind: Container[str]
) -> bool:
    """Whether there is something that counts before a change, and a step behind it."""
    has_begun = is_changed = False
    for name in calls:
        if is_changed and name in behind:
            return True
        if name in before:
            has_begun = True
        elif has_begun and name in changing:
            is_changed = True
    return False


def _read(trees: Iterable[ast.AST], change: Change) -> _Calls:
    ordered: dict[str, list[tuple[int, int, str]]] = {}
    in_loops: set[str] = set()
    mentioned: set[str] = set()
    changing: set[str] = set()
    around: set[frozenset[str]] = set()
    for node, function, loop in _nodes(trees):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            mentioned.add(_name(node))
        if isinstance(node, ast.Call):
            end = (
                node.end_lineno or 0,
                node.end_col_offset or 0,
            )  # of the arguments' calls, which are made before
            ordered.setdefault(function, []).append((*end, _called(node)))
            if loop is not None:
                in_loops.add(_name(node.func))
        if change.is_made_by(node):
            end = getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
            ordered.setdefault(function, []).append((*end, _CHANGE))
            if loop is not None:
                around.add(frozenset(_called(one) for one in every_node(loop) if isinstance(one, ast.Call)))
            if function not in _AT_START:
                changing.add(function)
    return _Calls(
        {function: tuple(name for *_, name in sorted(calls)) for function, calls in ordered.items()},
        frozenset(in_loops),
        frozenset(mentioned),
        frozenset(changing),
        frozenset(around),
    )


def _nodes(trees: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str, ast.AST | None]]:
    """Every node, the function that it stands in, and the outermost loop of that around it."""
    pending: list[tuple[ast.AST, str, ast.AST | None]] = [(tree, _MODULE, None) for tree in trees]
    while pending:
        tree, function, loop = pending.pop()
        yield tree, function, loop
        if isinstance(tree, _FUNCTIONS):
            function, loop = tree.name, None
        elif isinstance(tree, _LOOPS) and loop is None:
            loop = None if isinstance(tree, ast.For) and _goes_through_weights(tree.iter) else tree
        pending += [(child, function, loop) for child in children(tree)]


def _goes_through_weights(iterated: ast.expr) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _OF_WEIGHTS for node in every_node(iterated))


def _called(call: ast.Call) -> str:
    """The name of what is called; none for what is stepped and is no optimizer."""
    name = _name(call.func)
    if name == _STEP and isinstance(call.func, ast.Attribute):
        owner = ast.unparse(call.func.value).lower()
        return "" if any(word in owner for word in _NO_OPTIMIZERS) else name
    return name


def _name(node: ast.expr) -> str:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
