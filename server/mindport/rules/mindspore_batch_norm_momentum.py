"""The momentum of a batch normalization is torch's, which means the opposite here.

What it does
------------
Reports the batch normalizations of `mindspore.nn` whose `momentum` is a number below 0.5.

Why it matters
--------------
In MindSpore the momentum is the share of the old running statistics, in torch that of the new ones. With 0.1 each batch
replaces nine tenths of the statistics, and evaluation follows the last batch; nothing is raised.

Example
-------
    norm = nn.BatchNorm2d(64, momentum=0.1)

Use instead
-----------
    norm = nn.BatchNorm2d(64, momentum=0.9)

References
----------
The pages of `mindspore.nn.BatchNorm2d` and `torch.nn.BatchNorm2d`.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import MindSporeUse

_LAYERS = frozenset(
    f"mindspore.nn.{name}" for name in ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm")
)
_MOMENTUM = 2  # its place in all of them


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for a momentum that reads like torch's."""
    del facts
    momentum = use.argument("momentum", _MOMENTUM) if use.name in _LAYERS else None
    if momentum is None or not momentum.is_literal or not isinstance(momentum.value, float):
        return ""
    if not 0 < momentum.value < 0.5:
        return ""
    return say(
        "momentum={momentum!r} keeps that share of the old statistics on {target}; "
        "torch's {momentum!r} is `momentum={complement!r}`",
        momentum=momentum.value,
        target=target_words(target),
        complement=round(1 - momentum.value, 12),
    )


_IMPORT = "from mindspore import mint, nn\n"
RULE = Rule(
    code="MP505",
    name="mindspore-batch-norm-momentum",
    severity=Severity.ERROR,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}norm = nn.BatchNorm2d(64, momentum=0.1)\n", True),
        RuleExample(f"{_IMPORT}norm = nn.BatchNorm1d(64, 1e-5, 0.01)\n", True),
        RuleExample(f"{_IMPORT}norm = nn.BatchNorm2d(64, momentum=0.9)\n", False),
        RuleExample(f"{_IMPORT}norm = nn.BatchNorm2d(64)\n", False),
        RuleExample(f"{_IMPORT}def f(m):\n    return nn.BatchNorm2d(64, momentum=m)\n", False),
        RuleExample(f"{_IMPORT}norm = mint.nn.BatchNorm2d(64, momentum=0.1)\n", False),
        RuleExample(
            "import mindspore\nimport torch.nn as nn\nnorm = nn.BatchNorm2d(64, momentum=0.1)\n", False
        ),
    ),
)
