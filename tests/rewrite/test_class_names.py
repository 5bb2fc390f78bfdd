"""Tests of the names of layers' classes in converted code hold for the layers that they held for in torch."""

import pytest

from mindport.rewrite.class_names import with_torch_class_names

FUNCTION = "import mindspore\n\n\ndef init(m, other):\n    {}\n"
NAME = "name = m.__class__.__name__\n    "

CHANGED = [
    # MindSpore calls a linear layer Dense.
    (
        NAME + "return name.find('Linear') != -1",
        "name = torch_class_name(m)\n    return name.find('Linear') != -1",
    ),
    ("return type(m).__name__ == 'Linear'", "return torch_class_name(m) == 'Linear'"),
    ("return 'ConvTranspose' in type(m).__name__", "return 'ConvTranspose' in torch_class_name(m)"),
    (
        "return type(m).__name__ in ('Conv2d', 'ModuleList')",
        "return torch_class_name(m) in ('Conv2d', 'ModuleList')",
    ),
    # Norms name their weights otherwise.
    (
        NAME + "if name.find('BatchNorm') != -1:\n        m.weight.data[:] = m.bias + other.bias",
        NAME + "if name.find('BatchNorm') != -1:\n        m.gamma.data[:] = m.beta + other.bias",
    ),
    (
        NAME
        + "if 'Conv' in name:\n        use(m.weight)\n    elif 'LayerNorm' in name:\n        use(m.weight)",
        NAME
        + "if 'Conv' in name:\n        use(m.weight)\n    elif 'LayerNorm' in name:\n        use(m.gamma)",
    ),
    (
        "if m.__class__.__name__ == 'GroupNorm' or type(m).__name__ == 'LayerNorm':\n        use(m.bias)",
        "if m.__class__.__name__ == 'GroupNorm' or type(m).__name__ == 'LayerNorm':\n        use(m.beta)",
    ),
]
KEPT = [
    # Both have these names.
    NAME + "return name.find('Conv') != -1",
    "return type(m).__name__ == 'Conv2d'",
    # Nothing is asked.
    "print(type(m).__name__, 'Linear')",
    NAME + "return other.find('Linear')",
    # The branch is for more than norms.
    NAME + "if 'Conv' in name or 'BatchNorm' in name:\n        use(m.weight)",
    NAME + "if 'Norm' not in other:\n        use(m.weight)",
    # A class that the file has itself.
    NAME + "if name == 'AdaptiveInstanceNorm2d':\n        use(m.weight)",
    NAME + "if 'LayerNorm' in name:\n        use(m.weight)\n\n\nclass MyLayerNorm:\n    pass",
    "return m.__name__ == 'Linear'",
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_the_same_layers_are_found(before, after):
    text = with_torch_class_names(FUNCTION.format(before), False)
    assert text.endswith(FUNCTION.format(after).removeprefix("import mindspore\n"))
    assert ("\ndef torch_class_name(" in text) == ("torch_class_name" in after)
    assert with_torch_class_names(text, False) == text


@pytest.mark.parametrize("body", KEPT)
def test_other_code_stays(body):
    text = FUNCTION.format(body)
    assert with_torch_class_names(text, False) == text


def test_an_imported_function_is_not_defined_again():
    text = "from .torch_equivalents import torch_class_name\n\n\ndef f(m):\n    return type(m).__name__ == 'Linear'\n"
    assert with_torch_class_names(text, False) == text.replace("type(m).__name__", "torch_class_name(m)")


def test_columns_are_counted_in_characters():
    text = FUNCTION.format("return ('é', type(m).__name__ == 'Linear')")
    assert "return ('é', torch_class_name(m) == 'Linear')" in with_torch_class_names(text, False)


REGISTRIES = [
    ("def keep(kind):\n    TABLE[kind.__name__] = kind\n", "TABLE[torch_class_name(kind)] = kind"),
    (
        "def keep(self, kind, name=None):\n    self.add(name or kind.__name__, kind)\n",
        "name or torch_class_name(kind)",
    ),
    (
        "def keep(*, 类):\n    TABLE.update({'😀': 1, 类.__name__: 类})\n",
        "{'😀': 1, torch_class_name(类): 类}",
    ),
]
NO_REGISTRIES = [
    "def tell(kind):\n    print(kind.__name__)\n",
    "def timed(function):\n    @functools.wraps(function)\n    def run():\n        log(function.__name__)\n",
    "def keep(kind):\n    TABLE['x'] = kind\n",
    "def keep(one):\n    TABLE[kind.__name__] = one\n",
]


@pytest.mark.parametrize(("before", "after"), REGISTRIES)
def test_registries_have_layers_by_the_names_that_are_asked_for(before, after):
    text = with_torch_class_names(before, True)
    assert after in text and "\ndef torch_class_name(" in text
    assert with_torch_class_names(text, True) == text
    assert with_torch_class_names(before, False) == before


@pytest.mark.parametrize("text", NO_REGISTRIES)
def test_names_of_what_is_kept_nowhere_stay(text):
    assert with_torch_class_names(text, True) == text
