"""The value before the dot may be a tensor; only its name and use suggest it.

What it does
------------
Marks method calls and attributes that would need a change if the value before the dot were a tensor, where
nothing in view proves or strongly suggests that it is one.

Why it matters
--------------
The value may just as well be an array or a list. So this is a hint, and never carries a fix.

Example
-------
    def total(batch):
        return batch.sum(dim=1)

Use instead
-----------
Annotate the parameter (`batch: torch.Tensor`): then the use is judged, and fixed where that is safe.

References
----------
docs/architecture.md, the confidence of a use.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words, write_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use whose receiver is only guessed."""
    return say(
        "if this is {api}, it needs a look for {target}{write}; nothing here proves it",
        api=use.api,
        target=target_words(judgement.target),
        write=write_words(judgement),
    )


RULE = Rule(
    code="MP111",
    name="guessed-receiver",
    severity=Severity.HINT,
    page=__doc__,
    outcome=Outcome.GUESSED,
    check=check,
    examples=(
        RuleExample("import torch\nx = torch.ones(2)\ny = x.sum()\n", False),
        RuleExample("y = [1].copy()\n", False),
    ),
)
