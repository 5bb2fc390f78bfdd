"""The target version of MindSpore does not have the name.

What it does
------------
Reports MindSpore names that another version has and the target does not, and calls of names that no version has in
`mindspore.nn`, `ops` and `mint`. It speaks only where the names of the target's version were collected. Code that asks
for the version, or catches what may be missing, is left alone.

Why it matters
--------------
The import or the call raises. torch's names are often taken for MindSpore's.

Example
-------
    layers = nn.ModuleList([])  # with mindspore.nn

Use instead
-----------
    layers = nn.CellList([])

References
----------
`mindport explain` with the torch name shows what the target version has.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.registry.mindspore import availability, mindspore_facts
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import MindSporeUse

# All names of these were collected, so one that is not among them does not exist.
_COMPLETE = frozenset(
    ("mindspore.nn", "mindspore.ops", "mindspore.mint", "mindspore.mint.nn", "mindspore.mint.nn.functional")
)


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for a name that is not there."""
    if use.guarded or use.receiver or facts.has(use.name) or not _is_collected(target):
        return ""
    owner, _, last = use.name.rpartition(".")
    if last.startswith("_"):
        return ""
    found = availability(use.name, target.version)
    words = say("{target} does not have {use}", target=target_words(target), use=use.name)
    if found is not None and found.since:
        return say("{words}, which came with {since}", words=words, since=found.since)
    if found is not None:
        return say("{words}; the last version with it was {until}", words=words, until=found.until)
    return words if owner in _COMPLETE and use.arguments is not None else ""


def _is_collected(target: Target) -> bool:
    collected = mindspore_facts(target.version).collected_version
    return (collected.major, collected.minor) == (target.version.major, target.version.minor)


_IMPORT = "from mindspore import mint, nn, ops\n"
RULE = Rule(
    code="MP506",
    name="mindspore-name-missing",
    severity=Severity.WARNING,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}layers = nn.ModuleList([])\n", True),
        RuleExample("import mindspore as ms\nms.check_checkpoint('a.ckpt')\n", True),
        RuleExample("from mindspore import StreamLimitCtx\n", True, version="2.7.0"),
        RuleExample("from mindspore import StreamLimitCtx\n", False),
        RuleExample(f"{_IMPORT}layers = nn.CellList([])\n", False),
        RuleExample(f"{_IMPORT}layer = mint.nn.Linear(3, 4)\n", False),
        RuleExample(f"{_IMPORT}layers = nn.ModuleList([])\n", False, version="2.3.0"),
        RuleExample(
            "try:\n    from mindspore import StreamLimitCtx\nexcept ImportError:\n    pass\n",
            False,
            version="2.7.0",
        ),
        RuleExample("import mindspore\nfrom torch import nn\nlayers = nn.ModuleList([])\n", False),
        RuleExample(f"{_IMPORT}if hasattr(nn, 'ModuleList'):\n    layers = nn.ModuleList([])\n", False),
    ),
)
