"""Activations are computed again in the backward pass to save memory.

What it does
------------
Points from `torch.utils.checkpoint` to recomputation in the target version.

Why it matters
--------------
MindSpore recomputes a Cell that is told so once, or a call; the code around the call does not change.

Example
-------
    x = torch.utils.checkpoint.checkpoint(self.block, x)

Use instead
-----------
    x = mindspore.recompute(self.block, x)  # or once, when the network is made: self.block.recompute()

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

_STARTS = ("torch.utils.checkpoint",)
_OFFERS = (
    Offer("mindspore.recompute", "it takes the Cell and its inputs, as torch does"),
    Offer("mindspore.nn.Cell.recompute", "call it once on the Cell when the network is made"),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "activation checkpointing", _OFFERS)


RULE = Rule(
    code="MP703",
    name="activation-checkpointing",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample(
            "import torch\nfrom torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)\n", True
        ),
        RuleExample("import torch\ntorch.save(x, 'checkpoint.pt')\n", False),
    ),
)
