"""A graph computes the result, but what the function does besides is lost.

What it does
------------
Reports changes of lists and dictionaries of the object or the module, log messages and warnings, and ways out to
NumPy and `math` through which a gradient becomes 0, inside what is compiled. Each was run with MindSpore 2.10.0 in
both modes.

Why it matters
--------------
Nothing is raised. The code runs once, when the graph is compiled, or not at all.

Example
-------
    def construct(self, x):
        self.history.append(x)
        return self.body(x)

Use instead
-----------
    def construct(self, x):
        return self.body(x), x  # what is needed outside is returned

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
    """The message for an effect that is lost."""
    found = construct_at(place, target, "lost")
    if found is None or not found.says:
        return ""
    return say(
        "{says} has no effect {where}; use instead: {instead}",
        says=translated(found.says),
        where=where(target, found),
        instead=translated(found.instead),
    )


_NET = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n        "

RULE = Rule(
    code="MP402",
    name="graph-effect-lost",
    severity=Severity.ERROR,
    page=__doc__,
    topic=Topic.GRAPH,
    check_place=check,
    examples=(
        RuleExample(_NET + "self.seen.append(x)\n        return x + 1\n", True, mode="graph"),
        RuleExample(_NET + "self.seen['y'] = x\n        return x + 1\n", True, mode="graph"),
        RuleExample(
            _NET + "import_ = []\n        import_.append(x)\n        return torch.stack(import_)\n",
            False,
            mode="graph",
        ),
        RuleExample(_NET + "self.seen.append(x)\n        return x + 1\n", False, mode="pynative"),
        RuleExample(
            "import torch\nclass A:\n    def forward(self, x):\n        self.seen.append(torch.relu(x))\n",
            False,
            mode="graph",
        ),
    ),
)
