"""Gradients are accumulated over several batches.

What it does
------------
Points from `no_sync` of the distributed wrapper, by which torch accumulates gradients, to what the target version has.

Why it matters
--------------
MindSpore returns gradients as values: they are added up in the step itself, or by a wrapper. On a dense replacement
of a sparse operator that needs more memory, this keeps the effective batch size.

Example
-------
    with model.no_sync():
        loss.backward()

Use instead
-----------
    gradients = mindspore.value_and_grad(forward, None, optimizer.parameters)
    # add them to accumulated Parameters and call the optimizer every n steps

`mindport accumulate` lets a plain loop of torch do so, and `mindport fix` converts it.

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
    "torch.nn.parallel.DistributedDataParallel.no_sync",
    "torch.nn.parallel.distributed.DistributedDataParallel.no_sync",
)
_OFFERS = (
    Offer(
        "mindspore.parallel.nn.GradAccumulation",
        "it wraps the network with its loss and steps every few batches",
    ),
    Offer(
        "mindspore.value_and_grad",
        "it returns the gradients, which the step adds up before it calls the optimizer",
    ),
    Offer("mindspore.grad", "it returns the gradients, which the step adds up before it calls the optimizer"),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "gradient accumulation", _OFFERS)


RULE = Rule(
    code="MP702",
    name="gradient-accumulation",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample(
            "import torch\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
            "m = DDP(torch.nn.Linear(1, 1))\nwith m.no_sync():\n    pass\n",
            True,
        ),
        RuleExample("import torch\nwith torch.no_grad():\n    pass\n", False),
    ),
)
