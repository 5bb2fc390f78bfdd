"""A tensor is indexed with a mask, so the result is as long as the mask has true elements.

What it does
------------
Reports `x[mask]` where the mask is a tensor of truth values. Writing through a mask, `x[mask] = 0`, keeps the shape
and is not reported.

Why it matters
--------------
In a graph the length is known only when the mask is: every shape that follows from it is open.

Example
-------
    loss = loss[target > 0].sum()

Use instead
-----------
    loss = ops.where(target > 0, loss, 0).sum()

Fix safety
----------
A sum, a mean and a count of what is selected have a fix, `x.where(mask, 0).sum()` and `int(mask.sum())`: values and
gradients are those of the selection, also where it is empty and where what is left out is no number. It is safe where
the mask certainly has the shape of what it selects from, or only its true elements are counted; else it is not, as a
mask over whole rows would be spread over columns. Only a graph is fixed unasked. For other uses there is no fix: what
may stand in the place of the other elements depends on what the code after it does.

References
----------
The migration guide of MindSpore, "Dynamic shape".
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.rules.place import cost
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.places import CodePlace, Topic


def check(place: CodePlace, target: Target) -> str:
    """The message for an index that is a mask."""
    return say(
        "`{text}` is as long as `{place}` has true elements: {cost}; `ops.where(mask, x, 0)` "
        "or a product with the mask keeps the shape",
        text=place.text,
        place=place.name,
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP302",
    name="dynamic-mask",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.MASK,
    check_place=check,
    examples=(
        RuleExample(_TENSOR + "def f(x: Tensor):\n    return x[x > 0]\n", True),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    mask = torch.isfinite(x) & (x > 0)\n    return x[~mask, 0]\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    x[x > 0] = 0\n    return x\n",
            False,
        ),
        RuleExample(_TENSOR + "def f(x: Tensor, i: Tensor):\n    return x[i]\n", False),
        RuleExample("import numpy as np\ndef f():\n    x = np.ones(3)\n    return x[x > 0]\n", False),
    ),
)
