"""Images are augmented by a policy.

What it does
------------
Points from the policies of torchvision, such as AutoAugment and RandAugment, to those of the data pipeline.

Why it matters
--------------
The data pipeline of MindSpore runs them in its own threads on NumPy images; no tensors are needed.

Example
-------
    transforms.RandAugment()

Use instead
-----------
    mindspore.dataset.vision.RandAugment()

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
    "torchvision.transforms.AutoAugment",
    "torchvision.transforms.RandAugment",
    "torchvision.transforms.TrivialAugmentWide",
    "torchvision.transforms.AugMix",
    "torchvision.transforms.v2.AutoAugment",
    "torchvision.transforms.v2.RandAugment",
    "torchvision.transforms.v2.TrivialAugmentWide",
    "torchvision.transforms.v2.AugMix",
)
_OFFERS = (
    Offer(
        "mindspore.dataset.vision.RandAugment",
        "it works in a map of the data set, as do AutoAugment and TrivialAugmentWide beside it",
    ),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "augmentation by a policy", _OFFERS)


RULE = Rule(
    code="MP707",
    name="automatic-augmentation",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("from torchvision import transforms\nt = transforms.RandAugment()\n", True),
        RuleExample("from torchvision import transforms\nt = transforms.RandomHorizontalFlip()\n", False),
    ),
)
