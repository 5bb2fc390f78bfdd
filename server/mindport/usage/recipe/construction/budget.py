"""How much the interpreter may do."""

from __future__ import annotations

DEEPEST = 60
_MOST_STEPS = 300_000  # for one module
_MOST_STEPS_IN_ALL = 1_000_000


class BudgetSpent(Exception):
    """There is more to do than is worth it."""


class Budget:
    """Counts steps, and as a context how deep calls are nested. Raises `BudgetSpent`."""

    def __init__(self) -> None:
        self._steps = 0
        self._all_steps = 0
        self._depth = 0

    def begin(self) -> None:
        """Begin with another module."""
        self._steps = self._depth = 0

    def step(self) -> None:
        """Count an expression or statement."""
        self._steps += 1
        self._all_steps += 1
        if self._steps > _MOST_STEPS or self._all_steps > _MOST_STEPS_IN_ALL:
            raise BudgetSpent

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise BudgetSpent

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
