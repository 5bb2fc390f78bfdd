"""What torch no longer takes and code still passes, `verbose=True` of a schedule, keeps nothing from being ported."""

from __future__ import annotations

import pytest
from converting import converted

from mindport.registry.torch import torch_facts

HEAD = "from torch.optim import lr_scheduler\n\n\ndef f(optimizer, epochs):\n"
SCHEDULES = "lr_scheduler."


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            "ReduceLROnPlateau(optimizer, verbose=True, patience=3)",
            "ReduceLROnPlateau(optimizer, patience=3)",
        ),
        ("StepLR(optimizer, 30, 0.1, -1, True)", "StepLR(optimizer, 30, 0.1, -1)"),
        ("ExponentialLR(optimizer, 0.9, verbose=epochs > 3)", "ExponentialLR(optimizer, 0.9)"),
        ("ConstantLR(optimizer, verbose=False)", "ConstantLR(optimizer)"),
        ("CosineAnnealingLR(optimizer, 30, verbose=True)", "CosineAnnealingLR(optimizer, 30)"),
    ],
)
def test_what_only_printed_is_left_out(call: str, expected: str) -> None:
    text = converted(f"{HEAD}    return lr_scheduler.{call}  # 打印 🙂\n", unsafe=True)
    assert f"    return {SCHEDULES}{expected}  # 打印 🙂\n" in text


@pytest.mark.parametrize("name", ["LambdaLR", "OneCycleLR", "MultiplicativeLR"])
def test_classes_that_are_put_into_the_file_take_it(name: str) -> None:
    text = converted(f"{HEAD}    return lr_scheduler.{name}(optimizer, epochs, verbose=True)\n", unsafe=True)
    assert f"    return Torch{name}(optimizer, epochs, verbose=True)\n" in text
    assert "verbose=False" in text.partition(f"class Torch{name}")[2]


@pytest.mark.parametrize(
    ("name", "takes_it"),
    [
        ("torch.optim.lr_scheduler.StepLR", True),
        ("torch.optim.lr_scheduler.LRScheduler", True),
        ("torch.optim.lr_scheduler.ChainedScheduler", False),
        ("torch.optim.Optimizer.add_param_group", False),
        ("torch.optim.SGD", False),
        ("torch.nn.Linear", False),
    ],
)
def test_who_had_it(name: str, takes_it: bool) -> None:
    signatures = torch_facts().signatures(name)
    assert signatures
    assert [one.parameter("verbose") is not None for one in signatures] == [takes_it] * len(signatures)
    assert all([one.name for one in signature.parameters].count("verbose") < 2 for signature in signatures)
