"""A gradient of a gradient is refused on this target, though every operator on the way has its bprop.

What it does
------------
Reports APIs between the inputs and the output of a second derivative that were measured to raise on the target's
device and in its mode for another reason than a missing bprop: a kernel that the device lacks, or an internal error.

Why it matters
--------------
The registry, which the migration guide says to look into, calls these supported. The training step fails all the same.

Example
-------
    y = mindspore.nn.MaxPool2d(2, 2)(x)  # on a CPU, inside ms.grad of ms.grad

Use instead
-----------
Another device or mode where it was measured right (the card says), or another expression.

References
----------
`mindport explain --second-order NAME` shows what was measured; `mindport verify-second-order FILE:FUNCTION` compiles
the double gradient with the MindSpore that is installed.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.link import JudgedLink, cure, subject, where
from mindport.rules.rule import Rule, RuleExample

_LONGEST = 120


def check(judged: JudgedLink) -> str:
    """The message for an API whose second order raises for another reason than a missing bprop."""
    said = " ".join(judged.answer.text.split())
    said = f": {said[:_LONGEST]}..." if len(said) > _LONGEST else f": {said}" if said else ""
    return say(
        "the second-order gradient through {subject} raises {where}{said}{cure}",
        subject=subject(judged),
        where=where(judged),
        said=said,
        cure=cure(judged),
    )


_TWICE = """import mindspore as ms
from mindspore import nn, ops
layer = nn.MaxPool2d(2, 2)
def f(x):
    return {body}
h = ms.grad(ms.grad(f))
"""

RULE = Rule(
    code="MP204",
    name="second-order-refused",
    severity=Severity.ERROR,
    page=__doc__,
    link_outcome=LinkOutcome.REFUSED,
    check_link=check,
    examples=(
        RuleExample(_TWICE.format(body="layer(x).sum()"), True),
        RuleExample(_TWICE.format(body="ops.tanh(x)"), False),
    ),
)
