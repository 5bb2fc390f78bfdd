"""Training is spread over several devices with torch.

What it does
------------
Points from process groups, DistributedDataParallel, DataParallel and sharded wrappers to distributed training in the
target version.

Why it matters
--------------
There is no wrapper around the model: communication is begun once, the data set is split by rank, and gradients are
reduced in the step (data parallel) or the framework places the operators (sharded).

Example
-------
    torch.distributed.init_process_group("nccl")
    model = DistributedDataParallel(model)

Use instead
-----------
    mindspore.communication.init()
    reducer = mindspore.nn.DistributedGradReducer(optimizer.parameters)
    # start it with: msrun --worker_num=8 train.py

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
    "torch.distributed.init_process_group",
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel",
    "torch.nn.DataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.distributed.fsdp.FullyShardedDataParallel",
)
_OFFERS = (
    Offer(
        "mindspore.communication.init",
        "call it once, split the data by rank, reduce the gradients with mindspore.nn.DistributedGradReducer where "
        "the device has it, and start with msrun",
    ),
)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "distributed training", _OFFERS)


RULE = Rule(
    code="MP704",
    name="distributed-training",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\ntorch.distributed.init_process_group('nccl')\n", True),
        RuleExample("import torch\nm = torch.nn.DataParallel(net)\n", True),
        RuleExample("import torch\nloader = torch.utils.data.DataLoader(data)\n", False),
    ),
)
