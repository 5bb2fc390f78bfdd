"""Imports from libraries built on torch give way to helpers, each of which is defined once."""

from __future__ import annotations

import pytest

from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.rewrite.ported_imports import with_ported_libraries

IMPORT = "from einops import rearrange\n"


@pytest.mark.parametrize("present", ["", "einsum_steps", "einops_axes", "einops_transform"])
def test_what_the_file_lacks_is_defined(present):
    after = with_ported_libraries(IMPORT + helper_source(present) if present else IMPORT)
    for name in {*needed_helpers("einops_transform"), present} - {""}:
        assert after.count(helper_source(name)) == 1
        assert after.count(f"def {name}(") == 1


@pytest.mark.parametrize(
    "text", ["from einops import parse_shape\n", "from . import rearrange\n", "import (\n"]
)
def test_what_has_no_helper_stays(text):
    assert with_ported_libraries(text) == text
