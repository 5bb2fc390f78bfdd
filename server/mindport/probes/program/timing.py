"""How long one call takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any


def seconds_per_call(call: Callable[[], Any], repeats: int, budget: float = 20.0) -> float:
    """The median of `repeats` calls, of fewer where they would take longer than `budget` seconds together."""
    taken: list[float] = []
    while len(taken) < repeats and (not taken or sum(taken) < budget):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)
