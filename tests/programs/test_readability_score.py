"""The score of a port counts what a reviewer would change, and nothing that was there before or had to change."""

from __future__ import annotations

import pytest
from program_bench.readability import Score, score_file, total

LONG = "x = " + "+".join(["value"] * 30)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ("a = 1\n", "a = 1\n", {}),
        ("import torch\n", "import mindspore\n", {"changed": 1, "longest": 16}),
        ("f(x)\n", f"{LONG}\n", {"changed": 1, "longest": len(LONG), "too_long": 1}),
        (f"{LONG}\n", f"{LONG}+1\n", {"changed": 1, "longest": len(LONG) + 2}),  # it was as long before
        ("f(x)\n", "(lambda x: x)(x)\n", {"changed": 1, "longest": 16, "lambdas": 1}),
        ("f(lambda: 1)\n", "g(lambda: 1)\n", {"changed": 1, "longest": 12}),
        ("f(x)  # why\n", "g(x)\n", {"changed": 1, "longest": 4, "comments": 1}),
        ("f(x)  # why\n", "# why\ng(x)\n", {"changed": 2, "longest": 5}),
        ("if x:\n    f()\n", "if x:\n\n  f()\n", {"changed": 2, "longest": 5, "needless": 2}),
        ("f(x)\n", "f(x.int())\n", {"changed": 1, "longest": 10, "casts": 1}),
        ("f(x)\n", "f(x.astype(ms.int32))\n", {"changed": 1, "longest": 21, "casts": 1}),
        ("f(x.int())\n", "f(x.to(mindspore.int32))\n", {"changed": 1, "longest": 24}),
        ("f(x)\n", "f(x.to(mindspore.int64))\n", {"changed": 1, "longest": 24}),
        ("f(x)\n", "def torch_f(x):\n    return x\nf(x)\n", {"helpers": 2}),
        ("f(x)\n", "@g\ndef torch_f(x): return x\nf(x)\n", {"helpers": 2}),
        (
            "def torch_f(x): pass\n",
            "def torch_f(x): return\n",
            {"changed": 1, "longest": 22},
        ),  # the user's own
    ],
)
def test_what_a_reviewer_counts(before: str, after: str, counts: dict[str, int]) -> None:
    found = score_file(before, after, ["torch_f"])
    named = {"changed", "longest", "too_long", "lambdas", "helpers", "needless", "comments", "casts"}
    assert {name: getattr(found, name) for name in named} == dict.fromkeys(named, 0) | counts


def test_the_longest_line_of_several_files_is_no_sum() -> None:
    scores = [Score(lines=3, longest=90, lambdas=1), Score(lines=4, longest=80, lambdas=1)]
    assert total(scores) == Score(files=2, lines=7, longest=90, lambdas=2)
