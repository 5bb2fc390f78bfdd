"""A conversion of one class changes that class, and adds what it needs."""

from __future__ import annotations

import pytest

from mindport.checking.kept_to_class import kept_to_class

BEFORE = """\
import torch.nn as nn


def other(x):
    return x.weight


class A(nn.Module):
    pass


class B(nn.Module):
    pass
"""
CELL = "class A(mindspore.nn.Cell):\n    pass\n"
CASES = [
    # what comes before, what replaces `other`, the class, what is expected before `other`, and of the class
    ("import mindspore\n", "", CELL, "import mindspore\n", CELL),
    ("import mindspore\n", "x = torch_weight(x)", CELL, "import mindspore\n", CELL),
    ("import mindspore\nimport numpy\n", "", CELL, "import mindspore\n", CELL),
    (
        "import mindspore\n\n\ndef used(x):\n    return x\n\n\ndef idle(x):\n    return x\n",
        "",
        "class A(mindspore.nn.Cell):\n    f = used\n",
        "import mindspore\n\n\ndef used(x):\n    return x\n",
        "class A(mindspore.nn.Cell):\n    f = used\n",
    ),
    (
        "import mindspore\nfrom mindspore import ops\n\n\ndef used(x):\n    return ops.abs(x)\n",
        "",
        "class A(mindspore.nn.Cell):\n    f = used\n",
        "import mindspore\nfrom mindspore import ops\n\n\ndef used(x):\n    return ops.abs(x)\n",
        "class A(mindspore.nn.Cell):\n    f = used\n",
    ),
]


@pytest.mark.parametrize(("added", "elsewhere", "converted", "needed", "kept"), CASES)
def test_the_class_and_what_it_needs(
    added: str, elsewhere: str, converted: str, needed: str, kept: str
) -> None:
    after = BEFORE.replace("class A(nn.Module):\n    pass\n", converted)
    after = after.replace("import torch.nn as nn\n", f"import torch.nn as nn\n{added}")
    if elsewhere:
        after = after.replace("    return x.weight", f"    {elsewhere}\n    return x").replace(
            "B(nn", "B(missing"
        )
    expected = BEFORE.replace("class A(nn.Module):\n    pass\n", kept)
    assert kept_to_class(BEFORE, after, "A") == expected.replace(
        "import torch.nn as nn\n", f"import torch.nn as nn\n{needed}"
    )


@pytest.mark.parametrize(
    "after",
    [
        BEFORE.replace("import torch.nn as nn", "from mindspore import nn").replace(
            "Module", "Cell"
        ),  # another `nn`
        BEFORE.replace("import torch.nn as nn", "from mindspore import ops, nn").replace(
            "nn.Module):\n    pass\n\n\nclass B", "ops.Cell):\n    pass\n\n\nclass B"
        ),  # another `nn` beside what is needed
        BEFORE.replace("class A(nn.Module):", "class A("),
        BEFORE.replace("class A", "class C"),
        BEFORE,
    ],
)
def test_nothing_is_changed_where_that_is_not_possible(after: str) -> None:
    assert kept_to_class(BEFORE, after, "A") == BEFORE


@pytest.mark.parametrize("text", ["", "class A(\n", "x = 1\n"])
def test_a_text_without_the_class_stays(text: str) -> None:
    assert kept_to_class(text, BEFORE, "A") == text


def test_decorators_comments_and_line_ends_stay() -> None:
    before = "# first\r\nimport a\r\n\r\n@a.b\r\nclass A(a.C):  # own\r\n    x = 1  # \u2028\x0c\r\n# last\r\ny = 2"
    after = before.replace("import a", "import a\r\nimport m").replace("a.C", "m.C").replace("y = 2", "y = 3")
    assert kept_to_class(before, after, "A") == after.replace("y = 3", "y = 2")


def test_an_import_that_only_the_class_read_gives_way() -> None:
    before = "import torch\nfrom torch import nn\n\n\nclass A(nn.Module):\n    pass\n\n\ny = torch.ones(1)\n"
    after = "from mindspore import ops, nn\n\n\nclass A(nn.Cell):\n    pass\n\n\ny = ops.ones(1)\n"
    expected = before.replace("from torch import nn", "from mindspore import ops, nn").replace(
        "Module", "Cell"
    )
    assert kept_to_class(before, after, "A") == expected
