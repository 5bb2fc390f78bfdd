"""A MindSpore name is deprecated in the target version.

What it does
------------
Reports functions, classes and values of MindSpore that the documentation of the target version marks as deprecated.

Why it matters
--------------
One of the next releases may be without the name.

Example
-------
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")

Use instead
-----------
What the deprecation note names, where it names something.

References
----------
The notes in the docstrings of the installed version.
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
    """The message for a name that is going away."""
    note = None if use.is_import or use.guarded or use.receiver else facts.deprecation(use.name)
    if note is None or note.instead == use.name:  # a note on another form of the same name
        return ""
    since = say(" since {since}", since=note.since) if note.since else ""
    instead = say("; use `{instead}`", instead=note.instead) if note.instead else ""
    removal = say("; it may be gone after {removal}", removal=note.removal) if note.removal else ""
    return say(
        "{use} is deprecated on {target}{since}{instead}{removal}",
        use=use.name,
        target=target_words(target),
        since=since,
        instead=instead,
        removal=removal,
    )


_IMPORT = "import mindspore as ms\nfrom mindspore import nn\n"
RULE = Rule(
    code="MP508",
    name="mindspore-name-deprecated",
    severity=Severity.INFORMATION,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}ms.context.set_context(mode=0)\n", True),
        RuleExample(f"{_IMPORT}ms.set_seed(0)\n", False),
        RuleExample(f"{_IMPORT}layer = nn.Dense(3, 4)\n", False),
        RuleExample(f"{_IMPORT}def f(ms):\n    ms.context.set_context(mode=0)\n", False),
    ),
)
