"""A graph keeps the value of its first call.

What it does
------------
Reports random numbers of Python and NumPy, clocks, and tensors kept in an attribute of the object, inside what is
compiled. Each was run with MindSpore 2.10.0 in both modes.

Why it matters
--------------
Nothing is raised. Augmentation inside the model draws the same number in every step; an attribute that is read later
holds what the first call put there.

Example
-------
    def construct(self, x):
        if random.random() < self.rate:
            x = self.drop(x)
        self.features = self.body(x)
        return self.head(self.features)

Use instead
-----------
    def construct(self, x):
        x = ops.where(ops.rand(()) < self.rate, self.drop(x), x)
        return self.head(self.body(x))

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
    """The message for a value that stays the one of the first call."""
    found = construct_at(place, target, "frozen")
    if found is None or not found.says:
        return ""
    return say(
        "{says} (`{text}`) keeps the value of the first call {where}; use instead: {instead}",
        says=translated(found.says),
        text=place.text,
        where=where(target, found),
        instead=translated(found.instead),
    )


_NET = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n        "
_JIT = "import mindspore as ms\nfrom mindspore import ops\n@ms.jit\ndef f(x):\n    "

RULE = Rule(
    code="MP403",
    name="graph-value-frozen",
    severity=Severity.ERROR,
    page=__doc__,
    topic=Topic.GRAPH,
    check_place=check,
    examples=(
        RuleExample("import random\n" + _NET + "return x * random.random()\n", True, mode="graph"),
        RuleExample("import numpy as np\n" + _NET + "return x * np.random.rand()\n", True, mode="graph"),
        RuleExample(
            _NET + "y = torch.relu(x)\n        self.features = y\n        return y\n", True, mode="graph"
        ),
        RuleExample(_JIT + "import time\n    return x * time.time()\n", True),
        RuleExample("import random\n" + _NET + "return x * random.random()\n", False),
        RuleExample(
            _NET + "self.size = x.shape[0]\n        return torch.relu(x)\n",
            False,
            mode="graph",
        ),
        RuleExample(_NET + "return x * torch.rand(3)\n", False, mode="graph"),
    ),
)
