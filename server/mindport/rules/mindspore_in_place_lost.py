"""An in-place method leaves the tensor as it is.

What it does
------------
Reports `add_`, `sub_`, `mul_` and `div_` as statements of their own, on CPU in PyNative, where the tensor was made by
MindSpore in the same function. Where the code could as well be torch's, MP101 speaks and has a fix.

Why it matters
--------------
On CPU these methods give the result back and do not write it into the tensor, and nothing is raised. MindSpore 2.10.0
was measured; in a graph they do write.

Example
-------
    total = ops.zeros((3,))
    total.add_(x)

Use instead
-----------
    total = ops.zeros((3,))
    total = total + x

References
----------
docs/architecture.md, the oracle: what it compares after in-place calls.
"""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.finding import Severity
from mindport.model.language import say
from mindport.model.target import Device, Mode, Target
from mindport.rules.rule import Rule, RuleExample
from mindport.rules.wording import target_words
from mindport.usage.mindspore_uses import TENSOR_CLASS, MindSporeUse

_OPERATORS = {"add_": "+", "sub_": "-", "mul_": "*", "div_": "/"}


def check(use: MindSporeUse, target: Target, facts: MindSporeSide) -> str:
    """The message for an in-place call whose result is lost."""
    del facts
    owner, _, method = use.name.rpartition(".")
    if not use.receiver or not use.discarded or owner != TENSOR_CLASS or method not in _OPERATORS:
        return ""
    if target.device is not Device.CPU or target.mode is not Mode.PYNATIVE:
        return ""
    tensor = use.receiver
    return say(
        "`{tensor}.{method}` leaves `{tensor}` unchanged on {target}; write `{tensor} = "
        "{tensor} {operator} ...`",
        tensor=tensor,
        method=method,
        target=target_words(target),
        operator=_OPERATORS[method],
    )


_IMPORT = "from mindspore import jit, ops\n"
RULE = Rule(
    code="MP503",
    name="mindspore-in-place-lost",
    severity=Severity.ERROR,
    page=__doc__,
    check_mindspore=check,
    examples=(
        RuleExample(
            f"{_IMPORT}def f(x):\n    t = ops.zeros((3,))\n    t.add_(x)\n    return t.asnumpy()\n", True
        ),
        RuleExample(
            "import mindspore as ms\ndef f():\n    t = ms.Tensor([1.0])\n    t.mul_(2)\n    return t.asnumpy()\n",
            True,
        ),
        RuleExample(
            f"{_IMPORT}def f(x):\n    t = ops.zeros((3,))\n    t = t.add_(x)\n    return t.asnumpy()\n", False
        ),
        RuleExample(f"{_IMPORT}def f(t):\n    t.add_(1)\n    return ops.relu(t)\n", False),
        RuleExample(f"{_IMPORT}def f(x):\n    t = x.copy()\n    t.add_(1)\n    return ops.relu(t)\n", False),
        RuleExample(
            f"{_IMPORT}def f(x):\n    t = ops.zeros((3,))\n    t.add_(x)\n    return t.asnumpy()\n",
            False,
            device="Ascend",
        ),
        RuleExample(
            f"{_IMPORT}@jit\ndef f(x):\n    t = ops.zeros((3,))\n    t.add_(x)\n    return t.asnumpy()\n",
            False,
        ),
    ),
)
