"""The counterpart does not run on the target's device.

What it does
------------
Reports uses whose MindSpore counterpart exists in the target version but has no kernel for the target's
device.

Why it matters
--------------
The call is accepted and fails when it runs, often reported at a later, innocent operator.

Example
-------
    y = torch.some_function(x)  # its counterpart has an Ascend kernel only

Use instead
-----------
Choose another device (`device` in `[tool.mindport]`, `--device Ascend`), or compose the result from other
operators.

References
----------
docs/configuration.md, the setting `device`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import first_sentence
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a use whose counterpart does not run on the device."""
    reason = first_sentence(judgement.device_reason)
    return say(
        "{api} cannot run on {device} with MindSpore {version}: {reason}",
        api=use.api,
        device=judgement.target.device.value,
        version=judgement.target.version,
        reason=reason,
    )


RULE = Rule(
    code="MP104",
    name="device-unsupported",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.NOT_ON_DEVICE,
    check=check,
    examples=(RuleExample("import torch\ny = torch.cat([torch.ones(2)])\n", False),),
)
