"""Tests of the names of layers' classes in converted code hold for the layers that they held for in torch."""

import pytest

from mindport.rewrite.class_names import with_torch_class_names

NEVER = frozenset[str]().__contains__

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
    # A layer of the project's own has the name that MindSpore has for another one.
    (
        "return 'Dense' in type(m).__name__\n\n\nclass Dense:\n    pass",
        "return 'Dense' in torch_class_name(m)\n\n\nclass Dense:\n    pass",
    ),
    (
        NAME + "return name in ('Conv2d', 'CellList')",
        "name = torch_class_name(m)\n    return name in ('Conv2d', 'CellList')",
    ),
    # A part of the name that MindSpore has for the transposed one.
    (
        NAME + "return name.find('Conv2d') != -1",
        "name = torch_class_name(m)\n    return name.find('Conv2d') != -1",
    ),
    ("return type(m).__name__.startswith('Conv1d')", "return torch_class_name(m).startswith('Conv1d')"),
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
        "if m.__class__.__name__ == 'BatchNorm2d' or type(m).__name__ == 'LayerNorm':\n        use(m.bias)",
        "if m.__class__.__name__ == 'BatchNorm2d' or type(m).__name__ == 'LayerNorm':\n        use(m.beta)",
    ),
    # Groups of several channels keep torch's names; one channel in each is another layer of torch.
    (
        NAME + "if name.find('Norm') != -1:\n        use(m.weight)",
        "name = torch_class_name(m)\n    if name.find('Norm') != -1:\n        use(torch_weight(m))",
    ),
    (
        "if type(m).__name__ == 'GroupNorm':\n        use(m.bias)",
        "if torch_class_name(m) == 'GroupNorm':\n        use(torch_bias(m))",
    ),
    (
        "return type(m).__name__ == 'InstanceNorm2d'",
        "return torch_class_name(m) == 'InstanceNorm2d'",
    ),
    # What is asked for is not written here, in a file that goes through layers.
    (
        "other.apply(use)\n    return type(m).__name__ in other.kinds",
        "other.apply(use)\n    return torch_class_name(m) in other.kinds",
    ),
    (
        "other.apply(use)\n    " + NAME + "COUNTS[name] += 1",
        "other.apply(use)\n    name = torch_class_name(m)\n    COUNTS[name] += 1",
    ),
    (
        "other.apply(use)\n    return getattr(other, m.__class__.__name__, None)",
        "other.apply(use)\n    return getattr(other, torch_class_name(m), None)",
    ),
    (
        "other.apply(use)\n    return HOOKS.get(type(m).__name__)",
        "other.apply(use)\n    return HOOKS.get(torch_class_name(m))",
    ),
]
KEPT = [
    # Neither has them.
    "return 'DenseBlock' in type(m).__name__",
    "return type(m).__name__ == 'LSTMCell'",
    "return type(m).__name__.startswith('Layer')",
    NAME + "return name in ('Conv2d', 'Cell')",
    # Both have these names.
    NAME + "return name.find('Conv') != -1",
    "return type(m).__name__ == 'Conv2d'",
    # Nothing is asked.
    "print(type(m).__name__, 'Linear')",
    "other.apply(use)\n    print(type(m).__name__, f'{type(m).__name__}')",
    "other.apply(use)\n    return type(m).__name__ == 'Conv2d'",
    "return type(m).__name__ in other.kinds",
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
    text = with_torch_class_names(FUNCTION.format(before), False, NEVER)
    assert text.endswith(FUNCTION.format(after).removeprefix("import mindspore\n"))
    for helper in ("torch_class_name", "torch_weight", "torch_bias"):
        assert (f"\ndef {helper}(" in text) == (helper in after)
    assert with_torch_class_names(text, False, NEVER) == text


GOES = "other.apply(use)\n    "
TEXTS = [
    (GOES + "return 'batchnorm' in str(m.__class__)", GOES + "return 'batchnorm' in torch_class_text(m)"),
    (
        GOES + "return '连😀', repr(type(m)).find('conv')",
        GOES + "return '连😀', torch_class_text(m).find('conv')",
    ),
    (
        GOES + """kind = str(m.__class__)\n    print(kind)\n    return kind.split(".")[-1].split("'")[0]""",
        GOES
        + """kind = torch_class_text(m)\n    print(kind)\n    return kind.split(".")[-1].split("'")[0]""",
    ),
]
NO_TEXTS = [
    # No layers are gone through.
    "return 'batchnorm' in str(m.__class__)",
    # Nothing is examined.
    GOES + "print(str(m.__class__), repr(type(m)))",
    GOES + "kind = str(type(m))\n    return kind",
    # Of a class of the project, or of no class.
    GOES + "return 'batchnorm' in str(self.__class__)",
    GOES + "return 'batchnorm' in str(m), str(type(m), 'utf-8').split()",
]


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_texts_of_classes_that_are_examined_are_torchs(before, after):
    text = with_torch_class_names(FUNCTION.format(before), False, NEVER)
    assert text.endswith(FUNCTION.format(after).removeprefix("import mindspore\n"))
    assert "\ndef torch_class_text(" in text and "\ndef torch_class_name(" in text
    assert with_torch_class_names(text, False, NEVER) == text


@pytest.mark.parametrize("body", NO_TEXTS)
def test_other_texts_of_classes_stay(body):
    text = FUNCTION.format(body)
    assert with_torch_class_names(text, False, NEVER) == text


TEXT = GOES + "text = str(m)\n    "
BEFORE_PARENTHESES = [
    (TEXT + "return text[:text.find('(')].strip()", TEXT + "return torch_class_name(m).strip()"),
    (TEXT + "return '连😀', text[: text.index('(')]", TEXT + "return '连😀', torch_class_name(m)"),
    (GOES + "return repr(m).split('(')[0]", GOES + "return torch_class_name(m)"),
    (GOES + "return str(m).split('(', 1)[0] == 'Conv2d'", GOES + "return torch_class_name(m) == 'Conv2d'"),
]
OTHER_TEXTS = [
    "return str(m).split('(')[0]",  # no layers are gone through
    GOES + "return str(self).split('(')[0]",
    GOES + "return str(m).split('(')[1]",
    GOES + "return str(m).split(':')[0]",
    GOES + "return m.split('(')[0]",
    TEXT + "return text[:other.find('(')]",
    TEXT + "return text[1:text.find('(')]",
    TEXT + "return text[text.find('('):]",
]


@pytest.mark.parametrize(("before", "after"), BEFORE_PARENTHESES)
def test_what_stands_before_parentheses_is_the_name_of_the_class(before, after):
    text = with_torch_class_names(FUNCTION.format(before), False, NEVER)
    assert text.endswith(FUNCTION.format(after).removeprefix("import mindspore\n"))
    assert with_torch_class_names(text, False, NEVER) == text


@pytest.mark.parametrize("body", OTHER_TEXTS)
def test_other_parts_of_texts_stay(body):
    assert with_torch_class_names(FUNCTION.format(body), False, NEVER) == FUNCTION.format(body)


HELPERS = [
    ("return type(m).__name__ == 'LeakyReLU'", True),
    ("return type(m).__name__ in ('LeakyReLU', 'ReLU')", True),
    (NAME + "return name.startswith('LeakyReLU')", True),
    # The name of the helper has the word in it, or is torch's.
    (NAME + "return name.find('LeakyReLU') != -1", False),
    (NAME + "return 'LeakyReLU' in name", False),
    ("return type(m).__name__ == 'LayerNorm'", False),
    ("return type(m).__name__ == 'Conv2d'", False),
]


@pytest.mark.parametrize(("body", "is_changed"), HELPERS)
def test_layers_of_helpers_have_the_name_of_torchs(body, is_changed):
    text = FUNCTION.format(body)
    built = {"TorchLeakyReLU", "TorchLayerNorm"}.__contains__
    assert ("torch_class_name(m)" in with_torch_class_names(text, False, built)) == is_changed
    assert with_torch_class_names(text, False, NEVER) == text


@pytest.mark.parametrize(
    ("word", "built", "read"),
    [
        ("BatchNorm", {"BatchNorm3d"}, "torch_weight(m)"),
        ("BatchNorm3d", {"TorchBatchNorm3d"}, "torch_weight(m)"),
        ("BatchNorm2d", {"BatchNorm3d"}, "m.gamma"),
        ("BatchNorm", {"TorchBatchNorm2d"}, "m.gamma"),
    ],
)
def test_norms_with_their_weights_in_another_cell_are_read_by_a_function(word, built, read):
    text = FUNCTION.format(NAME + f"if '{word}' in name:\n        use(m.weight)")
    assert f"use({read})" in with_torch_class_names(text, False, built.__contains__)


@pytest.mark.parametrize("body", KEPT)
def test_other_code_stays(body):
    text = FUNCTION.format(body)
    assert with_torch_class_names(text, False, NEVER) == text


def test_an_imported_function_is_not_defined_again():
    text = "from .torch_equivalents import torch_class_name\n\n\ndef f(m):\n    return type(m).__name__ == 'Linear'\n"
    assert with_torch_class_names(text, False, NEVER) == text.replace(
        "type(m).__name__", "torch_class_name(m)"
    )


def test_columns_are_counted_in_characters():
    text = FUNCTION.format("return ('é', type(m).__name__ == 'Linear')")
    assert "return ('é', torch_class_name(m) == 'Linear')" in with_torch_class_names(text, False, NEVER)


REGISTRIES = [
    ("def keep(kind):\n    TABLE[kind.__name__] = kind\n", "TABLE[torch_class_name(kind)] = kind"),
    (
        "def keep(kind):\n    TABLE[kind.__name__] = read(kind)\n",
        "TABLE[torch_class_name(kind)] = read(kind)",
    ),
    (
        "def keep(self, kind, name=None):\n    self.add(name or kind.__name__, kind)\n",
        "name or torch_class_name(kind)",
    ),
    (
        "def keep(*, 类):\n    TABLE.update({'😀': 1, 类.__name__: 类})\n",
        "{'😀': 1, torch_class_name(类): 类}",
    ),
]
MODULES = [
    (
        "def keep(kind):\n    return importlib.import_module(kind.__module__)\n",
        "return torch_class_module(kind)",
    ),
    ("def keep(*, 类):\n    T[0] = '😀', sys.modules[类.__module__]\n", "'😀', torch_class_module(类)"),
    (
        "def keep(kind):\n    T[kind.__name__] = read(kind)\n\n\n"
        "def read(kind):\n    return kind.__name__, import_module(kind.__module__)\n",
        "return kind.__name__, torch_class_module(kind)",
    ),
]
NO_REGISTRIES = [
    "def tell(kind):\n    print(kind.__module__, kind.__name__)\n",
    "def tell(name):\n    return importlib.import_module(name), sys.modules[__name__]\n",
    "def tell():\n    return importlib.import_module(kind.__module__)\n",
    "def tell(kind):\n    print(kind.__name__)\n",
    "def timed(function):\n    @functools.wraps(function)\n    def run():\n        log(function.__name__)\n",
    "def keep(kind):\n    TABLE['x'] = kind\n",
    "def keep(one):\n    TABLE[kind.__name__] = one\n",
]


@pytest.mark.parametrize(("before", "after"), REGISTRIES)
def test_registries_have_layers_by_the_names_that_are_asked_for(before, after):
    text = with_torch_class_names(before, True, NEVER)
    assert after in text and "\ndef torch_class_name(" in text
    assert with_torch_class_names(text, True, NEVER) == text
    assert with_torch_class_names(before, False, NEVER) == before


@pytest.mark.parametrize(("before", "after"), MODULES)
def test_registries_find_classes_in_their_modules_by_these_names(before, after):
    text = with_torch_class_names(before, True, NEVER)
    assert after in text and "\ndef torch_class_module(" in text and "\ndef torch_class_name(" in text
    assert with_torch_class_names(text, True, NEVER) == text
    assert with_torch_class_names(before, False, NEVER) == before


@pytest.mark.parametrize("text", NO_REGISTRIES)
def test_names_of_what_is_kept_nowhere_stay(text):
    assert with_torch_class_names(text, True, NEVER) == text
