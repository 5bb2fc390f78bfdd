"""The first argument of `mindspore.nn.Dropout` is the probability to keep, not to drop.

What it does
------------
Reports `mindspore.nn.Dropout` with a positional number below 0.5, or a positional variable whose name speaks of
dropping.

Why it matters
--------------
`nn.Dropout(0.1)` drops nine tenths of the values and raises nothing; training only gets worse.

Example
-------
    self.drop = nn.Dropout(0.1)

Use instead
-----------
    self.drop = nn.Dropout(p=0.1)

References
----------
The signature of `mindspore.nn.Dropout`: `keep_prob` comes before `p`.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import MindSporeUse


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for a dropout whose probability reaches `keep_prob`."""
    if use.name != "mindspore.nn.Dropout" or not use.arguments:
        return ""
    first = use.arguments[0]
    signatures = facts.signatures(use.name)
    takes_keep_prob = (
        signatures and signatures[0].parameters[:1] and signatures[0].parameters[0].name == "keep_prob"
    )
    if first.keyword is not None or first.star or not takes_keep_prob:
        return ""
    if first.is_literal:
        if not isinstance(first.value, float) or not 0 < first.value < 0.5:
            return ""
        value = repr(first.value)
    else:
        name = first.name.lower()
        if "drop" not in name or "keep" in name:
            return ""
        value = first.name
    return say(
        "`Dropout({value})` keeps that share on {target}; write `p={value}` to drop it",
        value=value,
        target=target_words(target),
    )


_IMPORT = "from mindspore import nn\n"
RULE = Rule(
    code="MP501",
    name="mindspore-dropout-keep-prob",
    severity=Severity.ERROR,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}drop = nn.Dropout(0.1)\n", True),
        RuleExample("import mindspore as ms\ndef f(drop_rate):\n    return ms.nn.Dropout(drop_rate)\n", True),
        RuleExample(f"{_IMPORT}drop = nn.Dropout(p=0.1)\n", False),
        RuleExample(f"{_IMPORT}drop = nn.Dropout(keep_prob=0.1)\n", False),
        RuleExample(f"{_IMPORT}drop = nn.Dropout(0.9)\n", False),
        RuleExample(f"{_IMPORT}def f(keep):\n    return nn.Dropout(keep)\n", False),
        RuleExample("import torch.nn as nn\nimport mindspore\ndrop = nn.Dropout(0.1)\n", False),
        RuleExample("from mindspore import mint\ndrop = mint.nn.Dropout(0.1)\n", False),
    ),
)
