"""Which classes of MindSpore, and which helpers, the layers of one class of torch become: a test of their type has to
hold for all of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable

from mindport.mapping.helper_source import helper_source
from mindport.mapping.schema import Case

_BUILT = re.compile(r"((?:mindspore\.)?[\w.]*\b[A-Z]\w*)\(")
_BUILT_AROUND = re.compile(r"[A-Z]\w*\((mindspore\.[\w.]*\b[A-Z]\w*)\(")


def standing_classes(cases: Iterable[Case]) -> tuple[str, ...]:
    """The classes that the cases of a layer or class build, MindSpore's own first. Empty where one of torch's names is
    made into something that others are, too, as a layer for zeros is by one for any constant."""
    cases = tuple(cases)
    called = [case.call for case in cases if case.call and is_class_name(case.call)]
    helpers = [case.helper for case in cases if case.helper and helper_base(case.helper) is not None]
    built = [name for case in cases for name in _written(case, called)]
    helpers += [name for name in built if helper_base(name) is not None]
    if any(name not in called and name not in helpers for name in built):
        return ()
    return tuple(dict.fromkeys((*called, *helpers)))


def builds(case: Case, classes: Collection[str]) -> bool:
    """Whether a case makes an instance of one of these classes."""
    return any(name in classes for name in (case.call, case.helper, *_written(case, classes)))


def _written(case: Case, called: Collection[str]) -> tuple[str, ...]:
    """The class that the rewrite of a case builds. A layer that a helper is built around counts, where others are
    built without one: whoever goes through the cells of a network meets it in the helper."""
    around = _BUILT_AROUND.match(case.rewrite) if case.rewrite else None
    if around is not None and around[1] in called:
        return (around[1],)
    match = _BUILT.match(case.rewrite) if case.rewrite else None
    return (match[1],) if match else ()


def without_derived(classes: Iterable[str]) -> tuple[str, ...]:
    """The classes without those that derive from another one among them, for which `isinstance` holds anyhow."""
    classes = tuple(classes)
    return tuple(name for name in classes if helper_base(name) not in classes)


@functools.cache
def helper_base(name: str) -> str | None:
    """The first base of a helper that is a class, `object` where it has none; None for any other name."""
    match = re.search(rf"^class {re.escape(name)}\b(?:\(([\w.]+))?", helper_source(name), re.MULTILINE)
    return (match[1] or "object") if match else None


def is_class_name(dotted: str) -> bool:
    """Whether a dotted name is written as one of a class."""
    return dotted.rpartition(".")[2][:1].isupper()
