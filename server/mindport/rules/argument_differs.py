"""The counterpart treats an argument differently, or lacks it.

What it does
------------
Reports calls whose MindSpore counterpart differs in an argument, a default or the form of its result, in a
way that shows: it raises, or the result has another structure.

Why it matters
--------------
Renaming the call is not enough; the arguments have to be looked at.

Example
-------
    torch.add(a, b, out=c)

Use instead
-----------
The fix changes the arguments where that is proved to be right; otherwise the hover card says which ones
differ.

Fix safety
----------
There is no fix for a call that passes an argument without counterpart.

References
----------
docs/mappings.md, the keys `args` and `differences`.
"""

from __future__ import annotations

from mindport.mapping.judgement import DifferenceKind, Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import first_sentence, lowered, target_words, write_words
from mindport.usage.api_use import ApiUse, Form


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a call whose arguments cannot stay as they are."""
    lost = (DifferenceKind.MISSING, DifferenceKind.REPORTED)
    sentences = [d.sentence() for d in judgement.differences if d.matters and d.kind in lost]
    if judgement.evidence is not None and not judgement.evidence.agrees and judgement.no_fix_reason:
        sentences.append(judgement.no_fix_reason)
    if judgement.case is not None:
        sentences += [text for text in (judgement.case.why, *judgement.case.differences) if text]
    sentences += [d.sentence() for d in judgement.differences if d.matters and d.kind not in lost]
    what = say(": {reason}", reason=lowered(first_sentence(sentences[0]))) if sentences else ""
    is_written = use.form is not Form.LAYER_CALL  # what is written there is the call itself
    return say(
        "{api} differs on {target}{what}{write}",
        api=use.api,
        target=target_words(judgement.target),
        what=what,
        write=write_words(judgement) if is_written else "",
    )


RULE = Rule(
    code="MP106",
    name="argument-differs",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.ARGUMENT,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample("import torch\ny = torch.relu(torch.ones(2))\n", False),
    ),
)
