"""Nothing on the target does what this call does.

What it does
------------
Reports uses for which MindSpore has neither a counterpart nor a composition that gives the same result on the
chosen version and device.

Why it matters
--------------
The code cannot be ported by rewriting; a decision is needed: another algorithm, a custom operator, or
leaving it out.

Example
-------
    model = torch.jit.script(model)

Use instead
-----------
The hover card and `mindport explain torch.jit.script` name the nearest candidates, each with why it fails,
and the way out. `mindport custom-op` writes an operator that calls torch's kernel on the CPU, to try the port out;
`mindport request-api` writes an issue that asks MindSpore's community for an equivalent.

References
----------
docs/mappings.md, the keys `policy` and `tried`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import later, say, translated
from mindport.rules.outcome import Outcome, possible_cases
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import because, besides, target_words
from mindport.usage.api_use import ApiUse

_WAYS = {
    "equivalent": later("replace it by an equivalent construct"),
    "compose": later("compose it from other operators"),
    "custom-op": later("write a custom operator"),
    "community": later("look for a community package"),
}


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use that has nothing to be ported to."""
    cases = [judgement.case] if judgement.case is not None else possible_cases(judgement)
    why = next((case.why for case in cases if case.why), "")
    policy = next((case.policy for case in cases if case.policy), None)
    message = say("{api} has no equivalent in {target}", api=use.api, target=target_words(judgement.target))
    if not why:
        return besides(message, translated(_WAYS[policy])) if policy is not None else message
    message = because(message, why)
    # Where the way out is other MindSpore code, the explanation has just said which.
    return besides(message, translated(_WAYS[policy])) if policy in ("custom-op", "community") else message


RULE = Rule(
    code="MP102",
    name="no-equivalent",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.ABSENT,
    check=check,
    examples=(
        RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),
        RuleExample("import torch\n", False),
    ),
)
