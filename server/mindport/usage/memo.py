"""The memory of the resolver: each question is answered once, and circles end.

Strata keep the answers well founded. STRUCTURE knows only how values are made, EVIDENCE also weighs what is done
with them (asking STRUCTURE what callees expect), CALLERS also asks what the project passes to a parameter (as EVIDENCE
types it), and each further one what the one below types that as: what the callers of callers pass, up to those of
FAR_CALLERS, four calls away. A value that hangs on itself counts as nothing where the circle closes, and the circle is
computed again until its head is what was assumed of it. What was computed on the way is kept then, and dropped where
the rounds end before, so that no answer depends on where the circle was entered."""

from __future__ import annotations

from abc import ABC, abstractmethod

from mindport.usage.types import BOTTOM, GUESSED, UNKNOWN, Tag, Type, join_all
from mindport.usage.variables import UnitSummary, Value, Variable

STRUCTURE, EVIDENCE, CALLERS, FAR_CALLERS = 0, 1, 2, 5
STRATA = range(FAR_CALLERS + 1)
_MAXIMAL_DEPTH = 120
_MAXIMAL_CHAIN = 2000
_MAXIMAL_ROUNDS = 4
_NOWHERE = 1 << 30
_OF_PARTS = frozenset({Tag.SEQUENCE, Tag.TUPLE, Tag.SET, Tag.DICT, Tag.UNION})
Key = tuple[object, ...]


class Memo(ABC):
    """Answers by key, and the types of variables by stratum."""

    def __init__(self) -> None:
        self.may_show_more = (
            False  # whether a run showed values, which may tell which one of several a value is
        )
        self.forget()

    def forget(self) -> None:
        """Drop everything computed, and what an error left of questions that were being answered."""
        # The unit whose questions are being answered: what it asks for is noted, to know what an edit may change.
        self.current: UnitSummary | None = None
        self._answers: dict[Key, Type] = {}
        self._results: dict[Variable, list[Type | None]] = {}
        self._active: dict[Key, tuple[int, int, int]] = {}
        self._lowest = _NOWHERE
        self._provisional: list[Key] = []
        self._assumed: dict[Key, Type] = {}  # of the heads of circles that are being computed again
        self._rounds: dict[Key, int] = {}
        self._is_cut_short = False  # whether anything since the outermost question was

    def forget_answer(self, key: Key) -> None:
        """Drop an answer in all strata."""
        for stratum in STRATA:
            self._answers.pop((*key, stratum), None)

    def forget_variables(self, variables: list[Variable]) -> None:
        """Drop what was computed for variables that are no more."""
        for variable in variables:
            self._results.pop(variable, None)

    def type_of(self, value: Value, stratum: int = FAR_CALLERS) -> Type:
        """The type of a value."""
        if isinstance(value, Type):
            return value
        results = self._results.get(value)
        if results is not None:
            known = results[stratum]
            if known is not None:
                return known
        if value.unit is None:
            return self.type_of_name(value.detail, value.name, stratum)
        base = value.base
        if not isinstance(base, Variable) or base in self._results:
            return self._solve(value, stratum)
        # Long chains (x = f(x) a thousand times) are solved from their start, without recursion.
        chain = [value]
        while (
            isinstance(base, Variable)
            and base.unit is not None
            and base not in self._results
            and len(chain) < _MAXIMAL_CHAIN
        ):
            chain.append(base)
            base = base.base
        result = UNKNOWN
        for part in reversed(chain):
            results = self._results.get(part)
            known = results[stratum] if results is not None else None
            result = self._solve(part, stratum) if known is None else known
        return result

    def _solve(self, variable: Variable, stratum: int) -> Type:
        if stratum:
            below = self.type_of(variable, stratum - 1)
            if is_settled(below) and not (
                self.may_show_more and stratum == FAR_CALLERS and below.tag is Tag.UNION
            ):
                results = self._results.get(variable)
                if results is not None and results[stratum - 1] is not None:
                    results[stratum] = below
                    if self._active:
                        self._provisional.append((variable, stratum))
                return below
        key = (variable, stratum)
        if key in self._active:
            return self._cut(key)
        frame = self._enter(key)
        if frame is None:
            return UNKNOWN
        current, self.current = self.current, variable.unit
        result = self.compute(variable, stratum)
        while self._goes_on(key, frame, result):
            result = self.compute(variable, stratum)
        self.current = current
        results = self._results.get(variable)
        if results is None:
            results = self._results[variable] = [None] * len(STRATA)
        results[stratum] = result
        self._leave(key, frame, result)
        return result

    @abstractmethod
    def type_of_name(self, module: str, name: str, stratum: int) -> Type:
        """The type of a module-level name; the resolver's."""

    @abstractmethod
    def compute(self, variable: Variable, stratum: int) -> Type:
        """The type of a variable, computed anew; the resolver's."""

    def answer(self, key: Key, values: list[Value], stratum: int) -> Type:
        """The join of values, computed once for the key."""
        known = self._answers.get(key)
        if known is not None:
            return known
        if key in self._active:
            return self._cut(key)
        frame = self._enter(key)
        if frame is None:
            return UNKNOWN
        result = join_all([self.type_of(value, stratum) for value in values])
        while self._goes_on(key, frame, result):
            result = join_all([self.type_of(value, stratum) for value in values])
        self._answers[key] = result
        self._leave(key, frame, result)
        return result

    # -- circles

    def _cut(self, key: Key) -> Type:
        """The value of what is being computed already."""
        self._lowest = min(self._lowest, self._active[key][0])
        return self._assumed.get(key, BOTTOM)

    def _goes_on(self, key: Key, frame: tuple[int, int, int], result: Type) -> bool:
        """Whether the head of a circle has to be computed again, as what was assumed of it is not what came out. In the
        end it is, whichever part of the circle was asked for first."""
        depth, _, mark = frame
        if self._lowest != depth or result is self._assumed.get(key, BOTTOM):
            return False
        rounds = self._rounds.get(key, 0)
        if rounds >= _MAXIMAL_ROUNDS:
            return False
        self._rounds[key] = rounds + 1
        self._assumed[key] = result
        for other in self._provisional[mark:]:
            self._drop(other)
        del self._provisional[mark:]
        self._lowest = _NOWHERE
        return True

    def stay_provisional(self) -> None:
        """Say that what is being computed was cut short, so that none of it must be kept."""
        self._lowest = 0
        self._is_cut_short = True

    def _enter(self, key: Key) -> tuple[int, int, int] | None:
        """Begin to compute something; None where that would go too deep."""
        depth = len(self._active)
        if depth > _MAXIMAL_DEPTH:
            self.stay_provisional()
            return None
        frame = self._active[key] = (depth, self._lowest, len(self._provisional))
        self._lowest = _NOWHERE
        return frame

    def _leave(self, key: Key, frame: tuple[int, int, int], result: Type) -> None:
        """End it. What hangs on something still being computed stays only until that is known; what hangs on this stays
        if this came out as it was assumed."""
        depth, outer_lowest, mark = frame
        del self._active[key]
        assumed = self._assumed.pop(key, BOTTOM)
        self._rounds.pop(key, None)
        if self._lowest == depth and result is not assumed:
            self._is_cut_short = True
        if self._lowest >= depth:
            if self._lowest == depth and self._is_cut_short:
                for other in self._provisional[mark:]:
                    self._drop(other)
            del self._provisional[mark:]
            self._lowest = outer_lowest
        else:
            self._provisional.append(key)
            self._lowest = min(self._lowest, outer_lowest)
        if not depth:
            self._is_cut_short = False

    def _drop(self, key: Key) -> None:
        first = key[0]
        if isinstance(first, Variable):
            results = self._results.get(first)
            if results is not None:
                stratum = key[1]
                for index in range(stratum if isinstance(stratum, int) else 0, len(STRATA)):
                    results[index] = None
        else:
            self._answers.pop(key, None)


def is_settled(kind: Type) -> bool:
    """Whether the next stratum could say nothing better."""
    tag = kind.tag
    if tag is Tag.UNKNOWN or tag is Tag.BOTTOM or tag is Tag.NONE or tag is Tag.LIBRARY_VALUE:
        return False
    if tag is Tag.TENSOR or tag is Tag.INSTANCE:
        return kind.level > GUESSED
    if tag is Tag.METHOD or tag is Tag.BOUND:
        return all(map(is_settled, kind.parts[:1]))
    if tag in _OF_PARTS:
        return all(is_settled(part) or part.tag is Tag.NONE for part in kind.parts)
    return True
