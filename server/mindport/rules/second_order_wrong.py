"""A gradient of a gradient comes out wrong here, as measured, and nothing is raised.

What it does
------------
Reports APIs between the inputs and the output of a second derivative whose result was measured to differ from torch's
in float64, for the target's version, device and mode. Often it is exactly 0: in PyNative a gradient that passes through
a view (reshape, flatten, transpose, a sum without keepdims) during backward is cut off.

Why it matters
--------------
There is no error and no warning. A critic with a flatten in front of its last layer trains that layer with a gradient
penalty of 0.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.link import PENALTY, UNDER_JIT, JudgedLink, cure, subject, where
from mindport.rules.rule import Rule, RuleExample


def check(judged: JudgedLink) -> str:
    """The message for an API whose second order is silently wrong."""
    verb = say("is") if judged.answer.is_always else say("is for some shapes or arguments")
    return say(
        "the second-order gradient through {subject} {verb} silently wrong {where}{cure}",
        subject=subject(judged),
        verb=verb,
        where=where(judged),
        cure=cure(judged),
    )


RULE = Rule(
    code="MP202",
    name="second-order-wrong",
    severity=Severity.ERROR,
    page=__doc__ + UNDER_JIT,
    link_outcome=LinkOutcome.WRONG,
    check_link=check,
    examples=(
        RuleExample(PENALTY.format(inner="ms.grad(critic)"), True),
        RuleExample(PENALTY.format(inner="ms.jit(ms.grad(critic))"), False),
        RuleExample(PENALTY.format(inner="critic"), False),
    ),
)
