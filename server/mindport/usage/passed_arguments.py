"""What the calls of a project pass to its functions, kept by the unit that calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindport.usage.memo import CALLERS
from mindport.usage.resolve import Resolver
from mindport.usage.types import Type
from mindport.usage.variables import FunctionRecord, UnitSummary, Value

Parameter = tuple[str, str]  # the key of its function, its name
_REST, _KEYWORDS = 1, 2


def _given(
    record: FunctionRecord, positional: Sequence[Value], keywords: Mapping[str, Value], skip: int
) -> Iterator[tuple[str, Value]]:
    """The parameters of a function without annotations that a call gives values for, once for each value: `*args` and
    `**kwargs` get those that no other parameter takes."""
    for parameter in record.parameters.values():
        if parameter.annotation is not None:
            continue
        place = parameter.position + skip
        if parameter.kind == _REST:
            last = max((one.position for one in record.parameters.values()), default=-1)
            yield from ((parameter.name, value) for value in positional[last + skip + 1 :])
        elif parameter.kind == _KEYWORDS:
            others = (value for name, value in keywords.items() if name not in record.parameters)
            yield from ((parameter.name, value) for value in others)
        elif parameter.name in keywords:
            yield parameter.name, keywords[parameter.name]
        elif parameter.position >= 0 and place < len(positional):
            yield parameter.name, positional[place]


class PassedArguments:
    """Nothing is known before `contribute` was asked for every unit, which `is_known` remembers."""

    def __init__(self) -> None:
        self.is_known = False
        self._of_functions: dict[str, dict[str, list[Value]]] = {}
        self._of_units: dict[UnitSummary, list[tuple[Parameter, Value]]] = {}

    def forget(self) -> None:
        """Know nothing again."""
        self.is_known = False
        self._of_functions.clear()
        self._of_units.clear()

    def to(self, function: str) -> dict[str, list[Value]]:
        """Parameter -> what calls anywhere in the project pass to the function."""
        return self._of_functions.get(function, {})

    def parameters(self, summary: UnitSummary) -> set[Parameter]:
        """What the calls of a unit pass something to."""
        return {parameter for parameter, _ in self._of_units.get(summary, ())}

    def contribute(self, summary: UnitSummary, resolver: Resolver) -> None:
        """Add what the calls of a unit pass to functions of the project."""
        if not self.is_known:
            return
        passed: list[tuple[Parameter, Value]] = []
        for call in summary.calls:
            positional, keywords = call.detail
            for record, skip in resolver.callees_of(call):
                for reached in (record, *resolver.implementations(record)):
                    for name, value in _given(reached, positional, keywords, skip):
                        passed.append(((reached.key, name), value))
        if passed:
            self._of_units[summary] = passed
            for (function, name), value in passed:
                self._of_functions.setdefault(function, {}).setdefault(name, []).append(value)

    def withdraw(self, summary: UnitSummary) -> None:
        """Take back what the calls of a unit pass."""
        for (function, name), value in self._of_units.pop(summary, ()):
            values = self._of_functions[function]
            values[name] = [other for other in values[name] if other is not value]

    def types(self, summaries: Iterable[UnitSummary], resolver: Resolver) -> dict[Parameter, Counter[Type]]:
        """How often the calls of units pass each type to a parameter."""
        given: dict[Parameter, Counter[Type]] = {}
        for summary in summaries:
            for parameter, value in self._of_units.get(summary, ()):
                given.setdefault(parameter, Counter())[resolver.type_of(value, CALLERS)] += 1
        return given
