"""Values are looked at with hooks, or anomalies are searched for.

What it does
------------
Points from anomaly detection and hooks on tensors and modules to what the target version has for debugging.

Why it matters
--------------
A hook that only looks has a counterpart; one that changes gradients is part of the training and has to be ported with
care. There is no anomaly detection: values that are not finite are found in dumps, or in PyNative with a check.

Example
-------
    torch.autograd.set_detect_anomaly(True)
    layer.register_forward_hook(look)

Use instead
-----------
    layer.register_forward_hook(look)  # of a Cell, in PyNative
    mindspore.ops.TensorDump()("value", x)  # in a graph, on Ascend

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
    "torch.autograd.set_detect_anomaly",
    "torch.autograd.detect_anomaly",
    "torch.nn.Module.register_forward_hook",
    "torch.nn.Module.register_full_backward_hook",
    "torch.nn.Module.register_backward_hook",
    "torch.nn.Module.register_forward_pre_hook",
    "torch.Tensor.register_hook",
)
_OFFERS = (
    Offer(
        "mindspore.nn.Cell.register_forward_hook",
        "Cells take the same kinds of hooks in PyNative; mindspore.ops.TensorDump writes values from a graph "
        "where the device has it",
    ),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "debugging", _OFFERS)


RULE = Rule(
    code="MP709",
    name="debugging",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\ntorch.autograd.set_detect_anomaly(True)\n", True),
        RuleExample("import torch\nm = torch.nn.Linear(1, 1)\nm.register_forward_hook(print)\n", True),
        RuleExample("import torch\ntorch.set_printoptions(precision=3)\n", False),
    ),
)
