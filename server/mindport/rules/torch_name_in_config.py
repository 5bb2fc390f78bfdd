"""A configuration file names a torch class or function.

What it does
------------
Reports values of YAML files that are torch names, such as `_target_: torch.optim.Adam`.

Why it matters
--------------
The name is imported at run time, so it breaks like code, but no search through the code finds it.

Example
-------
    optimizer:
      _target_: torch.optim.Adam

Use instead
-----------
The MindSpore name that the message gives, with its arguments looked at: the keys beside it are its arguments.

References
----------
`mindport explain torch.optim.Adam`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.verdict import Verdict
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule
from mindport.rules.wording import target_words, write_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a torch name in a configuration file."""
    message = say("this configuration names {api}", api=use.api)
    if use.library:
        return say("{message}; {library} is built on torch", message=message, library=use.library)
    if judgement.verdict is Verdict.NONE:
        return say(
            "{message}, which has no equivalent in {target}",
            message=message,
            target=target_words(judgement.target),
        )
    return say(
        "{message}; the target is {target}{write}",
        message=message,
        target=target_words(judgement.target),
        write=write_words(judgement),
    )


RULE = Rule(
    code="MP114",
    name="torch-name-in-config",
    severity=Severity.INFORMATION,
    page=__doc__,
    outcome=Outcome.CONFIG,
    check=check,
)
