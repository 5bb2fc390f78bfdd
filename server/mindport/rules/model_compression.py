"""The model is quantised or pruned with torch.

What it does
------------
Points from `torch.quantization`, `torch.ao` and `torch.nn.utils.prune` to what there is for MindSpore.

Why it matters
--------------
Compression is no part of MindSpore itself but of Golden Stick (mindspore_gs), which works on a trained network.

Example
-------
    model = torch.quantization.quantize_dynamic(model)

Use instead
-----------
    pip install mindspore_gs  # and take one of its algorithms for the device

References
----------
The migration guide of MindSpore, "Function and feature recommendation".
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.rules.feature import is_below
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.api_use import ApiUse

_STARTS = (
    "torch.quantization",
    "torch.ao.quantization",
    "torch.ao.pruning",
    "torch.nn.utils.prune",
    "torch.nn.quantized",
    "torch.nn.qat",
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    if not is_below(use.api, _STARTS):
        return ""
    return say(
        "quantisation or pruning: not in {target} itself; Golden Stick (mindspore_gs) is made for it",
        target=target_words(target),
    )


RULE = Rule(
    code="MP708",
    name="model-compression",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\nq = torch.quantization.quantize_dynamic(m)\n", True),
        RuleExample("import torch.nn.utils.prune as prune\nprune.l1_unstructured(m, 'weight', 0.3)\n", True),
        RuleExample("import torch\ny = torch.quantile(x, 0.5)\n", False),
    ),
)
