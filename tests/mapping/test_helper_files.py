"""Every definition that is put into users' files writes its names and its imports in the way that all of them do."""

from __future__ import annotations

import pytest

from mindport.mapping.helper_source import helper_problem, takes_arguments
from mindport.registry.location import mappings_folder


@pytest.mark.parametrize("name", sorted(path.stem for path in (mappings_folder() / "_helpers").glob("*.py")))
def test_a_helper_imports_under_full_names_and_defines_one_thing(name: str) -> None:
    assert not helper_problem(name)


def test_a_short_name_of_an_import_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "mindport.mapping.helper_source._text",
        lambda name: "import numpy as np\n\n\ndef short():\n    pass\n",
    )
    assert "numpy" in helper_problem("short")


@pytest.mark.parametrize(
    ("name", "count", "keywords", "is_taken"),
    [
        ("torch_std", 2, (), True),
        ("torch_std", 2, ("correction",), True),
        ("torch_std", 2, ("out",), False),
        ("torch_std", 5, (), False),
        ("torch_std", 2, ("dim",), False),  # it has been given by its place
        ("torch_mm", 2, ("out",), True),
        ("torch_randn", 9, ("anything",), True),
        ("TorchBatchNorm2d", 5, ("device",), True),
        ("TorchBatchNorm2d", 6, (), False),
    ],
)
def test_a_definition_has_a_place_for_arguments_or_not(
    name: str, count: int, keywords: tuple[str, ...], is_taken: bool
) -> None:
    assert takes_arguments(name, count, keywords) is is_taken
