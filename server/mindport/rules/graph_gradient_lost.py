"""A gradient through this is 0 in a graph.

What it does
------------
Reports ways out of the graph inside what is compiled: functions of NumPy and `math` on numbers that come from
tensors, `numpy()`, `tolist()`, `list.extend` and other changes of lists that hold tensors, attributes of the object
that are written and then read. Each was run with MindSpore 2.10.0 in both modes. Objects of plain classes need no
decorator there; in 2.7 calling one, `self.scale(x)`, loses the gradient unless its class has `jit_class`, in the newer
releases it does not.

Why it matters
--------------
Nothing is raised and the result is right, but all gradients behind it are 0: what is trained through it stays as it
is.

Example
-------
    features.extend([self.a(x), self.b(x)])
    scale = math.sqrt(float(x.sum()))

Use instead
-----------
    features = features + [self.a(x), self.b(x)]
    scale = ops.sqrt(x.sum())

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
    """The message for a way out of the graph."""
    found = construct_at(place, target, "no gradient")
    if found is None or not found.says:
        return ""
    return say(
        "gradients through {says} are 0 without a message {where}; use instead: {instead}",
        says=translated(found.says),
        where=where(target, found),
        instead=translated(found.instead),
    )


_NET = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n        "

_JIT = "import mindspore as ms\nfrom mindspore import ops\n@ms.jit\ndef f(x):\n    "

RULE = Rule(
    code="MP405",
    name="graph-gradient-lost",
    severity=Severity.ERROR,
    page=__doc__,
    topic=Topic.GRAPH,
    check_place=check,
    examples=(
        RuleExample(
            _NET + "y = [x]\n        y.extend([x + 1])\n        return torch.cat(y)\n", True, mode="graph"
        ),
        RuleExample(
            "import math\n" + _NET + "y = torch.relu(x)\n        return y * math.sqrt(y.sum().item())\n",
            True,
            mode="graph",
        ),
        RuleExample(_JIT + "return x * ops.sum(x).asnumpy()\n", True),
        RuleExample(
            _NET + "p = Point(1)\n        p.k = x.sum()\n        return x * p.k\n", True, mode="graph"
        ),
        RuleExample(
            _NET + "p = torch.Size([1])\n        p.k = 2\n        return x * p.k\n", False, mode="graph"
        ),
        RuleExample(_NET + "self.n = x.shape[0]\n        return x / self.n\n", True, mode="graph"),
        RuleExample(
            _NET + "y = [x]\n        y.append(x + 1)\n        return torch.cat(y + [x])\n",
            False,
            mode="graph",
        ),
        RuleExample(
            _NET + "if not self.told:\n            self.told = True\n        return x + 1\n",
            False,
            mode="graph",
        ),
        RuleExample(_NET + "return x * x.sum().item()\n", False, mode="graph"),
        RuleExample(
            "import math\n" + _NET + "return torch.relu(x) * math.sqrt(x.shape[0])\n", False, mode="graph"
        ),
        RuleExample(
            _NET + "y = [x]\n        y.extend([x + 1])\n        return torch.cat(y)\n", False, mode="pynative"
        ),
    ),
)
