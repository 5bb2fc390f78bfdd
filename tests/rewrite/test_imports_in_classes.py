"""Imports of torch in the body of a class go above the class."""

import pytest

from mindport.rewrite.imports_in_classes import imports_in_classes
from mindport.rewrite.text_edits import with_edits

HEAD = "import torch\nfrom torch.distributions import Normal  # 🙂\n\n\n"
IMPORT = "    from torch.distributions import constraints\n"
USE = "    kinds = {'loc': constraints.real}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"class A(Normal):\n{IMPORT}{USE}", f"class A(Normal):\n{USE}"),
        (f"class A(Normal):\n    '中文'\n{IMPORT}{USE}", f"class A(Normal):\n    '中文'\n{USE}"),
    ],
)
def test_they_go_above_the_class(before, after):
    found = with_edits(HEAD + before, imports_in_classes(HEAD + before))
    assert found == HEAD.replace("🙂\n", "🙂\n" + IMPORT.lstrip()) + after
    assert imports_in_classes(found) == []


@pytest.mark.parametrize(
    "text",
    [
        f"class A(Normal):\n{IMPORT}",
        f"class A(Normal):\n{IMPORT}{USE}    def f(self):\n        return self.constraints\n",
        f"class A(Normal):\n{IMPORT}{USE}\n\nx = getattr(A, 'constraints')\n",
        f"constraints = 1\n\n\nclass A(Normal):\n{IMPORT}{USE}",
        f"from mine import constraints\n\n\nclass A(Normal):\n{IMPORT}{USE}",
        f"class A(Normal):\n{IMPORT}{USE}\n\ndef f(constraints):\n    return constraints\n",
        "class A(Normal):\n    from torch.distributions import constraints; kinds = 1\n",
        "class A(Normal):\n    from torch.nn import *\n    x = 1\n",
        "class A(Normal):\n    from mine.torch import constraints\n    x = 1\n",
        "class A(Normal):\n    from .torch import constraints\n    x = 1\n",
        "def f():\n    from torch.distributions import constraints\n    return constraints\n",
    ],
)
def test_what_stays(text):
    assert imports_in_classes(HEAD + text) == []
