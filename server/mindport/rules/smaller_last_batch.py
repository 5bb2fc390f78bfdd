"""A loader keeps the smaller last batch, for a model that is compiled.

What it does
------------
Reports a DataLoader with batches of several items and without `drop_last=True`, where graph mode is the target.

Why it matters
--------------
The last batch has another shape wherever the number of items is no multiple of the size of a batch, and compiles
the graph a second time.

Example
-------
    loader = DataLoader(dataset, batch_size=32, shuffle=True)

Use instead
-----------
    dataset = dataset.batch(32, drop_remainder=True)

References
----------
The migration guide of MindSpore, "Dynamic shape": input shape not fixed.
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Mode, Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.places import CodePlace, Topic


def check(place: CodePlace, target: Target) -> str:
    """The message for a loader with a smaller last batch."""
    del place
    if target.mode is not Mode.GRAPH:
        return ""
    return say(
        "the last batch may be smaller than the others, and the graph on {target} is compiled "
        "again for it; pass `drop_last=True` for training, or pad the last batch",
        target=target_words(target),
    )


RULE = Rule(
    code="MP311",
    name="smaller-last-batch",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.LAST_BATCH,
    check_place=check,
    examples=(
        RuleExample(
            "from torch.utils.data import DataLoader\ndef f(data):\n"
            "    return DataLoader(data, batch_size=32, shuffle=True)\n",
            True,
            mode="graph",
        ),
        RuleExample(
            "from torch.utils.data import DataLoader\ndef f(data):\n"
            "    return DataLoader(data, batch_size=32, shuffle=True)\n",
            False,
        ),
        RuleExample(
            "from torch.utils.data import DataLoader\ndef f(data):\n"
            "    return DataLoader(data, batch_size=32, drop_last=True)\n",
            False,
            mode="graph",
        ),
        RuleExample(
            "from torch.utils.data import DataLoader\ndef f(data):\n"
            "    return DataLoader(data, batch_size=1)\n",
            False,
            mode="graph",
        ),
        RuleExample(
            "from torch.utils.data import DataLoader\ndef f(data, sampler):\n"
            "    return DataLoader(data, batch_sampler=sampler)\n",
            False,
            mode="graph",
        ),
    ),
)
