"""Questions for the classes that torch has for each dtype become questions for the dtype."""

from __future__ import annotations

import pytest

from mindport.rewrite.text_edits import with_edits
from mindport.rewrite.typed_classes import typed_class_tests

LONG = "isinstance(x, torch.Tensor) and x.dtype == torch.int64"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if isinstance(x, torch.LongTensor):  # 层 🙂\n    pass", f"if {LONG}:  # 层 🙂\n    pass"),
        (
            "assert isinstance(x, int) or isinstance(x, (torch.LongTensor, torch.cuda.LongTensor))",
            f"assert isinstance(x, int) or ({LONG})",
        ),
        (
            "y = not isinstance(a.b, (torch.FloatTensor, torch.cuda.HalfTensor))",
            "y = not (isinstance(a.b, torch.Tensor) and a.b.dtype in (torch.float32, torch.float16))",
        ),
        (
            "y = isinstance(x, (list, np.ndarray, torch.ByteTensor))",
            "y = isinstance(x, (list, np.ndarray)) or (isinstance(x, torch.Tensor) and x.dtype == torch.uint8)",
        ),
        (
            "assert isinstance(batch[0], torch.LongTensor)  # 层 🙂",
            "assert isinstance(batch[0], torch.Tensor) and batch[0].dtype == torch.int64  # 层 🙂",
        ),
        (
            "import torch as th\nif isinstance(x, (list, th.LongTensor, th.cuda.LongTensor)):\n    pass",
            "import torch as th\n"
            "if isinstance(x, list) or (isinstance(x, th.Tensor) and x.dtype == th.int64):\n    pass",
        ),
        # Whether it is on a GPU.
        (
            "y = isinstance(x.data, torch.cuda.FloatTensor)",
            "y = isinstance(x.data, torch.Tensor) and x.data.is_cuda and x.data.dtype == torch.float32",
        ),
        ("f(k=isinstance(x, torch.LongTensor))", f"f(k=({LONG}))"),
        (
            "y = type(x) in (torch.Tensor, torch.LongTensor)  # 层 🙂",
            "y = type(x) in (torch.Tensor,)  # 层 🙂",
        ),
        ("y = x.__class__ not in [torch.FloatTensor, list,  set]", "y = x.__class__ not in [list, set]"),
    ],
)
def test_questions(text: str, expected: str) -> None:
    assert with_edits(text, typed_class_tests(text)) == expected
    assert typed_class_tests(expected) == []


@pytest.mark.parametrize(
    "text",
    [
        "isinstance(x, torch.Tensor)",
        "isinstance(x, th.LongTensor)",  # nothing says that it is torch
        "import numpy as th\nisinstance(x, th.LongTensor) or torch",
        "isinstance(x[f()], torch.LongTensor)",  # would be computed twice
        "isinstance(f(x), torch.LongTensor)",  # would be computed twice
        "isinstance(x, kinds) or torch.LongTensor",
        "isinstance(x, other.LongTensor) or torch.x",
        "issubclass(x, torch.LongTensor)",
        "if isinstance(x, torch.LongTensor)",
        "type(x) in (torch.FloatTensor, torch.LongTensor)",
        "type(x) in (torch.Tensor, list)",
        "x in (torch.Tensor, torch.LongTensor)",
    ],
)
def test_what_stays(text: str) -> None:
    assert typed_class_tests(text) == []
