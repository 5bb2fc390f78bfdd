"""What can be said of one torch API on one target, and how far to trust it."""

from __future__ import annotations

import enum


class Verdict(enum.Enum):
    """The relation of a torch call to what MindSpore offers for it."""

    SAME = "same"  # the same expression works and means the same
    RENAMED = "renamed"  # another name, perhaps other argument names; same semantics
    EQUIVALENT = "equivalent"  # another construct that gives the same result for these arguments
    COMPOSED = "composed"  # several MindSpore calls together
    DIFFERS = "differs"  # exists, but differs in a way that the fix cannot or need not hide
    NONE = "none"  # nothing on this target
    NOT_JUDGED = "not judged"  # nobody has looked yet


class Certainty(enum.Enum):
    """The answer of a condition: three values, because arguments are often not known here."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __invert__(self) -> Certainty:
        if self is Certainty.UNKNOWN:
            return self
        return Certainty.FALSE if self is Certainty.TRUE else Certainty.TRUE


class Confidence(enum.Enum):
    """How a use was recognised, strongest first."""

    PROVED = "proved"  # the name resolves to torch, or the value was built from torch in view
    ANNOTATED = "annotated"  # the author says so in an annotation
    INFERRED = "inferred"  # several pieces of evidence agree
    SEEN = "seen in a run"  # the original ran and it was that: its fix is never safe
    TAKEN = "taken"  # guessed, where a whole project is ported: its fix is never safe
    GUESSED = "guessed"  # the name alone suggests it; never carries a fix


class Applicability(enum.Enum):
    """What may be done with a fix, strongest first."""

    SAFE = "safe"  # proved by running both frameworks for this version and device
    UNSAFE = "unsafe"  # believed right; a person looks at it
    DISPLAY = "display"  # shown as advice, never applied


class Grade(enum.Enum):
    """What stands behind a claim, strongest first."""

    RUN = "run"  # both frameworks ran and agreed
    COMPILED = "compiled"  # built for the target, not run there
    REGISTERED = "registered"  # all kernels that it needs are there for the device; not run
    DOCUMENTED = "documented"  # only the documentation says so
