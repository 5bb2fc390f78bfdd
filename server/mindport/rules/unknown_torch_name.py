"""A name that points into torch, where torch has nothing of that name.

What it does
------------
Reports references into torch that no public name of torch answers to: a misspelling, a name that newer
versions removed, or an attribute that is added at run time.

Why it matters
--------------
It cannot be ported by name, and often does not even run with a current torch.

Example
-------
    y = torch.no_such_name(x)

Use instead
-----------
The name that the current torch has.

References
----------
`mindport explain torch.name` shows what is known of a name.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a name that torch does not have."""
    return say(
        "torch has no public name {api}, so nothing can be said for {target}",
        api=use.api,
        target=target_words(judgement.target),
    )


RULE = Rule(
    code="MP113",
    name="unknown-torch-name",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.UNKNOWN_NAME,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.no_such_name_at_all\n", True),
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample("import numpy\ny = numpy.no_such_name_at_all\n", False),
    ),
)
