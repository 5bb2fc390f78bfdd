"""A gradient of a gradient goes through a view, which PyNative is known to cut elsewhere than on this target.

What it does
------------
Reports APIs between the inputs and the output of a second derivative for which PyNative was measured to lose the
gradient and graph mode to keep it, though on another device than the target's. Where the target itself was measured,
MP202 speaks.

Why it matters
--------------
The cut is made by PyNative's way of recording views and not by a kernel, so it is to be expected on every device; and
nothing is raised.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.link import PENALTY, UNDER_JIT, JudgedLink, subject, where
from mindport.rules.rule import Rule, RuleExample


def check(judged: JudgedLink) -> str:
    """The message for an API whose second order PyNative cuts on other devices."""
    return say(
        "PyNative may cut the second-order gradient through {subject} {where}: it does where "
        "it was measured; run the inner gradient under `ms.jit`",
        subject=subject(judged),
        where=where(judged),
    )


RULE = Rule(
    code="MP203",
    name="second-order-view-hazard",
    severity=Severity.ERROR,
    page=__doc__ + UNDER_JIT,
    link_outcome=LinkOutcome.HAZARD,
    check_link=check,
    examples=(
        RuleExample(PENALTY.format(inner="ms.grad(critic)"), True, device="Ascend"),
        RuleExample(PENALTY.format(inner="ms.grad(critic)"), False),
        RuleExample(PENALTY.format(inner="ms.jit(ms.grad(critic))"), False, device="Ascend"),
    ),
)
