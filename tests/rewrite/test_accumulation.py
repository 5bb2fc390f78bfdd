"""Loops that come to add up gradients, text to text: files of `accumulation/` with the code, a line `# becomes`, and
what it becomes, or a line `# stays:` with the reason."""

from pathlib import Path

import pytest
from loop_texts import cases, rewritten_loops

from mindport.model.verdict import Applicability
from mindport.rewrite.training.accumulation import accumulation_rewrites

CASES = Path(__file__).parent / "accumulation"
PATH = "/project/train.py"


def of(text, batches=4):
    """What the loops of a text become, which fixes that takes, and why others stay."""
    return rewritten_loops(text, lambda text, usage: accumulation_rewrites(text, usage, batches))


@pytest.mark.parametrize("name", cases(CASES, "# becomes\n"))
def test_a_plain_loop_steps_once_in_several_passes(name):
    before, _, after = (CASES / f"{name}.txt").read_text().partition("# becomes\n")
    found, kinds, reasons = of(before)
    assert not reasons
    assert found == after
    compile(found, name, "exec")
    assert kinds == {Applicability.UNSAFE}  # whoever trains decides
    again, _, reasons = of(found)
    assert again == found
    assert reasons


@pytest.mark.parametrize("name", cases(CASES, "# stays:"))
def test_another_loop_stays_with_a_reason(name):
    text = (CASES / f"{name}.txt").read_text()
    found, _, reasons = of(text)
    assert found == text
    assert reasons == [text.partition("# stays: ")[2].partition("\n")[0]]


def test_the_number_of_batches_is_the_users():
    before, _, after = (CASES / "plain.txt").read_text().partition("# becomes\n")
    assert of(before, batches=16)[0] == after.replace("accumulation_steps = 4", "accumulation_steps = 16")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "def f(:\n    loss.backward()\n",
        "def f(loss):\n    loss.backward()\n",
        "def f(net, x, optimizer):\n    optimizer.zero_grad()\n    net(x).backward()\n    optimizer.step()\n",
        "for x in y:\n    x.step()\n",
    ],
)
def test_what_is_no_loop_of_training_is_left_alone(text):
    assert of(text) == (text, set(), [])
