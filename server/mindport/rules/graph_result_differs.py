"""A graph computes something else than PyNative here.

What it does
------------
Reports calls inside what is compiled that MindSpore's graph compiler accepts and treats otherwise: `list.sort()` and
`list.remove()` leave the list as it is, `next()` gives the whole sequence, `hash()` another number. Each was run with
MindSpore 2.10.0 in both modes.

Why it matters
--------------
Nothing is raised, and the result is wrong.

Example
-------
    sizes = [4, 2]
    sizes.sort()

Use instead
-----------
    sizes = sorted([4, 2])

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
    """The message for a call that gives something else."""
    found = construct_at(place, target, "differs")
    if found is None or not found.says:
        return ""
    return say(
        "{says} does something else {where} than in PyNative; use instead: {instead}",
        says=translated(found.says),
        where=where(target, found),
        instead=translated(found.instead),
    )


_NET = "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def forward(self, x):\n        "
_JIT = "import mindspore as ms\nfrom mindspore import ops\n@ms.jit\ndef f(x):\n    "

RULE = Rule(
    code="MP404",
    name="graph-result-differs",
    severity=Severity.ERROR,
    page=__doc__,
    topic=Topic.GRAPH,
    check_place=check,
    examples=(
        RuleExample(_NET + "s = [3, 1]\n        s.sort()\n        return x + s[0]\n", True, mode="graph"),
        RuleExample(_JIT + "s = [3, 1]\n    s.remove(3)\n    return x + s[0]\n", True),
        RuleExample(
            _NET + "s = sorted([3, 1])\n        return torch.sort(x)[0] + s[0]\n", False, mode="graph"
        ),
        RuleExample(_NET + "s = [3, 1]\n        s.sort()\n        return x + s[0]\n", False, mode="pynative"),
        RuleExample(
            "import torch\nfrom torch import nn\nclass A(nn.Module):\n    def other(self, s):\n"
            "        s.sort()\n",
            False,
            mode="graph",
        ),
    ),
)
