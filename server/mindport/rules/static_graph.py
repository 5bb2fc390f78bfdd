"""The model is compiled or scripted with torch.

What it does
------------
Points from `torch.compile`, `torch.jit.script` and `torch.jit.trace` to compilation in the target version.

Why it matters
--------------
MindSpore compiles a function or the `construct` of a Cell that is decorated, or everything in graph mode. What
may stand in such code is told by the MP4 rules.

Example
-------
    model = torch.compile(model)

Use instead
-----------
    model.construct = mindspore.jit(model.construct)

References
----------
The migration guide of MindSpore, "Function and feature recommendation".
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.target import Target
from mindport.rules.feature import Offer, advice
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.api_use import ApiUse

_STARTS = (
    "torch.compile",
    "torch.jit.script",
    "torch.jit.trace",
)
_OFFERS = (Offer("mindspore.jit", "decorate the step or `construct` with it"),)


def check(use: ApiUse, target: Target, mindspore: MindSporeSide) -> str:
    """The advice, empty for other uses."""
    return advice(use, target, mindspore, _STARTS, "compilation", _OFFERS)


RULE = Rule(
    code="MP710",
    name="static-graph",
    severity=Severity.HINT,
    page=__doc__,
    check_feature=check,
    examples=(
        RuleExample("import torch\nm = torch.compile(m)\n", True),
        RuleExample("import torch\n@torch.jit.script\ndef f(x):\n    return x\n", True),
        RuleExample("import re\np = re.compile('a')\n", False),
    ),
)
