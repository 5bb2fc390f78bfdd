"""Branches on the value of a tensor give results of different shapes.

What it does
------------
Reports `if` on a tensor, or on a number read from one, after which a name or the returned value has one shape or
another.

Why it matters
--------------
In a graph both branches belong to one operator, whose result has an open shape then. Where the shapes have a
different number of axes, not even that is known.

Example
-------
    if (x > 0.5).any():
        y = torch.masked_select(x, x > 0.5)
    else:
        y = torch.zeros_like(x)

Use instead
-----------
    y = ops.where(x > 0.5, x, 0)  # the same shape whatever the values are

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
    """The message for branches whose results differ in shape."""
    what = say("the result") if place.name == "the result" else f"`{place.name}`"
    return say(
        "the branches on `{text}` give {what} different shapes, and which one depends on "
        "{cause}: {cost}; `ops.where` or padding gives both the same shape",
        text=place.text,
        what=what,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP309",
    name="branches-differ-in-shape",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.BRANCHES,
    check_place=check,
    examples=(
        RuleExample(
            "import numpy as np\nimport mindspore as ms\nfrom mindspore import ops\n"
            "x = ms.Tensor(np.random.uniform(0, 1, (10)).astype(np.float32))\n"
            "cond = (x > 0.5).any()\nif cond:\n    y = ops.masked_select(x, x > 0.5)\nelse:\n"
            "    y = ops.zeros_like(x)\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    if x.sum() > 0:\n        return x[:1]\n    return x\n",
            True,
        ),
        RuleExample(
            _TENSOR
            + (
                "def f(x: Tensor):\n    if x.sum() > 0:\n        y = torch.relu(x)\n    else:\n"
                "        y = torch.zeros_like(x)\n    return y\n"
            ),
            False,
        ),
        RuleExample(
            _TENSOR
            + ("def f(x: Tensor, training: bool):\n    if training:\n        return x[:1]\n    return x\n"),
            False,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    if x.shape[0] > 4:\n        return x[:4]\n    return x\n",
            False,
        ),
    ),
)
