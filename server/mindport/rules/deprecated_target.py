"""The counterpart is deprecated in the target version.

What it does
------------
Reports uses whose MindSpore counterpart works on the target but is marked as deprecated there.

Why it matters
--------------
The ported code will have to be changed again with one of the next releases.

Example
-------
    y = torch.some_function(x)  # its only counterpart is marked as deprecated

Use instead
-----------
What the deprecation note names, where it names something.

References
----------
docs/mappings.md, the key `deprecated`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import first_sentence, lowered, target_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use whose counterpart is going away."""
    note = lowered(first_sentence(judgement.deprecated))
    return say(
        "{api} becomes a deprecated name on {target}: {note}",
        api=use.api,
        target=target_words(judgement.target),
        note=note,
    )


RULE = Rule(
    code="MP108",
    name="deprecated-target",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.DEPRECATED,
    check=check,
    examples=(RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),),
)
