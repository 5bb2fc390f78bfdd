"""Several MindSpore calls together replace this one.

What it does
------------
Reports uses that no single MindSpore name replaces, but a known composition of several does.

Why it matters
--------------
Searching for one name that does the same takes long and finds nothing.

Example
-------
    y = torch.logsumexp(x, dim=1)  # on a target that has no such operator

Use instead
-----------
The composition that the hover card shows, and the fix writes where it can.

Fix safety
----------
A composition is safe where both frameworks were run and agreed. An argument that it needs twice is repeated
only if it is a plain name or a literal.

References
----------
docs/mappings.md, the key `rewrite`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import because, target_words, write_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use that a composition replaces."""
    message = say("{api} needs several calls on {target}", api=use.api, target=target_words(judgement.target))
    written = write_words(judgement)
    if not written and judgement.case is not None and judgement.case.why:
        return because(message, judgement.case.why)
    return message + written


_NETWORK = "import torch\nfrom torch import nn\nm = nn.Linear(3, 2)\n"

RULE = Rule(
    code="MP107",
    name="needs-composition",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.COMPOSED,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample(f"{_NETWORK}m.to(torch.float16)\n", True, version="2.9.0"),
        RuleExample(f"{_NETWORK}m.half()\n", True, version="2.7.0"),
        RuleExample(f"{_NETWORK}m.to(torch.float16)\n", False),
        RuleExample(f"{_NETWORK}m.to('cpu')\n", False, version="2.9.0"),
    ),
)
