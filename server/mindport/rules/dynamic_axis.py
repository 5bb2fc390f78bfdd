"""The axis of a reduction or transposition depends on the value of a tensor, or on chance.

What it does
------------
Reports `sum`, `mean`, `max` and the like, `permute` and `transpose` whose axis was read from a tensor or drawn at
random.

Why it matters
--------------
With the axis the whole shape of the result is open in a graph; a number drawn at random is even drawn only once,
when the graph is compiled.

Example
-------
    x = x.sum(dim=axis.item())

Use instead
-----------
    x = x.sum(1)  # one axis, or a branch of its own for each

References
----------
The migration guide of MindSpore, "Dynamic shape".
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import say, translated
from mindport.model.target import Target
from mindport.rules.place import cost
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.places import CodePlace, Topic


def check(place: CodePlace, target: Target) -> str:
    """The message for an axis that varies."""
    return say(
        "the axis of `{place}` depends on {cause}: {cost}; write each axis as a branch of its own",
        place=place.name,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP307",
    name="dynamic-axis",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.AXIS,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR + "def f(x: Tensor, axis: Tensor):\n    return x.sum(dim=axis.item())\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, axis: Tensor):\n    d = int(axis)\n    return x.permute(d, 1 - d)\n",
            True,
        ),
        RuleExample(
            "import random\nimport torch\nfrom torch import Tensor\ndef f(x: Tensor):\n"
            "    return torch.mean(x, random.randint(0, 1))\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, dim=-1):\n    return x.sum(dim)\n",
            False,
        ),
        RuleExample(
            _TENSOR
            + (
                "def f(x: Tensor):\n    for d in range(2):\n        x = x.transpose(0, d)\n"
                "    return torch.max(x, x + 1)\n"
            ),
            False,
        ),
    ),
)
