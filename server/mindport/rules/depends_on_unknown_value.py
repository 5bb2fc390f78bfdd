"""What to write depends on a value that cannot be read here.

What it does
------------
Reports calls for which more than one answer is possible, because it depends on the value of an argument that
is computed elsewhere, or hidden in `*args` or `**kwargs`.

Why it matters
--------------
A guess would be right for some values and wrong for others, so nothing is changed. The message names the
argument and the possible answers.

Example
-------
    y = F.interpolate(x, size, mode=mode)

Use instead
-----------
Write the value as a literal where it is always the same; otherwise choose by hand.

References
----------
docs/mappings.md, "How a call is judged".
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import listing, say
from mindport.rules.outcome import Outcome, possible_cases
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import case_words, target_words
from mindport.usage.api_use import ApiUse

_SHOWN = 3


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message that names the unknown values and the possible answers."""
    return say(
        "{api} on {target} depends on {depends}, not known here{answers}",
        api=use.api,
        target=target_words(judgement.target),
        depends=depends_words(judgement),
        answers=_answers(judgement),
    )


def depends_words(judgement: Judgement) -> str:
    """What the answer depends on, in words."""
    words = [say("its arguments") if name == "arguments" else f"`{name}`" for name in judgement.depends_on]
    return listing(words)


def _answers(judgement: Judgement) -> str:
    answers = list(dict.fromkeys(case_words(case) for case in possible_cases(judgement)))
    if len(answers) < 2:
        return ""
    more = len(answers) - _SHOWN
    shown = answers[:_SHOWN] + ([say("{more} more", more=more)] if more > 0 else [])
    return say(": {answers}", answers=listing(shown, is_choice=True))


RULE = Rule(
    code="MP109",
    name="depends-on-unknown-value",
    severity=Severity.INFORMATION,
    page=__doc__,
    outcome=Outcome.DEPENDS,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample("import torch\n", False),
    ),
)
