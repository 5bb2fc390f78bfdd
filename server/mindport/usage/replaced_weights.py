"""Whether a project may give weights other memory between two training steps, as `p.data = value` and
`load_state_dict` do. No type of a value says which tensors these are, so any in the project counts; told by the names
of functions, whether that may happen between two steps: in a loop, in what a loop calls, in what nothing in the project
calls, so that somebody else may, or in a function that takes steps before and after."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

import msgspec

from mindport.source.trees import children, every_node
from mindport.usage.files import FileState
from mindport.usage.unit_answers import UnitAnswers

_SIGNS = (".data", "load_state_dict")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_DEFINED = re.compile(r"\bdef[ ]+(\w+)")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MODULE = ""  # stands for the function where there is none
_STEP, _REPLACEMENT = "step", "="  # among the calls of a function
_AT_START = frozenset((_MODULE, "__init__", "main", "reset_parameters", "_reset_parameters"))
# What holds no weights, by a part of its name: `scheduler.load_state_dict(...)`; and what is stepped without any.
_NO_NETWORKS = ("opt", "sched", "scaler")
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


class _Calls(msgspec.Struct, frozen=True):
    """What one file says: who calls whom, by names alone."""

    by_function: dict[
        str, tuple[str, ...]
    ]  # what each function calls, in order, and where it replaces weights
    in_loops: frozenset[str]  # names of what is called in loops
    mentioned: frozenset[str]  # names that are read anywhere
    replacing: frozenset[str]  # functions that replace weights
    replaces_in_loop: bool


class ReplacedWeights:
    """The answer for the files of one project, where `state` reads a file."""

    def __init__(self, texts: Mapping[str, str], state: Callable[[str], FileState]) -> None:
        self._texts = texts
        self._state = state
        self._signs: set[str] = set()
        self._files: dict[str, _Calls] = {}
        self._defined: dict[str, frozenset[str]] = {}  # file -> the names of its functions
        self._units = UnitAnswers(_read)
        self._answer: bool | None = None

    def note(self, path: str, text: str) -> None:
        """Take a new text of a file, an empty one where there is no such file any more."""
        self._answer = None
        self._files.pop(path, None)
        self._defined.pop(path, None)
        if path not in self._texts:
            self._units.forget(path)
        (self._signs.add if any(sign in text for sign in _SIGNS) else self._signs.discard)(path)

    def after_first_step(self) -> bool:
        """Whether weights may be replaced when the first step was taken."""
        if self._answer is None:
            self._answer = self._conclude()
        return self._answer

    def _conclude(self) -> bool:
        signs = [self._calls(path) for path in self._signs]
        if any(one.replaces_in_loop for one in signs):
            return True
        pending = {name for one in signs for name in one.replacing}
        seen = set(pending)
        while pending:
            name = pending.pop()
            near = [self._calls(path) for path, text in self._texts.items() if name in text]
            if not any(name in one.mentioned for one in near) or any(name in one.in_loops for one in near):
                return True
            callers = _callers(name, near)
            pending |= callers - seen - _AT_START
            seen |= callers
        return self._is_between_steps(seen - _AT_START)

    def _is_between_steps(self, names: set[str]) -> bool:
        """Whether a function takes a step, replaces weights, and takes a step again, by itself or by what it calls;
        `names` are the functions that replace weights."""
        near = {path for path, text in self._texts.items() if any(name in text for name in names)}
        replacing = names | {_REPLACEMENT}
        several = [
            calls
            for path in near | self._signs
            for calls in self._calls(path).by_function.values()
            if not replacing.isdisjoint(calls[1:-1])
        ]
        if not several:
            return False
        stepping = self._stepping({name for calls in several for name in calls})
        return any(_has_in_order(calls, stepping, replacing - stepping) for calls in several)

    def _stepping(self, names: set[str]) -> set[str]:
        """Those of some names that are called to take a step, by functions of the project that they may mean."""
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
        stepping = {_STEP}
        while more := {name for name, callees in called.items() if callees & stepping} - stepping:
            stepping |= more
        return stepping

    def _calls(self, path: str) -> _Calls:
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = _together(self._units.of(path, self._state(path).module.units))
        return known


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
        none.union(*(part.replacing for part in parts)),
        any(part.replaces_in_loop for part in parts),
    )


def _callers(name: str, files: Iterable[_Calls]) -> set[str]:
    return {caller for one in files for caller, names in one.by_function.items() if name in names}


def _has_in_order(calls: Iterable[str], stepping: Container[str], replacing: Container[str]) -> bool:
    """Whether there is a step before a replacement, and one behind it."""
    stepped = replaced = False
    for name in calls:
        if name in stepping:
            if replaced:
                return True
            stepped = True
        elif stepped and name in replacing:
            replaced = True
    return False


def _read(trees: Iterable[ast.AST]) -> _Calls:
    ordered: dict[str, list[tuple[int, int, str]]] = {}
    in_loops: set[str] = set()
    mentioned: set[str] = set()
    replacing: set[str] = set()
    replaces_in_loop = False
    for node, function, is_in_loop in _nodes(trees):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            mentioned.add(_name(node))
        if isinstance(node, ast.Call):
            end = (
                node.end_lineno or 0,
                node.end_col_offset or 0,
            )  # of the arguments' calls, which are made before
            ordered.setdefault(function, []).append((*end, _called(node)))
            if is_in_loop:
                in_loops.add(_name(node.func))
        if _is_replacement(node):
            end = getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
            ordered.setdefault(function, []).append((*end, _REPLACEMENT))
            if is_in_loop:
                replaces_in_loop = True
            elif function not in _AT_START:
                replacing.add(function)
    return _Calls(
        {function: tuple(name for *_, name in sorted(calls)) for function, calls in ordered.items()},
        frozenset(in_loops),
        frozenset(mentioned),
        frozenset(replacing),
        replaces_in_loop,
    )


def _nodes(trees: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str, bool]]:
    """Every node, the function that it stands in, and whether in a loop of that."""
    pending = [(tree, _MODULE, False) for tree in trees]
    while pending:
        tree, function, is_in_loop = pending.pop()
        yield tree, function, is_in_loop
        if isinstance(tree, _FUNCTIONS):
            function, is_in_loop = tree.name, False
        elif isinstance(tree, _LOOPS):
            is_in_loop = is_in_loop or not (isinstance(tree, ast.For) and _goes_through_weights(tree.iter))
        pending += [(child, function, is_in_loop) for child in children(tree)]


def _goes_through_weights(iterated: ast.expr) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _OF_WEIGHTS for node in every_node(iterated))


def _is_replacement(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="load_state_dict") as func):
            owner = ast.unparse(func.value).lower()
            return not any(word in owner for word in _NO_NETWORKS)
        case ast.Assign(targets=targets):
            return any(isinstance(one, ast.Attribute) and one.attr == "data" for one in targets)
        case ast.AugAssign(target=ast.Attribute(attr="data")):
            return True
    return False


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
