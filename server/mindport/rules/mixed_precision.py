"""Mixed precision is done with torch; MindSpore has its own.

What it does
------------
Points from autocast, gradient scalers and apex to the mixed precision of the target version.

Why it matters
--------------
MindSpore casts a network once, when it is prepared, and not within a `with` block of the training loop. A port that
keeps the loop in float32 is right but slower and needs more memory.

Example
-------
    with torch.autocast("cuda"):
        loss = criterion(model(x), y)

Use instead
-----------
    model = mindspore.amp.auto_mixed_precision(model, amp_level="O2")
    scaler = mindspore.amp.DynamicLossScaler(scale_value=2**16, scale_factor=2, scale_window=1000)

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
    "torch.autocast",
    "torch.amp",
    "torch.GradScaler",
    "torch.cuda.amp",
    "torch.cpu.amp",
    "apex.amp",
)
_OFFERS = (
    Offer(
        "mindspore.amp.auto_mixed_precision",
        "it prepares the whole network, and mindspore.amp.DynamicLossScaler scales the loss",
    ),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "mixed precision", _OFFERS)


RULE = Rule(
    code="MP701",
    name="mixed-precision",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\nwith torch.autocast('cuda'):\n    pass\n", True),
        RuleExample("import torch\ns = torch.cuda.amp.GradScaler()\n", True),
        RuleExample("import torch\nx = torch.ones(1).half()\n", False),
        RuleExample("from torch.cuda.amp import autocast\n", False),
    ),
)
