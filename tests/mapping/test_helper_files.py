"""Every definition that is put into users' files writes its names and its imports in the way that all of them do."""

from __future__ import annotations

import pytest

from mindport.mapping.helper_source import helper_problem
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
