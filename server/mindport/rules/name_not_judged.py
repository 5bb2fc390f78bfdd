"""A public torch name, or a way of calling it, that the catalogue has no verdict for.

What it does
------------
Reports uses of torch names that nobody has judged yet, and calls with arguments that no case of a mapping
covers. The message says what MindSpore's own tables document for the name, if anything.

Why it matters
--------------
Silence would read as "works". What the tables document has not been verified by running it.

Example
-------
    y = torch.some_rare_function(x)

Use instead
-----------
Look the name up in MindSpore's documentation; a mapping can be added in ten minutes (docs/mappings.md).

References
----------
docs/mappings.md.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import besides, first_sentence, target_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a name or a call without a verdict."""
    target = target_words(judgement.target)
    if judgement.mapping is not None:
        message = say("{api} is not judged for these arguments on {target}", api=use.api, target=target)
    else:
        message = say("{api} is not judged yet for {target}", api=use.api, target=target)
    reasons = (judgement.documented, judgement.no_fix_reason)
    note = next((text for text in reasons if text), "")
    return besides(message, first_sentence(note)) if note else message


RULE = Rule(
    code="MP112",
    name="name-not-judged",
    severity=Severity.INFORMATION,
    page=__doc__,
    outcome=Outcome.NOT_JUDGED,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample("import torch\ny = torch.no_such_name_at_all\n", False),
    ),
)
