"""A MindSpore API has no kernel on the target device.

What it does
------------
Reports names of `mindspore.mint`, `ops`, `nn` and Tensor methods that failed for want of a kernel when they were run on
the target device; a layer counts as run when its function was. On devices on which nothing was run, those of `mint`,
`ops` and `nn` whose documentation names only other devices: on CPU many of these do run.

Why it matters
--------------
The name is there on every device, so the code imports and builds its layers; the call raises, and as errors are
asynchronous, often at a later and innocent place.

Example
-------
    y = mint.stack([a, b])  # on CPU

Use instead
-----------
    y = ops.stack([a, b])

References
----------
`mindport explain` with the torch name shows what works on the target device.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Device, Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import TENSOR_CLASS, MindSporeUse

_DOCUMENTED = ("mindspore.mint.", "mindspore.ops.", "mindspore.nn.")
_LAYERS = "mindspore.mint.nn."
_FUNCTIONS = "mindspore.mint.nn.functional."


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for a name that the device cannot run."""
    if use.is_import or use.guarded or not use.name.startswith((*_DOCUMENTED, f"{TENSOR_CLASS}.")):
        return ""
    ran = _ran(use.name, target, facts)
    if ran is False:
        return say(
            "{use} has no kernel on {device} with MindSpore {version}",
            use=use.name,
            device=target.device.value,
            version=target.version,
        )
    if target.device is Device.CPU or not use.name.startswith(_DOCUMENTED):
        return ""
    documented = facts.devices(use.name)
    if not documented or target.device in documented:
        return ""
    devices = " and ".join(sorted(device.value for device in documented))
    return say(
        "{use} is documented for {devices} only, not for {target}",
        use=use.name,
        devices=devices,
        target=target_words(target),
    )


def _ran(name: str, target: Target, facts: MindSporeSide) -> bool | None:
    ran = facts.has_kernel(name, target.device)
    layer = name.removeprefix(_LAYERS)
    if ran is None and layer != name and layer[:1].isupper():
        return facts.has_kernel(_FUNCTIONS + _snake_case(layer.removesuffix("Loss")), target.device)
    return ran


def _snake_case(name: str) -> str:
    """`AdaptiveMaxPool2d` -> `adaptive_max_pool2d`, `ReLU6` -> `relu6`, `BatchNorm2d` -> `batch_norm`."""
    if name.startswith("BatchNorm"):
        return "batch_norm"
    if "LU" in name or name.startswith("Log"):
        return name.lower().replace("logsoftmax", "log_softmax")
    return "".join(
        f"_{letter.lower()}" if letter.isupper() and place and name[place - 1].islower() else letter.lower()
        for place, letter in enumerate(name)
    )


_IMPORT = "from mindspore import mint, nn, ops\n"
RULE = Rule(
    code="MP502",
    name="mindspore-no-kernel",
    severity=Severity.WARNING,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(f"{_IMPORT}def f(a, b):\n    return mint.stack([a, b])\n", True),
        RuleExample(f"{_IMPORT}act = mint.nn.GELU()\n", True),
        RuleExample(f"{_IMPORT}norm = nn.SyncBatchNorm(3)\n", True, device="GPU"),
        RuleExample(f"{_IMPORT}pad = nn.ReplicationPad1d(2)\n", False),
        RuleExample(f"{_IMPORT}def f(a, b):\n    return ops.stack([a, b])\n", False),
        RuleExample(f"{_IMPORT}def f(a, b):\n    return mint.stack([a, b])\n", False, device="Ascend"),
        RuleExample(f"{_IMPORT}def f(a):\n    return mint.abs(a)\n", False),
        RuleExample(f"{_IMPORT}def f(a, mint):\n    return mint.stack([a])\n", False),
        RuleExample(
            f"{_IMPORT}def f(a, device):\n    if device == 'Ascend':\n        return mint.stack([a])\n    return a\n",
            False,
        ),
    ),
)
