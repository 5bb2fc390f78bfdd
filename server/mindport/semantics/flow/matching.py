"""`match`: patterns against values, with three answers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, comparisons
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.objects import Class, Sequence, Table
from mindport.semantics.flow.paths import either
from mindport.semantics.flow.values import UNKNOWN, Dotted, Ref, is_unknown
from mindport.source.trees import every_node

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

# Classes whose pattern takes the whole value: `case int(x)`.
_WHOLE = frozenset(
    f"builtins.{name}"
    for name in (
        "bool",
        "bytearray",
        "bytes",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "str",
        "tuple",
    )
)
Captured = dict[str, Any]


def run_match(m: Machine, frame: Frame, node: ast.Match) -> None:
    """`match`: the first case that holds; where that is not known, either way."""
    subject = m.evaluate(frame, node.subject)
    _cases(m, frame, subject, node.cases)


def _cases(m: Machine, frame: Frame, subject: Any, cases: list[ast.match_case]) -> None:
    if not cases:
        return
    first, rest = cases[0], cases[1:]
    captured: Captured = {}
    holds = matches(m, frame, first.pattern, subject, captured)
    if holds is False:
        # A pattern that fails may have captured something already.
        _cases(m, frame, subject, rest)
        return

    def taken() -> None:
        for name, value in captured.items():
            m.bind(frame, name, value)
        guard = True if first.guard is None else m.truth(m.evaluate(frame, first.guard))
        if guard:
            m.run(frame, first.body)
        elif guard is False:
            _cases(m, frame, subject, rest)
        else:
            either(m, (lambda: m.run(frame, first.body), lambda: _cases(m, frame, subject, rest)))

    if holds:
        taken()
        return
    for name in captured:
        captured[name] = UNKNOWN
    either(m, (taken, lambda: _cases(m, frame, subject, rest)))


def matches(m: Machine, frame: Frame, pattern: ast.pattern, value: Any, captured: Captured) -> bool | None:
    """Whether a pattern holds for a value, and what it captures."""
    if isinstance(pattern, ast.MatchAs):
        inner = None if pattern.pattern is None else pattern.pattern
        holds = True if inner is None else matches(m, frame, inner, value, captured)
        if pattern.name and holds is not False:
            captured[pattern.name] = value
        return holds
    if isinstance(pattern, ast.MatchOr):
        return _any(m, frame, pattern.patterns, value, captured)
    if isinstance(pattern, ast.MatchValue):
        return comparisons.equal(m, value, m.evaluate(frame, pattern.value))
    if isinstance(pattern, ast.MatchSingleton):
        return None if is_unknown(value) else value is pattern.value
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(m, frame, pattern.patterns, value, captured)
    if isinstance(pattern, ast.MatchMapping):
        return _mapping(m, frame, pattern, value, captured)
    if isinstance(pattern, ast.MatchClass):
        return _class(m, frame, pattern, value, captured)
    return None


def _any(
    m: Machine, frame: Frame, patterns: list[ast.pattern], value: Any, captured: Captured
) -> bool | None:
    doubt = False
    for one in patterns:
        found: Captured = {}
        holds = matches(m, frame, one, value, found)
        if holds is False:
            continue
        captured.update(dict.fromkeys(found, UNKNOWN) if doubt or holds is None else found)
        if holds:
            return None if doubt else True
        doubt = True
    return None if doubt else False


def _all(answers: list[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _sequence(
    m: Machine, frame: Frame, patterns: list[ast.pattern], value: Any, captured: Captured
) -> bool | None:
    if isinstance(value, str | bytes) or (
        not isinstance(value, tuple | range | Ref) and not is_unknown(value)
    ):
        return False
    if isinstance(value, Ref) and not isinstance(m.heap.read(value), Sequence):
        items = m.record_items(value)
        if items is None:
            if isinstance(m.heap.read(value), Table):
                return False
            _capture_all(patterns, captured)
            return None
    items = m.items_of(value)
    if items is None:
        _capture_all(patterns, captured)
        return None
    star = next((index for index, one in enumerate(patterns) if isinstance(one, ast.MatchStar)), None)
    if star is None:
        if len(items) != len(patterns):
            return False
        return _all([matches(m, frame, *pair, captured) for pair in zip(patterns, items, strict=True)])
    behind = len(patterns) - star - 1
    if len(items) < len(patterns) - 1:
        return False
    answers = [matches(m, frame, *pair, captured) for pair in zip(patterns[:star], items[:star], strict=True)]
    tail = items[len(items) - behind :]
    answers += [matches(m, frame, *pair, captured) for pair in zip(patterns[star + 1 :], tail, strict=True)]
    caught = patterns[star]
    if isinstance(caught, ast.MatchStar) and caught.name:
        captured[caught.name] = m.new(Sequence(items[star : len(items) - behind]))
    return _all(answers)


def _capture_all(patterns: list[ast.pattern], captured: Captured) -> None:
    """Nobody knows whether it holds: what it may capture is not known."""
    for pattern in patterns:
        for node in every_node(pattern):
            name = getattr(node, "name", None) or getattr(node, "rest", None)
            if isinstance(name, str):
                captured[name] = UNKNOWN


def _mapping(
    m: Machine, frame: Frame, pattern: ast.MatchMapping, value: Any, captured: Captured
) -> bool | None:
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if not isinstance(thing, Table) or thing.items is None:
        _capture_all([*pattern.patterns, *([pattern] if pattern.rest else [])], captured)
        return None if is_unknown(value) or isinstance(value, Ref) else False
    if thing.kind == "set":
        return False
    keys = [m.key(m.evaluate(frame, key)) for key in pattern.keys]
    answers: list[bool | None] = []
    for key, inner in zip(keys, pattern.patterns, strict=True):
        answers.append(key in thing.items and matches(m, frame, inner, thing.items[key], captured))
    if pattern.rest:
        rest = {key: one for key, one in thing.items.items() if key not in keys}
        captured[pattern.rest] = m.new(Table(rest))
    return _all(answers)


def _class(m: Machine, frame: Frame, pattern: ast.MatchClass, value: Any, captured: Captured) -> bool | None:
    kind = m.evaluate(frame, pattern.cls)
    holds = m.is_instance(value, kind)
    if holds is False:
        return False
    inner = [*pattern.patterns, *pattern.kwd_patterns]
    if holds is None:
        _capture_all(inner, captured)
        return None
    if isinstance(kind, Dotted) and kind.name in _WHOLE and len(pattern.patterns) == 1:
        return matches(m, frame, pattern.patterns[0], value, captured)
    names: list[Any] = list(_positional(m, kind)) if pattern.patterns else []
    if len(names) < len(pattern.patterns):
        _capture_all(inner, captured)
        return None
    names = [*names[: len(pattern.patterns)], *pattern.kwd_attrs]
    answers = []
    for name, one in zip(names, inner, strict=True):
        if not isinstance(name, str):
            _capture_all(inner, captured)
            return None
        found = m.caught(lambda name=name: attributes.attribute(m, value, name), "AttributeError")  # type: ignore[misc]
        answers.append(False if found is m.ENDED else matches(m, frame, one, found, captured))
    return _all(answers)


def _positional(m: Machine, kind: Any) -> tuple[Any, ...]:
    """The attributes that a class gives to patterns by position."""
    thing = m.heap.read(kind) if isinstance(kind, Ref) else None
    if not isinstance(thing, Class):
        return ()
    given = attributes.in_classes(m, thing.order, "__match_args__")
    if isinstance(given, tuple):
        return given
    return m.field_names(kind) or ()
