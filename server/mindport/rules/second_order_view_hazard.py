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

Example
-------
    g = ms.grad(critic)(x)  # critic flattens; differentiated again for the penalty

Use instead
-----------
    g = ms.jit(ms.grad(critic))(x)  # the inner gradient as a graph

Fix safety
----------
The fix runs the inner gradient under `ms.jit`; it is unsafe because code that a graph cannot hold fails to compile.

References
----------
`mindport explain --second-order NAME` shows what was measured, and where.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.rules.link import JudgedLink, subject, where
from mindport.rules.rule import Rule, RuleExample


def check(judged: JudgedLink) -> str:
    """The message for an API whose second order PyNative cuts on other devices."""
    return (
        f"PyNative may cut the second-order gradient through {subject(judged)} {where(judged)}: "
        "it does where it was measured; run the inner gradient under `ms.jit`"
    )


_PENALTY = """import mindspore as ms
from mindspore import nn
critic = nn.SequentialCell(nn.Tanh(), nn.Flatten(), nn.Dense(4, 1))
def loss(x):
    return ({inner}(x) ** 2).sum()
step = ms.value_and_grad(loss, None, critic.trainable_params())
"""

RULE = Rule(
    code="MP203",
    name="second-order-view-hazard",
    severity=Severity.ERROR,
    page=__doc__,
    link_outcome=LinkOutcome.HAZARD,
    check_link=check,
    examples=(
        RuleExample(_PENALTY.format(inner="ms.grad(critic)"), True, device="Ascend"),
        RuleExample(_PENALTY.format(inner="ms.grad(critic)"), False),
        RuleExample(_PENALTY.format(inner="ms.jit(ms.grad(critic))"), False, device="Ascend"),
    ),
)
