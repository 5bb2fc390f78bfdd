"""What the module itself binds or lends, as far as an import put into it could get in the way."""

from __future__ import annotations

import pytest

from mindport.rewrite.module_names import names_of_module


@pytest.mark.parametrize(
    "text",
    [
        "os = 1\n",
        "import os\n",
        "import posixpath as os  # 路径 🙂\n",
        "def os():\n    return 1\n",
        "for os in systems:\n    pass\n",
        "with system() as os:\n    pass\n",
        "def f():\n    global os\n    os = 1\n",
        "__all__ = ['os']\n",
        "from systems import *\n\ndef f():\n    return os.name\n",
    ],
)
def test_what_the_module_has_is_taken(text: str) -> None:
    assert "os" in names_of_module(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "def f(os):\n    return os.name\n",
        "def f():\n    os = 1\n    return os\n",
        "class A:\n    def f(self):\n        return self.os\n",
        "def f(place):\n    os.makedirs(place)  # 没有导入 🙂\n",
        "if torch.cuda.is_available():\n    os.environ['A'] = '1'\n",
    ],
)
def test_what_it_has_not_is_free_and_a_forgotten_import_may_be_made_up_for(text: str) -> None:
    assert "os" not in names_of_module(text)


def test_other_names_that_nothing_binds_are_taken() -> None:
    assert "settings" in names_of_module("def f():\n    return settings.os\n")
