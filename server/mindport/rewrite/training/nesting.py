"""Functions of losses inside each other: any two are disjoint, or one lies in the other."""

from __future__ import annotations

from mindport.rewrite.training.events import Unclear
from mindport.rewrite.training.flow import written
from mindport.rewrite.training.step_parts import Backward


def nest(backwards: list[Backward]) -> None:
    """Make every two functions disjoint or one inside the other."""
    for _ in range(len(backwards)):
        is_changed = False
        for one in backwards:
            for other in backwards:
                if one.place is other.place and other.start < one.start <= other.at < one.at:
                    one.start, is_changed = other.start, True
        if not is_changed:
            break
    for one in backwards:
        for other in backwards:
            if one is not other:
                _refuse_shared(one, other)


def _refuse_shared(outer: Backward, inner: Backward) -> None:
    """Raise where both losses need the same statement: its graph would be used twice, and what a function hands out has
    none. Says nothing where `inner` is not inside of `outer`."""
    if outer.place is inner.place:
        own = range(inner.start, inner.at + 1)
    else:
        within = next((one for one in inner.place.ancestors() if one.outer is outer.place), inner.place)
        if within.outer is not outer.place:
            return
        own = range(within.at, within.at + 1)
    if own[-1] > outer.at or own[0] < outer.start:
        return
    shared = [number for number in sorted(outer.needed) if number in own]
    if shared:
        names = sorted(written(outer.place.body[shared[0]]))
        raise Unclear(f"two losses share the graph of `{', '.join(names)}`", inner.event.statement)
