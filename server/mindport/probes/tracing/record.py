"""What is kept of a run, by file: the calls at each place, and what functions of the project got and gave."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Callable

from tracing.places import Place
from tracing.values import TracedValue

MOST_PLACES = 20_000
MOST_FUNCTIONS = 5_000
MOST_ATTRIBUTES = 200
# A place that was seen so often is only counted from there on.
MOST_LOOKS = 40


class TracedCall:
    """The calls of one name at one place: of `Tensor.__getitem__` at `x[0]`, of `Linear` at `nn.Linear(3, 4)`."""

    __slots__ = ("arguments", "keywords", "name", "place", "result", "times")

    def __init__(self, place: Place, name: str) -> None:
        self.place = place
        self.name = name
        self.times = 0
        # By how many arguments there were: another number is another way to call it.
        self.arguments: list[TracedValue] = []
        self.keywords: dict[str, TracedValue] = {}
        self.result = TracedValue()

    def to_json(self) -> dict[str, Any]:
        """As it is written."""
        found: dict[str, Any] = {"place": list(self.place), "name": self.name, "times": self.times}
        found["arguments"] = [one.to_json() for one in self.arguments]
        if self.keywords:
            found["keywords"] = {name: one.to_json() for name, one in sorted(self.keywords.items())}
        if self.result.times:
            found["result"] = self.result.to_json()
        return found


class TracedFunction:
    """A function of the project: what its parameters and its result were."""

    __slots__ = ("line", "name", "parameters", "result", "times")

    def __init__(self, line: int, name: str) -> None:
        self.line = line
        self.name = name
        self.times = 0
        self.parameters: dict[str, TracedValue] = {}
        self.result = TracedValue()

    def to_json(self) -> dict[str, Any]:
        """As it is written."""
        found: dict[str, Any] = {"name": self.name, "line": self.line, "times": self.times}
        found["parameters"] = {name: one.to_json() for name, one in self.parameters.items()}
        if self.result.times:
            found["result"] = self.result.to_json()
        return found


class Record:
    """All that was seen. `name_of` gives the name of a class."""

    def __init__(self, torch: Any, name_of: Callable[[Any], str]) -> None:
        self._torch = torch
        self._name_of = name_of
        # Looking at a tensor calls nobody's `__torch_function__`, neither ours nor that of a class of the program.
        self._alone = getattr(getattr(torch, "_C", None), "DisableTorchFunction", contextlib.nullcontext)
        self._calls: dict[tuple[str, Place, str, int], TracedCall] = {}
        self._functions: dict[tuple[str, int, str], TracedFunction] = {}
        self._attributes: dict[tuple[str, str], dict[str, TracedValue]] = {}
        self._digests: dict[str, str] = {}
        self.is_full = False

    def call(self, file: str, place: Place, name: str, given: int) -> TracedCall | None:
        """The calls of a name with so many arguments at a place, of which one more is counted; None where there is no
        room for another place."""
        key = (file, place, name, given)
        found = self._calls.get(key)
        if found is None:
            if len(self._calls) >= MOST_PLACES:
                self.is_full = True
                return None
            found = self._calls[key] = TracedCall(place, name)
        found.times += 1
        return found

    def function(self, file: str, line: int, name: str) -> TracedFunction | None:
        """The same for a function of the project."""
        key = (file, line, name)
        found = self._functions.get(key)
        if found is None:
            if len(self._functions) >= MOST_FUNCTIONS:
                self.is_full = True
                return None
            found = self._functions[key] = TracedFunction(line, name)
        found.times += 1
        return found

    def note(self, seen: TracedValue, value: Any) -> None:
        """Take in a value."""
        with self._alone():
            seen.note(value, self._name_of, self._torch)

    def note_call(self, call: TracedCall, arguments: Iterable[Any], keywords: Mapping[str, Any]) -> None:
        """Take in the arguments of a call."""
        for index, value in enumerate(arguments):
            if index >= len(call.arguments):
                call.arguments.append(TracedValue())
            self.note(call.arguments[index], value)
        for name, value in keywords.items():
            self.note(call.keywords.setdefault(name, TracedValue()), value)

    def note_attributes(self, file: str, owner: str, values: Mapping[str, Any]) -> None:
        """Take in what an object of a class of the project keeps."""
        if (file, owner) not in self._attributes and len(self._attributes) >= MOST_FUNCTIONS:
            self.is_full = True
            return
        known = self._attributes.setdefault((file, owner), {})
        for name, value in list(values.items()):
            if isinstance(name, str) and (name in known or len(known) < MOST_ATTRIBUTES):
                self.note(known.setdefault(name, TracedValue()), value)

    def files(self) -> dict[str, Any]:
        """Everything by file, as it is written."""
        found: dict[str, dict[str, Any]] = {}

        def of(file: str) -> dict[str, Any]:
            return found.setdefault(file, {"sha256": "", "calls": [], "functions": [], "classes": []})

        for (file, *_), call in sorted(self._calls.copy().items(), key=lambda item: item[0]):
            of(file)["calls"].append(call.to_json())
        for (file, *_), function in sorted(self._functions.copy().items(), key=lambda item: item[0]):
            of(file)["functions"].append(function.to_json())
        for (file, name), values in sorted(self._attributes.copy().items(), key=lambda item: item[0]):
            attributes = {one: seen.to_json() for one, seen in sorted(values.items())}
            of(file)["classes"].append({"name": name, "attributes": attributes})
        for file, one in found.items():
            one["sha256"] = self._digests.get(file, "")
        return {file: one for file, one in found.items() if one["sha256"]}

    def note_file(self, file: str, path: str) -> None:
        """Keep what a file holds now, which is what Python runs of it."""
        if file not in self._digests:
            try:
                with open(path, "rb") as content:  # noqa: PTH123
                    self._digests[file] = hashlib.sha256(content.read()).hexdigest()
            except OSError:
                self._digests[file] = ""


def qualified_name(code: Any, first: Any) -> str:
    """The name of a function with those of the classes and functions that it is defined in. Before Python 3.11 only
    what its first argument tells."""
    if sys.version_info >= (3, 11):
        return str(code.co_qualname)
    for owner in getattr(first if isinstance(first, type) else type(first), "__mro__", ()):
        own = owner.__dict__.get(code.co_name)
        if getattr(getattr(own, "__func__", own), "__code__", None) is code:
            return f"{owner.__qualname__}.{own.__name__}"
    return str(code.co_name)
