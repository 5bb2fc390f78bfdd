"""A gradient of a gradient goes through something of which nobody knows whether it works.

What it does
------------
Reports APIs between the inputs and the output of a second derivative that were neither measured nor can be judged from
the registry, and calls that could not be followed to an API.

Why it matters
--------------
Unknown is not supported: the result may be wrong without any message.

Example
-------
    y = my_extension.filter(x)  # inside a gradient penalty

Use instead
-----------
Compile and run the double gradient on the target: `mindport verify-second-order FILE:FUNCTION`.

References
----------
`mindport explain --second-order NAME` shows what is known.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.link import JudgedLink, subject, where
from mindport.rules.rule import Rule, RuleExample


def check(judged: JudgedLink) -> str:
    """The message for an API of which nothing is known."""
    return say(
        "whether the second-order gradient through {subject} is right {where} is not known",
        subject=subject(judged),
        where=where(judged),
    )


_PENALTY = """import torch
def penalty(critic, x):
    y = {body}
    return torch.autograd.grad(y.sum(), x, create_graph=True)
"""

RULE = Rule(
    code="MP205",
    name="second-order-unknown",
    severity=Severity.INFORMATION,
    page=__doc__,
    link_outcome=LinkOutcome.UNKNOWN,
    check_link=check,
    examples=(
        RuleExample(_PENALTY.format(body="critic(x)"), True),
        RuleExample(_PENALTY.format(body="critic(x)").replace("True", "False"), False),
    ),
)
