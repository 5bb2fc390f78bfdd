"""A library that is itself built on torch cannot be used with MindSpore.

What it does
------------
Reports imports of libraries that need torch at run time, such as timm, lightning or torchmetrics. The uses of
what they offer are listed by `mindport inventory`.

Why it matters
--------------
Porting the project's own code is not enough: what the library does has to be replaced as a whole.

Example
-------
    import timm

Use instead
-----------
A counterpart from the MindSpore community where there is one (mindcv for timm, mindnlp for transformers), or
the needed parts copied into the project and ported with it. Common building blocks of timm come along by
themselves when a project is ported (`mindport port`, `mindport fix --unsafe-fixes`), in a module `timm_parts`.

References
----------
`mindport inventory` lists every use.
"""

from __future__ import annotations

from mindport.mapping.judgement import Judgement
from mindport.model.finding import Severity
from mindport.model.language import say, translated
from mindport.registry.libraries import BUILT_ON_TORCH
from mindport.registry.library_parts import part_of
from mindport.rules.outcome import Outcome
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import besides, first_sentence, lowered, target_words
from mindport.usage.api_use import ApiUse


def check(use: ApiUse, judgement: Judgement) -> str:
    """The message for an import of a library that stands on torch."""
    message = say(
        "{library} is built on torch and does not work with {target}",
        library=use.library,
        target=target_words(judgement.target),
    )
    part = part_of(use.api)
    if part:
        module = f"{use.library}_parts"
        return besides(message, say("a port brings `{part}` along, in `{module}`", part=part, module=module))
    library = BUILT_ON_TORCH.get(use.library)
    return (
        message if library is None else besides(message, lowered(first_sentence(translated(library.advice))))
    )


RULE = Rule(
    code="MP105",
    name="library-built-on-torch",
    severity=Severity.WARNING,
    page=__doc__,
    outcome=Outcome.LIBRARY,
    check=check,
    examples=(
        RuleExample("import timm\n", True),
        RuleExample("import numpy\n", False),
        RuleExample("import torch\n", False),
    ),
)
