"""The training is profiled with torch.

What it does
------------
Points from `torch.profiler` and `torch.autograd.profiler` to the profiler of the target version.

Why it matters
--------------
The measurements of torch's profiler say nothing about the port. MindSpore's profiler changed its interface: Profiler is
deprecated where mindspore.profiler.profile is there.

Example
-------
    with torch.profiler.profile() as profiler:
        step()

Use instead
-----------
    with mindspore.profiler.profile() as profiler:
        step()

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

_STARTS = (
    "torch.profiler",
    "torch.autograd.profiler",
    "torch.cuda.profiler",
)
_OFFERS = (
    Offer(
        "mindspore.profiler.profile",
        "it is used as a context, with mindspore.profiler.schedule for the steps",
    ),
    Offer("mindspore.Profiler", "call analyse() at the end"),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "profiling", _OFFERS)


RULE = Rule(
    code="MP706",
    name="profiling",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\nwith torch.profiler.profile() as p:\n    pass\n", True, device="Ascend"),
        RuleExample("import torch\nwith torch.autograd.profiler.profile() as p:\n    pass\n", True),
        RuleExample("import time\nstart = time.time()\n", False),
    ),
)
