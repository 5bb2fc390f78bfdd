"""An operator gives as many elements as the data say.

What it does
------------
Reports operators whose result has a length that is known only when they have run: `unique`, `nonzero`, `argwhere`,
`masked_select`, `where` with a condition alone, `nms`, `bincount`, `repeat_interleave` with a tensor of repeats,
`one_hot` without the number of classes, packed and unpacked sequences.

Why it matters
--------------
PyNative does not mind. In a graph every shape that follows from it is open: memory cannot be planned ahead, and
the GE backend of Ascend does not take it.

Example
-------
    keep = torch.where(scores > 0.5)[0]

Use instead
-----------
    scores = ops.where(scores > 0.5, scores, 0)  # or carry the mask along, or pad to a fixed number

Fix safety
----------
How many elements `nonzero`, `argwhere` and `where` find has a safe fix, `int(mask.sum())`, and so have the sum and
the mean of `masked_select`. Only a graph is fixed unasked. Elsewhere there is no fix: a padded or masked tensor
changes what the code after it has to do.

References
----------
The migration guide of MindSpore, "Dynamic shape".
"""

from __future__ import annotations

from mindport.model.finding import Severity
from mindport.model.language import later, say, translated
from mindport.model.target import Target
from mindport.rules.place import cost
from mindport.rules.rule import Rule, RuleExample
from mindport.semantics.domains.shapes.operators import RESULT_WORDS
from mindport.usage.places import CodePlace, Topic

_WAYS = {
    "nonzero": later("carry the mask along, or `ops.where(mask, x, 0)`"),
    "argwhere": later("carry the mask along, or `ops.where(mask, x, 0)`"),
    "flatnonzero": later("carry the mask along, or `ops.where(mask, x, 0)`"),
    "where": later("carry the mask along, or `ops.where(mask, x, 0)`"),
    "masked_select": later("`ops.where(mask, x, 0)` or a product with the mask keeps the shape"),
    "unique": later("do it while data are prepared, or pad to a fixed number"),
    "unique_consecutive": later("do it while data are prepared, or pad to a fixed number"),
    "nms": later("keep a fixed number of boxes by `topk` and mark the others with a mask"),
    "batched_nms": later("keep a fixed number of boxes by `topk` and mark the others with a mask"),
    "remove_small_boxes": later("carry the mask along and set the scores of small boxes to 0"),
    "bincount": later("sum a one-hot of fixed depth"),
    "one_hot": later("pass the number of classes"),
    "repeat_interleave": later("pad to a fixed length"),
}
_USUAL = later("pad to a fixed length")


def check(place: CodePlace, target: Target) -> str:
    """The message for an operator whose result has an open length."""
    words = RESULT_WORDS.get(place.name, RESULT_WORDS["nonzero"])
    return say(
        "`{place}` {words}: {cost}; {way}",
        place=place.name,
        words=translated(words),
        cost=cost(target),
        way=translated(_WAYS.get(place.name, _USUAL)),
    )


RULE = Rule(
    code="MP301",
    name="dynamic-result",
    severity=Severity.HINT,
    graph_severity=Severity.INFORMATION,
    page=__doc__,
    topic=Topic.RESULT,
    check_place=check,
    examples=(
        RuleExample("import torch\ndef f(x):\n    return torch.where(x > 0)[0]\n", True),
        RuleExample("import torch\ndef f(x):\n    return torch.unique(x)\n", True),
        RuleExample("import torch\ndef f(x):\n    return torch.masked_select(x, x > 0)\n", True),
        RuleExample(
            "import torch\nfrom torch import Tensor\ndef f(x: Tensor):\n    return x.nonzero()\n", True
        ),
        RuleExample("from mindspore import ops\ndef f(x):\n    return ops.nonzero(x)\n", True, mode="graph"),
        RuleExample("import torch\ndef f(x, y):\n    return torch.where(x > 0, x, y)\n", False),
        RuleExample(
            "import torch\nfrom torch.nn import functional as F\ndef f(x):\n    return F.one_hot(x, 10)\n",
            False,
        ),
        RuleExample("import numpy as np\ndef f(x):\n    return np.unique(x)\n", False),
    ),
)
