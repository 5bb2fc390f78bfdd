"""A tensor is indexed with an index whose length varies.

What it does
------------
Reports `x[index]`, `gather`, `index_select`, `take` and embeddings whose index comes from an operator of MP301 to
MP304.

Why it matters
--------------
The result is as long as the index, which is open in a graph.

Example
-------
    keep = torch.where(scores > 0.5)[0]
    boxes = boxes[keep]

Use instead
-----------
    scores = ops.where(scores > 0.5, scores, 0)  # keep all boxes; those without a score do not count

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
    """The message for an index of varying length."""
    what = say(
        "`{text}` is as long as its index, which depends on {cause}",
        text=place.text,
        cause=translated(place.cause),
    )
    return say(
        "{what}: {cost}; keep all elements with a mask, or a fixed number of indices",
        what=what,
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP305",
    name="dynamic-index",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.INDEX,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR
            + (
                "def f(boxes: Tensor, scores: Tensor):\n    keep = torch.where(scores > 0.5)[0]\n"
                "    return boxes[keep]\n"
            ),
            True,
        ),
        RuleExample(
            "import torch\nimport torchvision\nfrom torch import Tensor\n"
            "def f(boxes: Tensor, scores: Tensor):\n"
            "    return boxes[torchvision.ops.nms(boxes, scores, 0.5)]\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    return x.index_select(0, torch.nonzero(x).squeeze(1))\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    return x[torch.topk(x, 5)[1]]\n",
            False,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, index: Tensor):\n    return x.gather(1, index)\n",
            False,
        ),
    ),
)
