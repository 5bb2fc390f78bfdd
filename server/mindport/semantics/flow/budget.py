"""How much the machine may do."""

from __future__ import annotations

DEEPEST = 50  # calls in calls
LONGEST = 20_000  # items of a loop that is gone through item by item
LARGEST_BITS = 4_096  # of a whole number
MOST_ROUNDS = 6  # of a loop of unknown length, before all that it may change is given up


class BudgetSpent(Exception):
    """There is more to do than is worth it."""


class Budget:
    """Counts steps. Raises `BudgetSpent`."""

    def __init__(self, most: int) -> None:
        self.left = most
        self.depth = 0

    def step(self, cost: int = 1) -> None:
        """Count an expression or statement, or what costs as much time as several."""
        self.left -= cost
        if self.left < 0:
            raise BudgetSpent
