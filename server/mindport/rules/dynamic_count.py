"""How many elements are taken or drawn depends on the value of a tensor.

What it does
------------
Reports `topk`, `multinomial`, `randperm`, `split`, `chunk` and `narrow` whose number is a tensor, was read from
one, or is the length of something that varies.

Why it matters
--------------
The number is the size of the result, which is open in a graph.

Example
-------
    k = matches.sum().int().item()
    values, indices = torch.topk(cost, k)

Use instead
-----------
    values, indices = ops.topk(cost, most)  # a fixed number; mask those beyond k

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
    """The message for a number of elements that varies."""
    return say(
        "the number that `{place}` takes depends on {cause}: {cost}; take a fixed number and "
        "mask those beyond",
        place=place.name,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP304",
    name="dynamic-count",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.COUNT,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR + "def f(x: Tensor, n: Tensor):\n    return torch.topk(x, int(n.sum()))\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, n: Tensor):\n    return x.topk(k=n.item())\n",
            True,
        ),
        RuleExample(
            "import torch\ndef f(x):\n    found = torch.where(x > 0)[0]\n"
            "    return torch.randperm(found.numel())\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, k=10):\n    return torch.topk(x, min(k, x.size(0)))\n",
            False,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    return torch.randperm(x.shape[0]), x.split(4, 1)\n",
            False,
        ),
    ),
)
