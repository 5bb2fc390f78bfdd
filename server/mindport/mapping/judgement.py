"""The answer for one use on one target: plain data that rules, cards and rewriting read."""

from __future__ import annotations

import enum

import msgspec

from mindport.mapping.schema import Case, Evidence, Forms, Mapping
from mindport.model.language import say
from mindport.model.target import Target
from mindport.model.verdict import Applicability, Grade, Verdict
from mindport.usage.api_use import ApiUse


class DifferenceKind(enum.Enum):
    """How one parameter differs between the two signatures."""

    MISSING = "missing"  # MindSpore has no counterpart and no rule says what becomes of it
    REPORTED = "reported"  # no counterpart, and the mapping says why that matters
    DROPPED = "dropped"  # left out: without effect on the result
    RENAMED = "renamed"
    DEFAULT = "default"  # the defaults differ
    CONVERTED = "converted"  # the value means something else


class Difference(msgspec.Struct, frozen=True):
    """One parameter that differs. `matters` where it matters for this call: it is passed and has no
    counterpart, or it is left out and the defaults differ. `silent` where nothing would be raised."""

    kind: DifferenceKind
    argument: str  # torch's name
    mindspore_argument: str = ""
    torch_default: str = ""
    mindspore_default: str = ""
    matters: bool = False
    silent: bool = False
    note: str = ""

    def sentence(self) -> str:
        """The difference in words."""
        return _SENTENCES[self.kind](self)


_SENTENCES = {
    DifferenceKind.MISSING: lambda d: say("`{argument}` has no counterpart", argument=d.argument),
    DifferenceKind.REPORTED: lambda d: say(
        "`{argument}` has no counterpart: {note}", argument=d.argument, note=d.note
    ),
    DifferenceKind.DROPPED: lambda d: say("`{argument}` is left out", argument=d.argument),
    DifferenceKind.RENAMED: lambda d: say(
        "`{argument}` is called `{mindspore_argument}`",
        argument=d.argument,
        mindspore_argument=d.mindspore_argument,
    ),
    DifferenceKind.DEFAULT: lambda d: say(
        "`{argument}` is {torch_default} by default, `{mindspore_argument}` is "
        "{mindspore_default} in MindSpore",
        argument=d.argument,
        torch_default=d.torch_default,
        mindspore_argument=d.mindspore_argument,
        mindspore_default=d.mindspore_default,
    ),
    DifferenceKind.CONVERTED: lambda d: (
        say("`{argument}` is converted: {note}", argument=d.argument, note=d.note)
        if d.argument == d.mindspore_argument
        else say(
            "`{argument}` becomes `{mindspore_argument}`, converted: {note}",
            argument=d.argument,
            mindspore_argument=d.mindspore_argument,
            note=d.note,
        )
    ),
}


class Judgement(msgspec.Struct, frozen=True):
    """What can be said of one use on `target`.

    - `verdict` NOT_JUDGED: no mapping (see `documented`) or no case of it covers these arguments.
    - `depends_on` (torch parameter names, `$result`, or "arguments" for a name used as a value) not empty:
      `possible` lists the cases that may apply; `case` is None, the verdict the worst of them.
    - `applicability` None: there is no fix; `no_fix_reason` says why where there is a case.
    - `device_reason`, `version_reason`: what would serve is not there on the target (verdict NONE), or nobody
      knows whether it is."""

    api: str
    target: Target
    verdict: Verdict
    form: Forms | None = None
    mapping: Mapping | None = None
    case: Case | None = None
    case_index: int = -1
    possible: tuple[int, ...] = ()  # indexes into mapping.cases
    depends_on: tuple[str, ...] = ()
    mindspore_name: str = ""  # dotted name that replaces it: mindspore.ops.relu; empty for templates
    grade: Grade | None = None
    evidence: Evidence | None = None
    applicability: Applicability | None = None
    no_fix_reason: str = ""
    differences: tuple[Difference, ...] = ()
    silent: str = ""  # what goes wrong without a message; empty if nothing does
    deprecated: str = ""
    version_reason: str = ""
    device_reason: str = ""
    documented: str = ""  # what the official tables say, where nothing better is known
    library: str = ""  # the library built on torch that the name belongs to
    advice: str = ""  # for library names: what to do
    names: tuple[
        str, ...
    ] = ()  # for a name that is looked up: those that it may be and that something replaces
    as_seen: ApiUse | None = None  # the use with the arguments that a run showed, where only these decide
    stands_with: tuple[str, ...] = ()  # classes that a test of types has to name besides `mindspore_name`

    @property
    def replacement(self) -> str:
        """The short text of what to write: `ops.relu(...)`, a template, or empty."""
        if self.case is not None and self.case.rewrite is not None:
            return self.case.rewrite.strip()
        if self.case is not None and self.case.helper is not None:
            return self.case.helper
        return self.mindspore_name
