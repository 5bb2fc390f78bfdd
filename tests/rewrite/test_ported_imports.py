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


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (
            "import einops\n\n\ny = einops.rearrange(x, 'a b -> b a')\n",
            "y = einops_transform(x, 'a b -> b a')\n",
        ),
        (
            "import einops as e\n\n\ny = [e.repeat, e.einsum]  # 重复 🙂\n",
            "y = [einops_transform, einops_einsum]  # 重复 🙂\n",
        ),
        (
            "def f(x):\n    from einops import rearrange, repeat as r\n    return rearrange(r(x))\n",
            "def f(x):\n    rearrange, r = einops_transform, einops_transform\n    return rearrange(r(x))\n",
        ),
        (
            "class A:\n    def f(self):\n        from einops.layers.torch import Rearrange\n"
            "        self.r = Rearrange('a -> a')\n",
            "        Rearrange = EinopsLayer\n        self.r = Rearrange('a -> a')\n",
        ),
        (
            "def f(x):\n    from einops import parse_shape, reduce\n    return reduce(x)\n",
            "    from einops import parse_shape\n    reduce = einops_transform\n    return reduce(x)\n",
        ),
        (
            "try:\n    from einops import rearrange\nexcept ImportError:\n    rearrange = None\n",
            "    rearrange = einops_transform\nexcept ImportError:\n    rearrange = None\n",
        ),
        (
            "import einops.layers.torch\n\n\ny = einops.layers.torch.Rearrange('a -> a')\n",
            "y = EinopsLayer('a -> a')\n",
        ),
    ],
)
def test_wherever_they_are_imported_and_as_members(text, after):
    made = with_ported_libraries(text)
    assert made.endswith(after)
    assert "import einops\n" not in made
    compile(made, "made", "exec")
    assert with_ported_libraries(made) == made


def test_a_library_that_something_else_needs_stays_imported():
    made = with_ported_libraries("import einops\n\n\ny = einops.repeat(einops.parse_shape(x, 'a'))\n")
    assert made.startswith("import einops\n")
    assert made.endswith("y = einops_transform(einops.parse_shape(x, 'a'))\n")


@pytest.mark.parametrize(
    "text",
    [
        "def einops(x):\n    return x\n\n\ny = einops(x).repeat\n",
        "from . import einops\n\n\ny = einops.rearrange(x)\n",
        "import einops\n\n\ny = einops.parse_shape(x, 'a')\n",
        "def f(x):\n    from .einops import rearrange\n    return rearrange(x)\n",
    ],
)
def test_other_things_of_the_name_stay(text):
    assert with_ported_libraries(text) == text
