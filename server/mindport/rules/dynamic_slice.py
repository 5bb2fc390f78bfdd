"""The bound of a slice is the value of a tensor.

What it does
------------
Reports `x[:k]` where `k` is a tensor, was read from one (`.item()`, `int(t)`), or is the length of something that
varies. Bounds that are literals, settings, counters of a `range` or sizes of an input are the same each time and
are not reported.

Why it matters
--------------
The length of the slice, and every shape that follows from it, is open in a graph.

Example
-------
    k = lengths.max().item()
    x = x[:, :k]

Use instead
-----------
    x = ops.where(ops.arange(x.shape[1]) < k, x, 0)  # the full length, with the rest masked

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
    """The message for a slice with a bound that varies."""
    return say(
        "the length of `{text}` depends on {cause}: {cost}; keep the full length and mask the rest",
        text=place.text,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP303",
    name="dynamic-slice",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.SLICE,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR + "def f(x: Tensor, n: Tensor):\n    k = n.max().item()\n    return x[:, :k]\n",
            True,
        ),
        RuleExample(
            "import numpy as np\nimport mindspore as ms\nx = ms.Tensor(np.ones(10))\n"
            "k = ms.Tensor(np.random.randint(1, 10), ms.int64)\nprint(x[:k].shape)\n",
            True,
        ),
        RuleExample(_TENSOR + "def f(x: Tensor):\n    k = 3\n    return x[:k]\n", False),
        RuleExample(
            _TENSOR + "def f(x: Tensor, k=5):\n    return x[:k], x[: x.shape[0] // 2]\n",
            False,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    return [x[i : i + 4] for i in range(0, 16, 4)]\n",
            False,
        ),
        RuleExample(
            "import torch\nfrom torch import nn\nclass A(nn.Module):\n"
            "    def __init__(self, k):\n        super().__init__()\n        self.k = k\n"
            "    def forward(self, x):\n        return x[:, : self.k]\n",
            False,
        ),
    ),
)
