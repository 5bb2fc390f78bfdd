"""Calls of helpers are written without the arguments that the user's call leaves out."""

from __future__ import annotations

import pytest

from mindport.mapping.helper_source import helper_defaults
from mindport.mapping.template import Hole, read_template
from mindport.rewrite.helper_defaults import without_defaults

LOSS = "TorchNLLLoss($weight, $size_average, $ignore_index, $reduce, $reduction)"
DEFAULTS = {
    "weight": "None", "size_average": "None", "ignore_index": "-100", "reduce": "None", "reduction": "'mean'",
    "dim": "1", "dtype": "None",
}  # fmt: skip


def written(template: str, *passed: str) -> str:
    found = without_defaults(read_template(template), passed, lambda hole: DEFAULTS.get(hole.name))
    return "".join(f"${part.name}" if isinstance(part, Hole) else part for part in found.parts)


@pytest.mark.parametrize(
    ("template", "passed", "expected"),
    [
        (LOSS, (), "TorchNLLLoss()"),
        (LOSS, ("weight",), "TorchNLLLoss($weight)"),
        (LOSS, ("reduction",), "TorchNLLLoss(reduction=$reduction)"),
        (LOSS, ("weight", "ignore_index"), "TorchNLLLoss($weight, ignore_index=$ignore_index)"),
        (LOSS, tuple(DEFAULTS), LOSS),
        (f"({LOSS} + 1, 2)", ("weight",), "(TorchNLLLoss($weight) + 1, 2)"),
        (f"f($weight, {LOSS})", (), "f($weight, TorchNLLLoss())"),
        # Its default is another one than torch's, or it has none.
        ("torch_cumprod($input, $dim)", ("input",), "torch_cumprod($input, $dim)"),
        ("torch_cumprod($input, $dim, dtype=$dtype)", ("input",), "torch_cumprod($input, $dim)"),
        (
            "torch_cumprod($input, $dim, dtype=$dtype)",
            ("dtype",),
            "torch_cumprod($input, $dim, dtype=$dtype)",
        ),
        # No helper.
        ("ops.nll_loss($weight, $reduce)", (), "ops.nll_loss($weight, $reduce)"),
        ("own.torch_cumprod($weight, $reduce)", (), "own.torch_cumprod($weight, $reduce)"),
    ],
)
def test_templates(template: str, passed: tuple[str, ...], expected: str) -> None:
    assert written(template, *passed) == expected


def test_parameters_of_helpers() -> None:
    assert helper_defaults("torch_cumprod") == (("input", ""), ("dim", ""), ("dtype", "None"))
    assert dict(helper_defaults("TorchNLLLoss"))["ignore_index"] == "-100"
    assert helper_defaults("no_such_helper") == ()
