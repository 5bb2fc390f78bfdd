"""Another name with the same meaning.

What it does
------------
Marks uses that work on the target under another name or in another spelling, with the same result.

Why it matters
--------------
Most of a port consists of these. They are hints: editors do not underline them, but offer the fix and the
hover card, and `mindport fix` applies the proved ones.

Example
-------
    y = torch.cat([a, b], dim=1)

Use instead
-----------
    y = ops.cat([a, b], axis=1)

Fix safety
----------
The fix is safe where both frameworks were run on the same inputs and agreed on this version and device.

References
----------
docs/mappings.md.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.mapping.versions import is_listed, is_only_documented
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import (
    LEAVING_OUT,
    LONGEST_REPLACEMENT,
    first_sentence,
    lowered,
    replacement_text,
    target_words,
)
from mindport.usage.api_use import ApiUse, Form


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use that only has to be spelled differently."""
    if use.form is Form.LAYER_CALL:
        return say(
            "the names that {api} has for its arguments are others on {target}; give them by place",
            api=use.api,
            target=target_words(judgement.target),
        )
    text, target = replacement_text(judgement.replacement), target_words(judgement.target)
    if text in LEAVING_OUT:
        return say("{api} is not needed on {target}; leave it out", api=use.api, target=target)
    if len(text) > LONGEST_REPLACEMENT:
        return say("{api} is written differently on {target}; the card shows how", api=use.api, target=target)
    if text and not is_only_documented(judgement.target.version):
        return say("{api} is `{text}` on {target}", api=use.api, text=text, target=target)
    if text and is_listed(use.api, judgement.mindspore_name, judgement.target.version):
        return say("{api} is listed as `{text}` on {target}", api=use.api, text=text, target=target)
    if text:
        return say("{api} would be `{text}` on {target}", api=use.api, text=text, target=target)
    why = judgement.case.why if judgement.case is not None else ""
    return say("{api} is written differently on {target}", api=use.api, target=target) + (
        f": {lowered(first_sentence(why))}" if why else ""
    )


RULE = Rule(
    code="MP110",
    name="plain-rename",
    severity=Severity.HINT,
    page=__doc__,
    outcome=Outcome.RENAMED,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2), torch.ones(2)])\n", True),
        RuleExample("import numpy as torch\ny = torch.cat([1, 2])\n", False),
        RuleExample("import torch\n", False),
    ),
)
