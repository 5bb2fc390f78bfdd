"""Batches come in varying sizes.

What it does
------------
Reports `pad_sequence`, sizes taken from the longest item of a batch, and collate functions that leave the items as
they are (`tuple(zip(*batch))`).

Why it matters
--------------
Each new shape of an input compiles a graph anew, unless the inputs are declared as varying.

Example
-------
    batch = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)

Use instead
-----------
    # pad to a fixed length (or to few: buckets), or declare the axis: ms.Tensor(shape=(None, 80)) in set_inputs

References
----------
The migration guide of MindSpore, "Dynamic shape": input shape not fixed.
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import later, say, translated
from mindport.model.target import Device, Target
from mindport.rules.place import default_of_ge, recompiles
from mindport.rules.rule import Rule, RuleExample
from mindport.usage.places import CodePlace, Topic


def check(place: CodePlace, target: Target) -> str:
    """The message for batches whose size varies."""
    return say(
        "`{place}` makes inputs of varying size, because {reason}: {recompiles}; pad to a fixed "
        "length or to a few, or declare the axis as None in `set_inputs`{where}",
        place=place.name,
        reason=translated(_REASONS.get(place.name, _REASON)),
        recompiles=recompiles(target),
        where=_where(target),
    )


def _where(target: Target) -> str:
    """What declares an axis for nothing, in brackets."""
    if target.device is not Device.ASCEND:
        return ""
    return say(
        " (the GE backend{default} takes no open axis, as is documented; ms_backend does)",
        default=default_of_ge(target),
    )


_REASON = later("a size is that of the longest item of the batch")
_REASONS = {
    "pad_sequence": later("it pads to the longest item of the batch"),
    "zip": later("each item keeps its own size"),
}


RULE = Rule(
    code="MP310",
    name="varying-batch",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.BATCH,
    check_place=check,
    examples=(
        RuleExample(
            "import torch\nfrom torch.nn.utils.rnn import pad_sequence\ndef collate(batch):\n"
            "    return pad_sequence(batch)\n",
            True,
        ),
        RuleExample(
            "import torch\ndef collate_fn(batch):\n    return tuple(zip(*batch))\n"
            "torch.relu(torch.ones(2))\n",
            True,
        ),
        RuleExample(
            "import torch\ndef collate_fn(batch):\n"
            "    longest = max(len(item) for item in batch)\n"
            "    return torch.zeros(len(batch), longest)\n",
            True,
        ),
        RuleExample("import torch\ndef collate_fn(batch):\n    return torch.stack(batch)\n", False),
        RuleExample(
            "import torch\ndef f(xs, ys):\n    return torch.zeros(max(3, 4)), tuple(zip(xs, ys))\n", False
        ),
    ),
)
