"""How the batch commands treat memory: they build much that lives to their end, so looking for garbage is
wasted."""

from __future__ import annotations

import gc

_OBJECTS_BEFORE_A_LOOK = 500_000


def collect_garbage_rarely() -> None:
    """Make the garbage collector look a few times in a long run and never in a short one. Saves about a third
    of the CPU of a check; the language server, which lives for days, keeps Python's own rhythm."""
    gc.freeze()
    gc.set_threshold(_OBJECTS_BEFORE_A_LOOK, 20, 100)
