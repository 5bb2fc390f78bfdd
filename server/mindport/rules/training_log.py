"""Scalars, images or graphs are logged for TensorBoard.

What it does
------------
Points from `torch.utils.tensorboard` to the summaries of the target version.

Why it matters
--------------
The writer of torch needs torch. tensorboardX writes the same files without it; MindSpore records its own summaries.

Example
-------
    writer = torch.utils.tensorboard.SummaryWriter("runs")
    writer.add_scalar("loss", loss, step)

Use instead
-----------
    with mindspore.SummaryRecord("runs") as record:
        record.add_value("scalar", "loss", loss)
        record.record(step)

References
----------
The migration guide of MindSpore, "Function and feature recommendation".
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.target import Target
from mindport.rules.feature import Offer, advice
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.api_use import ApiUse

_STARTS = ("torch.utils.tensorboard",)
_OFFERS = (
    Offer(
        "mindspore.SummaryRecord",
        "add_value and record take the place of add_scalar; tensorboardX keeps the files of TensorBoard and does "
        "without torch",
    ),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "logging for TensorBoard", _OFFERS)


RULE = Rule(
    code="MP705",
    name="training-log",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("from torch.utils.tensorboard import SummaryWriter\nw = SummaryWriter()\n", True),
        RuleExample("from tensorboardX import SummaryWriter\nw = SummaryWriter()\n", False),
    ),
)
