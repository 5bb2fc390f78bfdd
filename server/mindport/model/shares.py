"""What is wrong with the shares of a run that are to be put together."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.model.language import say


def missing_shares(numbers: Sequence[int], count: int) -> list[str]:
    """What keeps the shares with these numbers, from 1 on, from being all `count` of a run, each once."""
    missing = sorted(set(range(1, count + 1)).difference(numbers))
    twice = sorted({one for one in numbers if numbers.count(one) > 1})
    return [
        *(say("share {number}/{count} is missing", number=one, count=count) for one in missing),
        *(say("share {number}/{count} is there twice", number=one, count=count) for one in twice),
    ]
