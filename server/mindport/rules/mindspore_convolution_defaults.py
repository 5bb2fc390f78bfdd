"""A convolution takes MindSpore's defaults: it pads to the same size and has no bias.

What it does
------------
Reports the convolutions of `mindspore.nn` with neither `pad_mode` nor `has_bias`.

Why it matters
--------------
torch's convolutions pad nothing and have a bias. A layer carried over by name alone gives results of another size, or
of the same size and with other values, and lacks a parameter of the checkpoint.

Example
-------
    conv = nn.Conv2d(3, 64, 3)

Use instead
-----------
    conv = nn.Conv2d(3, 64, 3, pad_mode="valid", has_bias=True)

References
----------
The signature of `mindspore.nn.Conv2d`.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import MindSporeUse

_LAYERS = frozenset(
    f"mindspore.nn.Conv{dimensions}d{kind}" for dimensions in (1, 2, 3) for kind in ("", "Transpose")
)


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for a convolution that says neither how it pads nor whether it has a bias."""
    if use.name not in _LAYERS or use.arguments is None or use.is_open:
        return ""
    signatures = facts.signatures(use.name)
    if not signatures:
        return ""
    positions = {parameter.name: place for place, parameter in enumerate(signatures[0].parameters)}
    for name in ("pad_mode", "has_bias"):
        if name not in positions or use.argument(name, positions[name]) is not None:
            return ""
    layer = use.name.rpartition(".")[2]
    return say(
        "nn.{layer} pads to the same size and has no bias on {target}, unlike torch's; give "
        "`pad_mode` and `has_bias`",
        layer=layer,
        target=target_words(target),
    )


_IMPORT = "from mindspore import nn\n"
RULE = Rule(
    code="MP504",
    name="mindspore-convolution-defaults",
    severity=Severity.WARNING,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}conv = nn.Conv2d(3, 64, 3)\n", True),
        RuleExample("import mindspore.nn as nn\nconv = nn.Conv1d(3, 64, kernel_size=3, stride=2)\n", True),
        RuleExample(f"{_IMPORT}conv = nn.Conv2d(3, 64, 3, pad_mode='same')\n", False),
        RuleExample(f"{_IMPORT}conv = nn.Conv2d(3, 64, 3, has_bias=True)\n", False),
        RuleExample(f"{_IMPORT}conv = nn.Conv2d(3, 64, 3, 1, 'valid')\n", False),
        RuleExample(f"{_IMPORT}def f(options):\n    return nn.Conv2d(3, 64, 3, **options)\n", False),
        RuleExample("import mindspore\nimport torch.nn as nn\nconv = nn.Conv2d(3, 64, 3)\n", False),
    ),
)
