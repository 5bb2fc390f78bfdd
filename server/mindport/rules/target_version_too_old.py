"""The counterpart exists only in another MindSpore version than the target.

What it does
------------
Reports uses whose MindSpore counterpart came after the target version, or was removed before it.

Why it matters
--------------
The name is not there: the ported code stops with an AttributeError or ImportError.

Example
-------
    y = torch.some_function(x)  # its counterpart came with a later release than target-version

Use instead
-----------
Raise `target-version` in `[tool.mindport]`, or compose the result from older operators.

References
----------
docs/configuration.md, the setting `target-version`.
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
    """The message for a use whose counterpart the target version does not have."""
    reason = first_sentence(judgement.version_reason)
    message = say(
        "{api} has no equivalent in {target}: {reason}",
        api=use.api,
        target=target_words(judgement.target),
        reason=reason,
    )
    return besides(message, first_sentence(judgement.documented)) if judgement.documented else message


RULE = Rule(
    code="MP103",
    name="target-version-too-old",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.TOO_OLD,
    check=check,
    examples=(RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),),
)
