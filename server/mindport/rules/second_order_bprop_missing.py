"""A gradient of a gradient goes through an operator whose own gradient cannot be differentiated.

What it does
------------
Reports APIs that lie between the inputs and the output of a second derivative (a gradient penalty, a Hessian, the
residual of a physics-informed network) where MindSpore has no bprop for one of the operators on the way, and names the
link: the operator and what its bprop emits.

Why it matters
--------------
MindSpore raises `Illegal primitive: ... bprop not defined`: in graph mode when it compiles, in PyNative when the
training step runs for the first time.

Example
-------
    y = mindspore.ops.max_pool2d(x, 2)  # inside ms.grad of ms.grad

Use instead
-----------
    y = mindspore.ops.avg_pool2d(x, 2, 2)  # where the average serves as well

or another expression whose links are complete, as `mindport explain --second-order` shows them.

References
----------
`mindport explain --second-order NAME` prints the chain of operators.
"""

from __future__ import annotations

from mindport.mapping.second_order import LinkOutcome
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.link import JudgedLink, cure, subject, where
from mindport.rules.rule import Rule, RuleExample


def check(judged: JudgedLink) -> str:
    """The message for an API whose second order raises."""
    first, second = judged.answer.link or ("", "")
    link = f"{first} -> {second}" if first else second or say("an operator")
    return say(
        "no second-order gradient through {subject} {where}: {link} has no bprop{cure}",
        subject=subject(judged),
        where=where(judged),
        link=link,
        cure=cure(judged),
    )


_TWICE = """import mindspore as ms
from mindspore import ops
def f(x):
    return {body}
h = ms.grad(ms.grad(f))
"""

RULE = Rule(
    code="MP201",
    name="second-order-bprop-missing",
    severity=Severity.ERROR,
    page=__doc__,
    link_outcome=LinkOutcome.MISSING,
    check_link=check,
    examples=(
        RuleExample(_TWICE.format(body="ops.max_pool2d(x, 2).sum()"), True),
        RuleExample(_TWICE.format(body="ops.tanh(x)"), False),
        RuleExample(
            _TWICE.format(body="ops.max_pool2d(x, 2).sum()").replace("ms.grad(ms.grad(f))", "ms.grad(f)"),
            False,
        ),
    ),
)
