"""What the rules about second-order links share: one judged API on such a link, and the words for it."""

from __future__ import annotations

import msgspec

from mindport.mapping.second_order import LinkOutcome, SecondOrder
from mindport.model.language import say
from mindport.model.target import Mode
from mindport.usage.regions.link import ChainLink

# The end of the pages of rules whose finding a graph around the inner gradient cures.
UNDER_JIT = """
Example
-------
    g = ms.grad(critic)(x)  # critic flattens; differentiated again for the penalty

Use instead
-----------
    g = ms.jit(ms.grad(critic))(x)  # the inner gradient as a graph

Fix safety
----------
The fix runs the inner gradient under `ms.jit`; it is unsafe because code that a graph cannot hold fails to compile.

References
----------
`mindport explain --second-order NAME` shows what was measured, and where.
"""
# A gradient penalty whose critic flattens; `inner` makes the inner gradient.
PENALTY = """import mindspore as ms
from mindspore import nn
critic = nn.SequentialCell(nn.Tanh(), nn.Flatten(), nn.Dense(4, 1))
def loss(x):
    return ({inner}(x) ** 2).sum()
step = ms.value_and_grad(loss, None, critic.trainable_params())
"""


class JudgedLink(msgspec.Struct, frozen=True):
    """An API on a second-order link with what is known of it."""

    link: ChainLink
    answer: SecondOrder

    @property
    def outcome(self) -> LinkOutcome:
        """The kind of finding."""
        return self.answer.outcome


def subject(judged: JudgedLink) -> str:
    """`mindspore.ops.max_pool2d`, or torch's name with what it becomes."""
    api, target = judged.link.use.api, judged.answer.api
    if not api:
        return say("what is called here")
    return api if not target or target == api else say("{api}, here {target},", api=api, target=target)


def where(judged: JudgedLink) -> str:
    """`on MindSpore 2.10.0 on CPU in PyNative`."""
    mode = "PyNative" if judged.answer.mode is Mode.PYNATIVE else say("graph mode")
    target = judged.answer.target
    return say(
        "on MindSpore {version} on {device} in {mode}",
        version=target.version,
        device=target.device.value,
        mode=mode,
    )


def cure(judged: JudgedLink) -> str:
    """What helps, where something is known to."""
    if judged.answer.works_in_graph and judged.answer.mode is Mode.PYNATIVE:
        return say("; run the inner gradient under `ms.jit`, where it was measured right")
    return ""
