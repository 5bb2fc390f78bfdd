"""The value of a tensor becomes the size of another one.

What it does
------------
Reports `zeros(n)`, `view(n, -1)`, `arange(n)`, `interpolate(size=...)` and the like where a size was read from a
tensor (`.item()`, `int(t)`, `.tolist()`), is the length of something that varies, or was drawn at random.

Why it matters
--------------
The shape is open in a graph. In PyNative, too, reading a value waits for everything that computes it.

Example
-------
    n = int(lengths.max())
    mask = torch.arange(n) < lengths[:, None]

Use instead
-----------
    mask = ops.arange(x.shape[1]) < lengths[:, None]  # a size that is known without running anything

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
    """The message for a size that is the value of a tensor."""
    return say(
        "a size of `{place}` depends on {cause}: {cost}; use a fixed upper bound, or the size of an input",
        place=place.name,
        cause=translated(place.cause),
        cost=cost(target),
    )


_TENSOR = "import torch\nfrom torch import Tensor\n"

RULE = Rule(
    code="MP308",
    name="value-as-size",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.SIZE,
    check_place=check,
    examples=(
        RuleExample(
            _TENSOR + "def f(lengths: Tensor):\n    return torch.arange(int(lengths.max()))\n",
            True,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor, n: Tensor):\n    return x.view(n.item(), -1)\n",
            True,
        ),
        RuleExample(
            _TENSOR
            + ("def f(x: Tensor, sizes: Tensor):\n    return [torch.zeros(n) for n in sizes.tolist()]\n"),
            True,
        ),
        RuleExample(
            _TENSOR
            + (
                "def f(x: Tensor):\n    b, c = x.shape\n"
                "    return torch.zeros(b, c), x.view(b, -1), x.reshape(x.size(0), 2, -1)\n"
            ),
            False,
        ),
        RuleExample(
            _TENSOR + "def f(x: Tensor):\n    return torch.full((2, 3), x.max().item())\n",
            False,
        ),
    ),
)
