"""The number of segments of a sum depends on the value of a tensor.

What it does
------------
Reports segment sums (`scatter_add`, `index_add`, `scatter_reduce` into a tensor whose size varies,
`unsorted_segment_*` with a number that does).

Why it matters
--------------
The number of segments is the size of the result, which is open in a graph.

Example
-------
    out = torch.zeros(int(index.max()) + 1).scatter_add(0, index, x)

Use instead
-----------
    out = ops.zeros(most).scatter_add(0, index, x)  # a fixed number of segments; some stay empty

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
    """The message for a number of segments that varies."""
    return say(
        "the number of segments of `{place}` depends on {cause}: {cost}; use a fixed number, "
        "of which some stay empty",
        place=place.name,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP306",
    name="dynamic-segments",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.SEGMENTS,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR
            + (
                "def f(x: Tensor, index: Tensor):\n"
                "    return torch.zeros(int(index.max()) + 1).scatter_add(0, index, x)\n"
            ),
            True,
        ),
        RuleExample(
            "from mindspore import ops\ndef f(x, ids):\n    n = ops.max(ids)[0] + 1\n"
            "    return ops.unsorted_segment_sum(x, ids, n)\n",
            True,
        ),
        RuleExample(
            _TENSOR
            + ("def f(x: Tensor, index: Tensor):\n    return torch.zeros(10).scatter_add(0, index, x)\n"),
            False,
        ),
        RuleExample(
            "from mindspore import ops\ndef f(x, ids):\n    return ops.unsorted_segment_sum(x, ids, 4)\n",
            False,
        ),
    ),
)
