"""Random nests of calls mean the same after rewriting: the old text is run with torch's names bound to
arithmetic on Fractions, the new one with the names it was given."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from snippet import CPU, Kind, rewrites_of, rewritten, usage_of

from mindport.mapping.index import MappingIndex
from mindport.mapping.load import read_mapping
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose

MAPPINGS = [
    "torch: {function: torch.add}\ncases: [{verdict: equivalent, rewrite: $input + $other, "
    "args: {alpha: {drop_when: [1]}}, fix: unsafe}]\n",
    "torch: {function: torch.sub}\ncases: [{verdict: equivalent, rewrite: $input - $other, fix: unsafe}]\n",
    "torch: {function: torch.mul}\ncases: [{verdict: equivalent, rewrite: $input * $other, fix: unsafe}]\n",
    "torch: {function: torch.neg}\ncases: [{verdict: equivalent, rewrite: -$input, fix: unsafe}]\n",
    "torch: {function: torch.where}\ncases: [{verdict: equivalent, rewrite: $input if $condition else $other, "
    "fix: unsafe}]\n",
    "torch: {function: torch.div}\ncases: [{verdict: renamed, call: mindspore.ops.floor_div, fix: unsafe}]\n",
    "torch: {function: torch.pow}\ncases: [{verdict: renamed, call: mindspore.Tensor.pow, fix: unsafe}]\n",
    "torch: {function: torch.lerp}\ncases: [{verdict: equivalent, rewrite: '$end - $input', "
    "args: {weight: {drop: true}}, fix: unsafe}]\n",
]
INDEX = MappingIndex.of([read_mapping(f"summary: x\n{text}", "x.yaml") for text in MAPPINGS])


class Number(Fraction):
    """A number with a method, as a tensor has."""

    def pow(self, other):
        return Number(self * self - other)


class Torch:
    add = staticmethod(lambda input, other: Number(input + other))
    sub = staticmethod(lambda input, other: Number(input - other))
    mul = staticmethod(lambda input, other: Number(input * other))
    neg = staticmethod(lambda input: Number(-input))
    where = staticmethod(lambda condition, input, other: input if condition else other)
    div = staticmethod(lambda input, other: Number(input - 2 * other))
    pow = staticmethod(lambda input, exponent: Number(input * input - exponent))
    lerp = staticmethod(lambda input, end, weight: Number(end - input))


class Ops:
    floor_div = Torch.div


def expression(draw: random.Random, depth: int) -> str:
    """Some expression of calls, operators and parentheses, over several lines now and then."""
    if depth == 0:
        return draw.choice(["a", "b", "c", "N(3)", "(a)", "-b"])
    one, two = (expression(draw, draw.randrange(depth)) for _ in range(2))
    blank = draw.choice(["", "", " ", "\n    "])
    return draw.choice(
        [
            f"torch.add({blank}{one}, {two})",
            f"torch.sub({one},{blank}{two}{blank})",
            f"torch.mul({one}, other={blank}{two})",
            f"torch.neg({one})",
            f"torch.where({one} > {two}, {two}, {one})",
            f"torch.div({one}, {two})",
            f"torch.pow(N({one}), {two})",
            f"torch.lerp(end={one}, input={two}, weight=1)",
            f"({one} - {two})",
            f"N({one} * {two})",
            f"-{one}",
        ]
    )


@pytest.mark.parametrize("seed", range(300))
def test_the_value_stays(seed):
    draw = random.Random(seed)
    source = expression(draw, 5)
    text = f"import torch\nresult = ({source})\nagain = [{expression(draw, 3)}, 1 - {expression(draw, 3)}]\n"
    usage = usage_of(text, dict.fromkeys("abc", Kind.TENSOR))
    new = apply_edits(text, compose(text, rewrites_of(text, usage, INDEX, CPU), usage))
    assert "torch." not in new
    values = {"a": Number(2), "b": Number(-7), "c": Number(5, 3), "N": Number}
    before, after = dict(values, torch=Torch), dict(values, torch=Torch, ops=Ops)
    body = "".join(line for line in new.splitlines(True) if not line.startswith(("import ", "from ")))
    exec(text.replace("import torch\n", ""), before)
    exec(body, after)
    assert (before["result"], before["again"]) == (after["result"], after["again"])


IN_PLACE = """
torch: {{method: torch.Tensor.{name}_}}
summary: x
cases: [{{verdict: composed, rewrite: "into({name}, $input)", args: {{out: {{drop: true}}}}, fix: unsafe}}]
"""


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ("x.exp_().sqrt_()", "into(sqrt, into(exp, x))"),
        ("x.sqrt_().exp_()", "into(exp, into(sqrt, x))"),
        ("x.abs_().sqrt_().exp_()", "into(exp, into(sqrt, into(abs, x)))"),
        ("(x + 1).sqrt_().abs_()", "into(abs, into(sqrt, x + 1))"),
    ],
)
def test_what_begins_at_one_place_stays_in_order(chain, expected):
    index = MappingIndex.of(
        [read_mapping(IN_PLACE.format(name=name), "x.yaml") for name in ("abs", "exp", "sqrt")]
    )
    assert rewritten(f"y = {chain}\n", index) == f"y = {expected}\n"
