"""A graph does not compile with this construct.

What it does
------------
Reports statements and expressions inside `forward` or `construct` that MindSpore's graph compiler refuses, where
graph mode is the target, and inside functions that are decorated with `jit`. Each was run with MindSpore 2.10.0;
what that accepts is not reported.

Why it matters
--------------
The model runs in PyNative and stops with the first call in graph mode.

Example
-------
    def construct(self, x):
        try:
            return self.head(x)
        except ValueError:
            return x

Use instead
-----------
What the message names; or leave that part of the model to PyNative.

References
----------
`mappings/_graph/constructs.json`: every construct with what became of it.
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import say, translated
from mindport.model.target import Target
from mindport.rules.graph import construct_at, where
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.places import CodePlace, Topic


def check(place: CodePlace, target: Target) -> str:
    """The message for a construct that is refused."""
    found = construct_at(place, target, "refused")
    if found is None or not found.says:
        return ""
    return say(
        "{says} does not compile {where}; use instead: {instead}",
        says=translated(found.says),
        where=where(target, found),
        instead=translated(found.instead),
    )


_NET = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n        "
_JIT = "import mindspore as ms\nfrom mindspore import ops\n@ms.jit\ndef f(x):\n    "

RULE = Rule(
    code="MP401",
    name="graph-refused",
    severity=Severity.WARNING,
    page=__doc__,
    topic=Topic.GRAPH,
    check_place=check,
    examples=(
        RuleExample(
            _NET + "try:\n            return x + 1\n        except ValueError:\n            return x\n",
            True,
            mode="graph",
        ),
        RuleExample(
            _NET + "if (n := x.shape[0]) > 1:\n            return x + n\n        return x\n",
            True,
            mode="graph",
        ),
        RuleExample(_JIT + "y = {1, 2}\n    return x + len(y)\n", True),
        RuleExample(
            _NET + "try:\n            return x + 1\n        except ValueError:\n            return x\n",
            False,
            mode="pynative",
        ),
        RuleExample(
            _NET + "print(x)\n        y = [x for _ in range(3)]\n        assert len(y) == 3\n"
            "        return torch.stack(y)\n",
            False,
            mode="graph",
        ),
        RuleExample(
            "import torch\ndef f(x):\n    try:\n        return torch.relu(x)\n"
            "    except ValueError:\n        return x\n",
            False,
            mode="graph",
        ),
    ),
)
