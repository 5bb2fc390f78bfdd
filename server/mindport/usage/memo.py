"""The memory of the resolver: each question is answered once, and circles end.

Strata keep the answers well founded. STRUCTURE knows only how values are made, EVIDENCE also weighs what is done
with them (asking STRUCTURE what callees expect), CALLERS also asks what the project passes to a parameter (as EVIDENCE
types it), and each further one what the one below types that as: what the callers of callers pass, up to those of
FAR_CALLERS, four calls away. A value that hangs on itself counts as nothing where the circle closes, and the circle is
computed again until each of its heads is what was assumed of it. What was computed on the way is kept then, and
dropped where the rounds end before, so that no answer depends on where the circle was entered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from mindport.usage.types import BOTTOM, GUESSED, UNKNOWN, Tag, Type, join, with_item
from mindport.usage.variables import Op, UnitSummary, Value, Variable

STRUCTURE, EVIDENCE, CALLERS, FAR_CALLERS = 0, 1, 2, 5
STRATA = range(FAR_CALLERS + 1)
_MAXIMAL_DEPTH = 120
_MAXIMAL_CHAIN = 2000
_MAXIMAL_ROUNDS = 4
_NOWHERE = 1 << 30
_OF_PARTS = frozenset({Tag.SEQUENCE, Tag.TUPLE, Tag.SET, Tag.DICT, Tag.UNION})
Key = tuple[object, ...]


class _Frame(NamedTuple):
    """What was the case when something began to be computed: the memory's fields of these names, and the lengths of
    its lists."""

    depth: int
    lowest: int
    provisional: int
    inner: int
    is_settled: bool
    is_left_open: bool


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
        self._active: dict[Key, _Frame] = {}
        self._lowest = _NOWHERE  # the depth of the outermost head that what is being computed hangs on
        # What is known for this round of a circle, and how far out it hangs.
        self._provisional: dict[Key, int] = {}
        self._assumed: dict[Key, Type] = {}  # of the heads of circles that are being computed again
        self._rounds: dict[Key, int] = {}
        self._heads: set[Key] = set()  # what circles were cut at
        self._inner: list[Key] = []  # of them, those inside a circle that is not closed yet
        self._is_settled = True  # whether those came out as they were assumed
        self._is_left_open = False  # whether a value on the circle is nothing so far
        self._weighs = _NOWHERE  # the depth of the head whose circle is settled but for such values
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
        known = self._known(value, stratum)
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
            known = self._known(part, stratum)
            result = self._solve(part, stratum) if known is None else known
        return result

    def _known(self, variable: Variable, stratum: int) -> Type | None:
        results = self._results.get(variable)
        known = None if results is None else results[stratum]
        if known is not None and self._provisional:
            self._hang((variable, stratum))
        return known

    def _solve(self, variable: Variable, stratum: int) -> Type:
        if stratum:
            below = self.type_of(variable, stratum - 1)
            if is_settled(below) and not (
                self.may_show_more and stratum == FAR_CALLERS and below.tag is Tag.UNION
            ):
                results = self._results.get(variable)
                if results is not None and results[stratum - 1] is not None:
                    results[stratum] = below
                    hangs = self._provisional.get((variable, stratum - 1))
                    if hangs is not None:
                        self._provisional[variable, stratum] = hangs
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

    def known_answer(self, key: Key) -> Type | None:
        """What was answered for the key; None where nothing was."""
        known = self._answers.get(key)
        if known is not None and self._provisional:
            self._hang(key)
        return known

    def _joined(self, values: list[Value], stratum: int) -> Type:
        stored, found = list[Variable](), BOTTOM
        for value in values:
            if isinstance(value, Variable) and value.op is Op.STORED:
                stored.append(value)  # hangs on what the others say
            else:
                found = join(found, self.type_of(value, stratum))
        for one in stored:
            found = with_item(found, self.type_of(one.base, stratum))
        return found

    def answer(self, key: Key, values: list[Value], stratum: int) -> Type:
        """The join of values, computed once for the key."""
        known = self.known_answer(key)
        if known is not None:
            return known
        if key in self._active:
            return self._cut(key)
        frame = self._enter(key)
        if frame is None:
            return UNKNOWN
        result = self._joined(values, stratum)
        while self._goes_on(key, frame, result):
            result = self._joined(values, stratum)
        self._answers[key] = result
        self._leave(key, frame, result)
        return result

    # -- circles

    def _cut(self, key: Key) -> Type:
        """The value of what is being computed already: what came out of it in the round before."""
        self._heads.add(key)
        self._lowest = min(self._lowest, self._active[key].depth)
        return self._assumed.get(key, BOTTOM)

    def _hang(self, key: Key) -> None:
        """Note that what is being computed hangs on something known, and with it on the circle that this is on."""
        self._lowest = min(self._lowest, self._provisional.get(key, _NOWHERE))

    def is_all_there_is(self) -> bool:
        """Whether a value of which nothing came out stays like that: not where it hangs on a circle that may tell
        more of it in the next round."""
        if self._lowest == _NOWHERE or self._weighs != _NOWHERE:
            return True
        self._is_left_open = True
        return False

    def _goes_on(self, key: Key, frame: _Frame, result: Type) -> bool:
        """Whether a circle has to be gone through again, as what was assumed of this, its outermost head, or of one
        inside it is not what came out, or as it leaves values open. In the end all is as it was assumed, whichever part
        of the circle was asked for first."""
        if self._lowest != frame.depth:
            return False
        rounds = self._rounds.get(key, 0)
        if self._is_settled and result is self._assumed.get(key, BOTTOM):
            if not self._is_left_open or self._weighs != _NOWHERE:
                return False
            self._weighs = frame.depth
        elif rounds >= _MAXIMAL_ROUNDS:
            return False
        self._rounds[key] = rounds + 1
        self._assumed[key] = result
        self._pop_provisional(frame, drop=True)
        self._lowest = _NOWHERE
        self._is_settled = True
        self._is_left_open = False
        return True

    def stay_provisional(self) -> None:
        """Say that what is being computed was cut short, so that none of it must be kept."""
        self._lowest = 0
        self._is_cut_short = True

    def _enter(self, key: Key) -> _Frame | None:
        """Begin to compute something; None where that would go too deep."""
        depth = len(self._active)
        if depth > _MAXIMAL_DEPTH:
            self.stay_provisional()
            return None
        frame = self._active[key] = _Frame(
            depth,
            self._lowest,
            len(self._provisional),
            len(self._inner),
            self._is_settled,
            self._is_left_open,
        )
        self._lowest = _NOWHERE
        self._is_settled = True
        self._is_left_open = False
        return frame

    def _leave(self, key: Key, frame: _Frame, result: Type) -> None:
        """End it. What hangs on something still being computed stays only until that is known; what hangs on this stays
        if this came out as it was assumed."""
        del self._active[key]
        is_as_assumed = result is self._assumed.get(key, BOTTOM)
        if self._lowest >= frame.depth:
            if self._lowest == frame.depth and not (is_as_assumed and self._is_settled):
                self._is_cut_short = True
            self._pop_provisional(frame, drop=self._lowest == frame.depth and self._is_cut_short)
            self._close(key)
            for other in self._inner[frame.inner :]:
                self._close(other)
            del self._inner[frame.inner :]
            if self._weighs == frame.depth:
                self._weighs = _NOWHERE
            self._lowest = frame.lowest
            self._is_settled = frame.is_settled
            self._is_left_open = frame.is_left_open
        else:
            # The next round of the circle around this one assumes of this what came out now.
            if key in self._heads and not is_as_assumed:
                self._assumed[key] = result
                self._inner.append(key)
                self._is_settled = False
            self._provisional[key] = self._lowest
            self._lowest = min(self._lowest, frame.lowest)
            self._is_settled &= frame.is_settled
            self._is_left_open |= frame.is_left_open
        if not frame.depth:
            self._is_cut_short = False

    def _pop_provisional(self, frame: _Frame, *, drop: bool) -> None:
        """End what is provisional since then: drop its answers, or let them stand."""
        while len(self._provisional) > frame.provisional:
            key, _ = self._provisional.popitem()
            if drop:
                self._drop(key)

    def _close(self, key: Key) -> None:
        """Forget what was assumed of the head of a circle."""
        self._heads.discard(key)
        self._assumed.pop(key, None)
        self._rounds.pop(key, None)

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
