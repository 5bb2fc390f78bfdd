"""No gradient goes through a cast to whole numbers that is computed with; other casts stay as they are."""

import pytest

from mindport.rewrite.gradients_of_casts import with_casts_without_gradients

BEFORE = "import torch\n"
HEAD = "import mindspore\nfrom mindspore import ops\n\n\ndef construct(x, w):\n"


@pytest.mark.parametrize(
    "line",
    [
        "return x - S.long()",
        "return S.bool().float() * w",
        "'层 🙂'; return S.bool().to(w)",
        "return w * S.int()",
        "return w[0] + S.to(mindspore.int64) / w",
        "return S.astype(mindspore.int32).astype(mindspore.float32)",
        "place = S.long()\n    return (x - place) * w[place]",
        "place = S.long()\n    return x - place.float()",
        "return w * S[0].int()",
        "return w / S.bool().sum()",
        "return (1 - S.long()).float() * w",
        "return w * S.bool().unsqueeze(-1)",
        "count = S.bool().sum(-1)\n    return w / count",
    ],
)
def test_no_gradient_goes_through(line):
    before = f"{HEAD}    {line.replace('S', 'x')}\n"
    after = with_casts_without_gradients(BEFORE, before)
    assert (
        after
        == f"{HEAD}    {line.replace('S[0]', 'ops.stop_gradient(x[0])').replace('S', 'ops.stop_gradient(x)')}\n"
    )
    assert with_casts_without_gradients(BEFORE, after) == after


@pytest.mark.parametrize(
    "line",
    [
        # Places, and what is compared or only counted.
        "return w[x.long()]",
        "return ops.gather(w, 0, x.long())",
        "place = x.long()\n    return w[place + 1]",
        "return x.bool().sum() > 0",
        # What is whole already, and what has no gradient.
        "return w * (x > 0).int()",
        "return w * ops.arange(3).long()",
        "return x - ops.floor(x).long()",
        "return x.argmax().long() * w",
        "return w * ops.stop_gradient(x).long()",
        # Other casts.
        "return x.half().float() * w",
        "return x.to(w.dtype) * w",
        "return int(x) * w",
        "return x.long() * 2",
    ],
)
def test_others_stay(line):
    text = f"{HEAD}    {line}\n"
    assert with_casts_without_gradients(BEFORE, text) == text


@pytest.mark.parametrize(
    ("line", "is_changed"),
    [
        ("return b - ops.exp(b).long()", True),
        ("c = ops.exp(b) * 2\n    return b - c.long()", True),
        ("return b - torch_relu(b).to(mindspore.int32)", True),
        # What no operator made may be anything.
        ("return b - agent.long()", False),
        ("c = ops.exp(b)\n    return c - agent.int()", False),
        ("return agent.bool() * b", False),
    ],
)
def test_outside_of_networks_operators_made_it(line, is_changed):
    text = f"import mindspore\nfrom mindspore import ops\n\n\ndef f(agent, b):\n    {line}\n"
    assert ("stop_gradient" in with_casts_without_gradients(BEFORE, text)) is is_changed


def test_what_stands_in_parentheses_keeps_them():
    after = with_casts_without_gradients(BEFORE, f"{HEAD}    return w * (x * 9).int()\n")
    assert after.endswith("    return w * (ops.stop_gradient(x * 9)).int()\n")


def test_the_import_that_it_needs():
    text = "from mindspore import nn\n\n\nclass A(nn.Cell):\n    def construct(self, x):\n        return x - x.int()\n"
    after = with_casts_without_gradients(BEFORE, text)
    assert (
        after.startswith("from mindspore import nn\nfrom mindspore import ops\n")
        and "ops.stop_gradient(x).int()" in after
    )
    assert with_casts_without_gradients("import numpy\n", text) == text
