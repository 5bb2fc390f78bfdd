"""A torch name that is put together at run time.

What it does
------------
Reports `getattr(torch.nn, name)` and the like, where the name is not a literal, modules that are handed on for
names to be looked up in them, `build(torch.optim, config)`, and `eval(name)` where the project has strings such as
`nn.Upsample`.

Why it matters
--------------
What it refers to depends on a value, so there is no verdict. Where the project writes names of the module as strings,
an unsafe fix writes a dictionary of those in place of the module, and each is converted: `{"Adam": TorchAdam}[name]`;
for a module that is handed on, and for `nn` in what is evaluated, a namespace. A name from elsewhere raises then.
Optimizers and schedulers are often named by configuration: where the project names none, all that can be converted are
written.

Example
-------
    layer = getattr(torch.nn, config.name)(width)

Use instead
-----------
A dictionary of the names that are really used; each of them is then judged.

References
----------
docs/architecture.md, the form `dynamic`.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for a name that is only known at run time."""
    value = f"`{use.detail}`" if use.detail else say("a value")
    if judgement.names:
        return say(
            "the name looked up in {api} depends on {value}; write out those that it may be: {names}",
            api=use.api,
            value=value,
            names=", ".join(judgement.names),
        )
    return say(
        "the name looked up in {api} depends on {value}, not known here; check every possible "
        "one for {target}",
        api=use.api,
        value=value,
        target=target_words(judgement.target),
    )


RULE = Rule(
    code="MP115",
    name="dynamic-torch-name",
    severity=Severity.INFORMATION,
    page=__doc__,
    outcome=Outcome.DYNAMIC,
    check=check,
    examples=(
        RuleExample("import torch\ndef f(name):\n    return getattr(torch.nn, name)\n", True),
        RuleExample("import torch\ny = getattr(torch, 'cat')\n", False),
    ),
)
