"""A statement that would need its receiver twice is written as the value that nobody takes; the fix is as safe as
that case."""

from __future__ import annotations

import pytest
from snippet import HEADER, read_with_runs, rewritten

from mindport.mapping.index import MappingIndex

WITH_VALUE = """
torch: {method: torch.Tensor.mul_}
summary: Multiplies the tensor itself.
cases:
  - {when: {$result: discarded}, verdict: composed, rewrite: "$input[()] = $input.mul($other)", fix: FIX}
  - {when: {$new: true}, verdict: composed, rewrite: $input.mul($other), fix: unsafe}
  - {verdict: composed, rewrite: "torch_in_place(mindspore.Tensor.mul, $input, $other)", fix: unsafe}
"""
EVIDENCE = """
evidence:
  - {case: 0, oracle: x, torch: 2.13.0, mindspore: 2.10.0, device: CPU, grade: run, samples: 3}
"""
EQUALLY_SAFE = WITH_VALUE.replace("FIX", "unsafe")
LESS_SAFE = WITH_VALUE.replace("FIX", "safe") + EVIDENCE
STATEMENT_ONLY = "\n".join(EQUALLY_SAFE.splitlines()[:5])


@pytest.mark.parametrize(
    ("mapping", "before", "after"),
    [
        (EQUALLY_SAFE, "x.mul_(2)", "x[()] = x.mul(2)"),
        (EQUALLY_SAFE, "xs[0].mul_(2)", "torch_in_place(mindspore.Tensor.mul, xs[0], 2)"),
        (EQUALLY_SAFE, "f(x).mul_(2)", "torch_in_place(mindspore.Tensor.mul, f(x), 2)"),
        (EQUALLY_SAFE, "y = x.mul_(2)", "y = torch_in_place(mindspore.Tensor.mul, x, 2)"),
        (LESS_SAFE, "x.mul_(2)", "x[()] = x.mul(2)"),
        (LESS_SAFE, "xs[0].mul_(2)", "torch_in_place(mindspore.Tensor.mul, xs[0], 2)"),
        (STATEMENT_ONLY, "xs[0].mul_(2)", "xs[0].mul_(2)"),
        (STATEMENT_ONLY, "y = x.mul_(2)", "y = x.mul_(2)"),
    ],
)
def test_statement(mapping, before, after):
    index = MappingIndex.of([read_with_runs(mapping, "x.yaml")])
    assert rewritten(f"{HEADER}{before}\n", index).splitlines()[-1] == after
