"""Templates whose fields print parts of objects: a use where such a part is, or may be, a tensor."""

import pytest

from mindport.usage.api_use import Form
from usage.marks import usage_of

METER = """
import torch

class Meter:
    def __init__(self, kind=":f"):
        self.value, self.kind = 0, kind

    def update(self, value):
        self.value = value

    def __str__(self):
        {text}

def run(x: torch.Tensor):  # 层 🙂
    loss, number = Meter(), Number()
    loss.update(x.mean())
    number.update(x.mean().item())
    return {call}

class Number:
    def update(self, value):
        self.value = value

    def __str__(self):
        return "{{value:.3f}}".format(**self.__dict__)
"""


def templates(call="0", text="return ''"):
    usage = usage_of(METER.format(call=call, text=text))
    return [use for use in usage.uses if use.form is Form.FORMAT and use.call.arguments[0].value == "{}"]


@pytest.mark.parametrize(
    "call",
    [
        '"{loss.value:.3f}".format(loss=loss)',
        '"层 🙂 {0.value:8.2e} {1}".format(loss, 3)',
        '("{} {l.value:.1f} "\n        "{n.value:.3f}").format(3, n=number, l=loss)',
    ],
)
def test_a_field_for_a_part_that_is_a_tensor(call):
    (use,) = templates(call)
    line = METER[: METER.index("{call}")].count("\n") + 1
    assert use.span.line == line


@pytest.mark.parametrize(
    ("template", "seen"),
    [("'{:.3f} {}'", 1), ("('层 🙂 {:d} '\n        '{:.3f}')", 1), ("b''", 0), ("unknown", 0)],
)
def test_a_template_that_stands_elsewhere(template, seen):
    usage = usage_of(
        f"import torch\ndef f(x: torch.Tensor):\n    text = {template}\n    return text.format(1, x)\n"
    )
    assert sum(use.form is Form.FORMAT for use in usage.uses) == seen


@pytest.mark.parametrize(
    "text",
    [
        "return self.kind.format(**self.__dict__)",
        "return (self.kind + '{value}').format(**vars(self))",
    ],
)
def test_a_template_that_gets_all_of_an_object(text):
    assert len(templates(text=text)) == 1


@pytest.mark.parametrize(
    "call",
    [
        '"{number.value:.3f}".format(number=number)',
        '"{loss.value}".format(loss=loss)',
        '"{loss.kind:>8}".format(loss=loss)',
        '"{loss.value:{width}f}".format(loss=loss, width=3)',
        '"{loss.value!r:>8}".format(loss=loss)',
        '"{other.value:.3f}".format(other=other)',
        '"{loss.value:.3f".format(loss=loss)',
    ],
)
def test_no_tensor_is_seen(call):
    assert not templates(call)


GUESSED = """
import torch

class Meter:
    def __init__(self):
        self.value = self.mean = self.total = self.count = 0

    def update(self, value, n=1):
        self.value = value
        self.total += value * n
        self.count += n
        self.mean = self.total / self.count

def accuracy(output, target, k):  # 准确率 🙂
    _, found = output.topk(k, 1, True, True)
    return [found.t().eq(target).float().sum(0, keepdim=True)]

def train(net, loader):
    losses, times, right = Meter(), Meter(), Meter()
    for x, y in loader:
        output = net(x)
        losses.update(output.mean().item())
        times.update({other})
        right.update(accuracy(output, y, 1)[0])
    return "{{right.mean:.3f}}".format(right=right)
"""


@pytest.mark.parametrize(("other", "seen"), [("1.5", 1), ("unknown()", 1)])
def test_a_meter_gets_numbers_and_what_may_be_a_tensor(other, seen):
    assert len([use for use in usage_of(GUESSED.format(other=other)).uses if use.form is Form.FORMAT]) == seen


def test_a_meter_that_gets_numbers_alone():
    text = GUESSED.format(other="1.5").replace("[0])", "[0].item())")
    assert [use for use in usage_of(text).uses if use.form is Form.FORMAT] == []
