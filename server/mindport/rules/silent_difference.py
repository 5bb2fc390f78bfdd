"""Same call, silently different result on the target.

What it does
------------
Reports calls whose MindSpore counterpart runs without a message and computes something else: another default,
another meaning of the same argument, an in-place method that leaves the tensor as it was.

Why it matters
--------------
Nothing fails. The model trains, only worse, and the cause is found days later if at all.

Example
-------
    norm = nn.BatchNorm2d(8)  # momentum 0.1 is the share of the new value

Use instead
-----------
    norm = mindspore.nn.BatchNorm2d(8, momentum=0.9)  # momentum is the share of the old value

Fix safety
----------
The fix is safe where both frameworks were run on the same inputs and agreed on this version and device;
otherwise it is unsafe and has to be looked at.

References
----------
docs/mappings.md, the key `silent`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome, possible_cases
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import first_sentence, lowered, target_words, write_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use whose result would change without notice."""
    harm = judgement.silent or next((case.silent for case in possible_cases(judgement) if case.silent), "")
    return say(
        "{api} silently gives another result on {target}: {reason}{write}",
        api=use.api,
        target=target_words(judgement.target),
        reason=lowered(first_sentence(harm)),
        write=write_words(judgement),
    )


RULE = Rule(
    code="MP101",
    name="silent-difference",
    severity=Severity.ERROR,
    page=__doc__,
    outcome=Outcome.SILENT,
    check=check,
    examples=(
        RuleExample("import torch\nnorm = torch.nn.BatchNorm2d(8)\n", True),
        RuleExample("import torch\nnorm = torch.nn.LayerNorm(8)\n", True),
        RuleExample("import torch\ny = torch.cat([torch.ones(2), torch.ones(2)])\n", False),
        RuleExample("class nn:\n    BatchNorm2d = print\nnorm = nn.BatchNorm2d(8)\n", False),
    ),
)
