"""What a rule is: a kind of finding with a stable code, decided from one judged use. A rule reads no
syntax tree."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from mindport.mapping.judgement import Judgement
from mindport.mapping.plan import MindSporeSide
from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.target import Mode, Target
from mindport.rules.link import JudgedLink
from mindport.rules.outcome import Outcome
from mindport.usage.api_use import ApiUse
from mindport.usage.mindspore_uses import MindSporeUse
from mindport.usage.places import CodePlace, Topic

Check = Callable[[ApiUse, Judgement], str]
LinkCheck = Callable[[JudgedLink], str]
FeatureCheck = Callable[[ApiUse, Target, MindSporeSide], str]
MindSporeCheck = Callable[[MindSporeUse, Target, MindSporeSide], str]
PlaceCheck = Callable[[CodePlace, Target], str]
StepCheck = Callable[[str, bool, Target], str]


class RuleExample(msgspec.Struct, frozen=True):
    """A snippet and whether the rule reports something in it, on MindSpore 2.10.0 and the CPU in PyNative. Tests run
    it."""

    code: str
    reports: bool
    version: str = "2.10.0"
    device: str = "CPU"
    mode: str = "pynative"


class Rule(msgspec.Struct, frozen=True):
    """One kind of finding. It speaks for the uses of one `outcome`, and `check` gives the message for such a use. A
    rule about second-order gradients speaks for the links of one `link_outcome` by `check_link`. One about
    MindSpore code is asked about every use of MindSpore; its `check_mindspore` gives no text where there is nothing
    to say; so does one about places of a `topic`, by `check_place`, and one that names a feature of MindSpore for a
    use of torch, besides what else is said of that use, by `check_feature`. `check_step` is told why a training step
    is not written as a function, and whether it is recorded instead. `graph_severity` counts instead of `severity`
    where graph mode is the target, which minds what PyNative does not. Findings about files and the tool are made by
    `check`: their rules have none of these. `page` is the docstring of the module: the text the user
    reads."""

    code: str
    name: str
    severity: Severity
    page: str
    outcome: Outcome | None = None
    check: Check | None = None
    link_outcome: LinkOutcome | None = None
    check_link: LinkCheck | None = None
    check_mindspore: MindSporeCheck | None = None
    topic: Topic | None = None
    check_place: PlaceCheck | None = None
    graph_severity: Severity | None = None
    check_feature: FeatureCheck | None = None
    check_step: StepCheck | None = None
    examples: tuple[RuleExample, ...] = ()

    def severity_in(self, mode: Mode) -> Severity:
        """The severity of its findings where this mode is the target."""
        return self.graph_severity or self.severity if mode is Mode.GRAPH else self.severity

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.strip().partition("\n")[0]
