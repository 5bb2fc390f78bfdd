"""What a value is that is one thing on one path and another on the next."""

from __future__ import annotations

import pytest

from mindport.usage.types import (
    ARRAY,
    EMPTY_DICT,
    EMPTY_LIST,
    FLOAT,
    INFERRED,
    NDARRAY,
    NONE,
    OF_MINDSPORE,
    PARAMETER,
    PERHAPS,
    STR,
    TENSOR,
    TENSORS,
    UNKNOWN,
    UNKNOWN_DICT,
    Tag,
    Type,
    dict_of,
    join,
    join_all,
    make,
    members,
    sequence_of,
    union,
    weakened,
    with_item,
)

DICTIONARY = dict_of(STR, FLOAT)
SCHEDULES = "torch.optim.lr_scheduler."
EITHER_SCHEDULE = union(make(Tag.INSTANCE, SCHEDULES + name) for name in ("CosineAnnealingLR", "StepLR"))


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (UNKNOWN, DICTIONARY, DICTIONARY),
        (NONE, DICTIONARY, DICTIONARY),
        # What a loop has put into a dictionary that was empty.
        (EMPTY_DICT, DICTIONARY, DICTIONARY),
        (dict_of(STR, NDARRAY), EMPTY_DICT, dict_of(STR, NDARRAY)),
        (UNKNOWN_DICT, DICTIONARY, dict_of(UNKNOWN, UNKNOWN)),
        (PARAMETER, TENSOR, TENSOR),
        (weakened(PARAMETER, INFERRED), PARAMETER, weakened(PARAMETER, INFERRED)),
        (weakened(PARAMETER, INFERRED), TENSOR, TENSORS[INFERRED]),
        (UNKNOWN, TENSOR, weakened(PERHAPS, INFERRED)),
        (weakened(PERHAPS, INFERRED), TENSOR, weakened(PERHAPS, INFERRED)),
        (PARAMETER, weakened(PERHAPS, INFERRED), weakened(PERHAPS, INFERRED)),
        (ARRAY, NDARRAY, NDARRAY),
        (OF_MINDSPORE, FLOAT, UNKNOWN),
        (UNKNOWN, EITHER_SCHEDULE, weakened(EITHER_SCHEDULE, INFERRED)),
        (UNKNOWN, union((TENSOR, FLOAT)), UNKNOWN),
        # `self.schedules = {}` beside `self.schedules[name] = schedule`.
        (UNKNOWN_DICT, dict_of(STR, EITHER_SCHEDULE), dict_of(UNKNOWN, weakened(EITHER_SCHEDULE, INFERRED))),
    ],
)
def test_join(one: Type, other: Type, joined: Type) -> None:
    assert join(one, other) is joined
    assert join(other, one) is joined


@pytest.mark.parametrize(
    ("holder", "item", "after"),
    [
        # Items are written to tensors and arrays, too: `self.rewards = ops.zeros(...)`, `self.rewards[i] = reward`.
        (OF_MINDSPORE, FLOAT, OF_MINDSPORE),
        (TENSOR, FLOAT, TENSOR),
        (NDARRAY, TENSOR, NDARRAY),
        (sequence_of(FLOAT), FLOAT, sequence_of(FLOAT)),
        (EMPTY_LIST, TENSOR, sequence_of(weakened(TENSOR, INFERRED))),
        (UNKNOWN, FLOAT, DICTIONARY),
        (NONE, FLOAT, DICTIONARY),
        (EMPTY_DICT, FLOAT, DICTIONARY),
        (union((TENSOR, DICTIONARY)), FLOAT, union((TENSOR, DICTIONARY))),
        (make(Tag.INSTANCE, "torch.nn.ModuleDict"), FLOAT, make(Tag.INSTANCE, "torch.nn.ModuleDict")),
    ],
)
def test_what_a_container_is_after_something_was_stored_in_it(holder: Type, item: Type, after: Type) -> None:
    assert with_item(holder, item) is after


NETWORKS = [make(Tag.PROJECT_CLASS, f"nets.py:Net{number}") for number in range(30)]
LAYERS = [
    make(Tag.INSTANCE, f"torch.nn.{name}")
    for name in ("ReLU", "ELU", "GELU", "SiLU", "Tanh", "CELU", "Mish", "SELU")
]


@pytest.mark.parametrize("choices", [NETWORKS, LAYERS, [*NETWORKS, *LAYERS]])
def test_a_table_of_many_networks_is_a_choice_of_all(choices: list[Type]) -> None:
    assert set(members(join_all(choices))) == set(choices)
    assert join_all(choices) is join_all(choices[::-1])


@pytest.mark.parametrize(
    "values",
    [
        [TENSOR, FLOAT, STR, DICTIONARY, NDARRAY, make(Tag.BYTES), make(Tag.SET)],
        [*LAYERS[:6], STR],
        [make(Tag.PROJECT_CLASS, f"nets.py:Net{number}") for number in range(65)],
    ],
)
def test_too_many_of_anything_are_not_known(values: list[Type]) -> None:
    assert union(values) is UNKNOWN
