"""A test of a layer's type holds for all classes that the layers of the project become, and for no others."""

from __future__ import annotations

import pytest
from converting import converted

from mindport.checking.fixing import fix_paths

HEAD = "from torch import nn\n\n\n"
# With padding that nobody sees, a convolution is built by a class of its own.
BUILT = "\n\ndef make(pad):\n    return nn.Conv2d(3, 4, 3, padding=pad)\n"

TESTS = [
    # What the class of its own derives from holds for both.
    ("isinstance(m, nn.Conv2d)", "isinstance(m, nn.Conv2d)"),
    ("issubclass(type(m), nn.Conv2d)", "issubclass(type(m), nn.Conv2d)"),
    ("isinstance(m, (nn.Conv2d, nn.Linear))", "isinstance(m, (nn.Conv2d, nn.Dense))"),
    # It does not derive from MindSpore's.
    ("isinstance(m, nn.MaxPool2d)", "isinstance(m, (nn.MaxPool2d, TorchMaxPool2d))"),
    ("isinstance(m, (nn.AvgPool2d, nn.ReLU))", "isinstance(m, ((nn.AvgPool2d, TorchAvgPool2d), nn.ReLU))"),
    ("isinstance(m, nn.LSTM)", "isinstance(m, (TorchLSTM, TorchProjectedLSTM))"),
    ("isinstance(m, nn.GRU)", "isinstance(m, TorchGRU)"),
    # The very class.
    ("type(m) == nn.Conv2d", "type(m) in (nn.Conv2d, TorchConv2d)"),
    ("type(m) is nn.Conv2d", "type(m) in (nn.Conv2d, TorchConv2d)"),
    ("m.__class__ is nn.Conv2d", "m.__class__ in (nn.Conv2d, TorchConv2d)"),
    ("type(m) != nn.Conv2d", "type(m) not in (nn.Conv2d, TorchConv2d)"),
    ("type(m) is not nn.Conv2d", "type(m) not in (nn.Conv2d, TorchConv2d)"),
    ("nn.Conv2d == type(m)", "type(m) in (nn.Conv2d, TorchConv2d)"),
    ("type(m) in (nn.Linear, nn.Conv2d)", "type(m) in (nn.Dense, nn.Conv2d, TorchConv2d)"),
    ("type(m) not in [nn.Conv2d]", "type(m) not in [nn.Conv2d, TorchConv2d]"),
    ("not (type(m) == nn.Conv2d)", "not (type(m) in (nn.Conv2d, TorchConv2d))"),
    # No layer is built by another class.
    ("type(m) == nn.Linear", "type(m) == nn.Dense"),
    ("type(m) in (nn.Linear, nn.ReLU)", "type(m) in (nn.Dense, nn.ReLU)"),
    # Each parameter is of a class that is made for it.
    ("type(m) is nn.Parameter", "isinstance(m, mindspore.Parameter)"),
    ("m.__class__ != nn.Parameter", "not isinstance(m, mindspore.Parameter)"),
    ("nn.Parameter == type(m.weight)", "isinstance(m.weight, mindspore.Parameter)"),
    # A table with the very classes.
    (
        "{nn.Conv2d: 'conv', int: 3}[type(m)]",
        "{TorchConv2d: 'conv', nn.Conv2d: 'conv', int: 3}[type(m)]",
    ),
    ("{nn.Conv2d: m.conv}.get(m.__class__)", "{TorchConv2d: m.conv, nn.Conv2d: m.conv}.get(m.__class__)"),
    # It is made once.
    (
        "{nn.Conv2d: make(1), int: {}}[type(m)]",
        "{**dict.fromkeys((TorchConv2d, nn.Conv2d), make(1)), int: {}}[type(m)]",
    ),
    ("{nn.Conv2d: 1}[m]", "{TorchConv2d: 1}[m]"),
    ("{int: 1}[type(m)]", "{int: 1}[type(m)]"),
    # One class among the types of several.
    ("nn.Conv2d in [type(n) for n in m]", "any(type(n) in (TorchConv2d, nn.Conv2d) for n in m)"),
    (
        "nn.Conv2d not in {type(n) for n in m if n}",
        "not any(type(n) in (TorchConv2d, nn.Conv2d) for n in m if n)",
    ),
    ("nn.Conv2d in (n.__class__ for n in m)", "any(n.__class__ in (TorchConv2d, nn.Conv2d) for n in m)"),
    ("nn.Conv2d in set(map(type, m))", "not {TorchConv2d, nn.Conv2d}.isdisjoint(set(map(type, m)))"),
    ("nn.Conv2d not in map(type, m)", "{TorchConv2d, nn.Conv2d}.isdisjoint(map(type, m))"),
    ("list(map(type, m)).count(nn.Conv2d)", "sum(map(list(map(type, m)).count, (TorchConv2d, nn.Conv2d)))"),
    ("nn.Conv2d in [n for n in m]", "TorchConv2d in [n for n in m]"),
    ("int in [type(n) for n in m]", "int in [type(n) for n in m]"),
    ("m.count(nn.Conv2d)", "m.count(TorchConv2d)"),
    # Nothing of torch is asked.
    ("type(m) == int", "type(m) == int"),
    ("m == 3 and type(m) == str", "m == 3 and type(m) == str"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("before", "after"), TESTS)
def test_the_classes_that_are_asked_for(before, after):
    once = converted(f"{HEAD}def f(m):\n    return {before}\n{BUILT}")
    assert f"def f(m):\n    return {after}\n" in once
    assert converted(once) == once


STATEMENTS = [
    (
        "    kind = type(m)\n    return kind == nn.Conv2d\n",
        "    kind = type(m)\n    return kind in (nn.Conv2d, TorchConv2d)\n",
    ),
    (
        "    match m:\n        case nn.Conv2d():\n            return 1\n",
        "    match m:\n        case nn.Conv2d():\n            return 1\n",
    ),
    # Tables that types are counted or listed in.
    (
        "    kinds = Counter(type(n) for n in m)\n    return kinds[nn.Conv2d]\n",
        "    kinds = Counter(type(n) for n in m)\n    return sum(kinds[kind] for kind in (TorchConv2d, nn.Conv2d))\n",
    ),
    (
        "    kinds = collections.Counter(map(type, m))\n    return kinds.get(nn.Conv2d, 0), nn.Conv2d in kinds\n",
        "    kinds = collections.Counter(map(type, m))\n"
        "    return sum(kinds.get(kind, 0) for kind in (TorchConv2d, nn.Conv2d)), "
        "not {TorchConv2d, nn.Conv2d}.isdisjoint(kinds)\n",
    ),
    (
        "    kinds = defaultdict(int)\n    kinds[type(m)] += 1\n    return kinds[nn.Conv2d]\n",
        "    kinds = defaultdict(int)\n    kinds[type(m)] += 1\n"
        "    return sum(kinds[kind] for kind in (TorchConv2d, nn.Conv2d))\n",
    ),
    (
        "    kinds = defaultdict(list)\n    kinds[m.__class__].append(m)\n    return kinds[nn.Conv2d]\n",
        "    kinds = defaultdict(list)\n    kinds[m.__class__].append(m)\n"
        "    return [one for kind in (TorchConv2d, nn.Conv2d) for one in kinds[kind]]\n",
    ),
    (
        "    kinds = {}\n    kinds[type(m)] += 1\n    return kinds.get(nn.Conv2d), kinds[m], kinds[int]\n",
        "    kinds = {}\n    kinds[type(m)] += 1\n    return kinds.get(TorchConv2d), kinds[m], kinds[int]\n",
    ),
    (
        "    kinds = Counter(n for n in m)\n    return kinds[nn.Conv2d]\n",
        "    kinds = Counter(n for n in m)\n    return kinds[TorchConv2d]\n",
    ),
    (
        "    kinds = Counter(map(type, m))\n    kinds = dict(m)\n    return kinds[nn.Conv2d]\n",
        "    kinds = Counter(map(type, m))\n    kinds = dict(m)\n    return kinds[TorchConv2d]\n",
    ),
    (
        "    kinds = [type(n) for n in m]\n    return nn.Conv2d in kinds, kinds.count(nn.Conv2d)\n",
        "    kinds = [type(n) for n in m]\n    return not {TorchConv2d, nn.Conv2d}.isdisjoint(kinds),"
        " sum(map(kinds.count, (TorchConv2d, nn.Conv2d)))\n",
    ),
    # What is gone through once, or another time something else.
    (
        "    kinds = map(type, m)\n    return nn.Conv2d in kinds\n",
        "    kinds = map(type, m)\n    return TorchConv2d in kinds\n",
    ),
    (
        "    kinds = [type(n) for n in m]\n    kinds = m.kinds\n    return nn.Conv2d in kinds\n",
        "    kinds = [type(n) for n in m]\n    kinds = m.kinds\n    return TorchConv2d in kinds\n",
    ),
    # A class that is handed on is the one that layers are built by.
    (
        "    kind = nn.Conv2d\n    return kind == nn.Conv2d\n",
        "    kind = TorchConv2d\n    return kind == TorchConv2d\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), STATEMENTS)
def test_classes_behind_names(before, after):
    once = converted(f"{HEAD}def f(m):\n{before}{BUILT}")
    assert f"def f(m):\n{after}" in once
    assert converted(once) == once


HELD = [
    (
        "COUNTS = {nn.Conv2d: count, nn.ReLU: None}\n\n\ndef f(m):\n    return COUNTS.get(type(m))\n",
        "COUNTS = {TorchConv2d: count, nn.Conv2d: count, TorchReLU: None, nn.ReLU: None}\n",
    ),
    (
        "LAYERS = (nn.Conv2d, nn.Linear)\n\n\ndef f(m):\n    return isinstance(m, LAYERS)\n",
        "LAYERS = (TorchConv2d, TorchLinear, nn.Conv2d, nn.Dense)\n",
    ),
    (
        "LAYERS = [nn.Conv2d]\n\n\ndef f(m):\n    return type(m) in LAYERS\n",
        "LAYERS = [TorchConv2d, nn.Conv2d]\n",
    ),
    (
        "def f(m, layers=[nn.Conv2d]):\n    return type(m) in layers or f(m[0], layers=layers)\n",
        "def f(m, layers=[TorchConv2d, nn.Conv2d]):\n",
    ),
    # What takes the place of a base class is none of the layers that torch derives from it.
    (
        "NORMS = (nn.modules.batchnorm._BatchNorm, nn.GroupNorm)\n\n\n"
        "def f(m):\n    return isinstance(m, NORMS)\n",
        "NORMS = (TorchBatchNorm, TorchGroupNorm, nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d,"
        " mindspore.mint.nn.GroupNorm)\n",
    ),
    (
        "CONVS = (nn.modules.conv._ConvNd,)\n\n\nclass Own(CONVS[0]):\n    pass\n",
        "CONVS = (TorchConvNd,)\n",
    ),
    # They are counted or called, too.
    (
        "LAYERS = (nn.Conv2d, nn.Linear)\n\n\ndef f(m):\n    return isinstance(m, LAYERS), len(LAYERS)\n",
        "LAYERS = (TorchConv2d, TorchLinear)\n",
    ),
    ("LAYERS = (nn.Conv2d,)\n\n\ndef f(m):\n    return LAYERS[0](m, m, 3)\n", "LAYERS = (TorchConv2d,)\n"),
    ("def f(m, layers=[nn.Conv2d]):\n    return layers[0]\n", "def f(m, layers=[TorchConv2d]):\n"),
]


@pytest.mark.parametrize(("before", "after"), HELD)
def test_tuples_of_classes_to_test_for(before, after):
    once = converted(f"{HEAD}{before}\n\ndef plain():\n    return nn.Conv2d(3, 4, 3), nn.Linear(3, 4)\n")
    assert after in once
    assert converted(once) == once


WALK = "for m in net.modules():\n"
VALUES = [
    # A parameter, what a loop goes through, a table, an attribute, a class that is looked up, the class of another.
    "def f(net, kind):\n    {walk}        yield isinstance(m, kind)\n",
    "def f(net):\n    for kind in KINDS.values():\n        {walk}            yield isinstance(m, kind)\n",
    "def f(net):\n    return [isinstance(m, KINDS['conv']) for m in net.modules()]\n",
    "def f(net, kind):\n    {walk}        yield isinstance(m, (nn.ReLU, kind))\n",
    "def f(net, options):\n    {walk}        yield isinstance(m, options.kind)\n",
    "def f(net):\n    kind = KINDS.get('conv')\n    {walk}        yield isinstance(m, kind)\n",
    "def f(net, other):\n    {walk}        yield isinstance(m, type(other))\n",
    "def f(net):\n    {walk}        yield isinstance(m, tuple(KINDS.values()))\n",
    "def f(net, 类, é='😀'):\n    {walk}        yield é, isinstance(m, 类)\n",
]
NO_VALUES = [
    # Classes by their names, of torch, of Python, of the project.
    "def f(net):\n    {walk}        yield isinstance(m, (nn.ReLU, int))\n",
    "class Own:\n    pass\n\n\ndef f(net):\n    {walk}        yield isinstance(m, Own)\n",
    "try:\n    from apex import Norm\nexcept ImportError:\n    Norm = nn.ReLU\n\n\n"
    "def f(net):\n    {walk}        yield isinstance(m, Norm)\n",
    "def f(net):\n    {walk}        yield isinstance(m, type(None))\n",
    # The function builds the layers by it, too.
    "def f(net, norm=nn.BatchNorm2d):\n    net.norm = norm(3)\n    {walk}        yield isinstance(m, norm)\n",
    # No layers are gone through.
    "def f(x, kind):\n    return isinstance(x, kind)\n",
]
KINDS = "KINDS = {'conv': nn.Conv2d, 'linear': nn.Linear}\n\n\n"


@pytest.mark.parametrize("code", VALUES)
def test_classes_that_variables_hold(code):
    once = converted(HEAD + KINDS + code.format(walk=WALK))
    assert "torch_isinstance(m, " in once and "yield isinstance" not in once
    assert once.count("def torch_isinstance(") == once.count("def torch_class_name(") == 1
    assert converted(once) == once


@pytest.mark.parametrize("code", NO_VALUES)
def test_other_classes_to_test_for(code):
    assert "torch_isinstance" not in converted(HEAD + KINDS + code.format(walk=WALK))


EXACT = [
    ("def f(net, kinds=[nn.Conv2d]):\n    {walk}        yield type(m) in kinds\n", "torch_has_class(m, kinds)"),
    ("def f(net, kinds):\n    {walk}        yield m.__class__ not in kinds\n", "not torch_has_class(m, kinds)"),
    ("def f(net, kind):\n    {walk}        yield type(m) is kind\n", "torch_has_class(m, kind)"),
    ("def f(net, kind):\n    {walk}        yield type(m.conv[0]) != kind\n", "not torch_has_class(m.conv[0], kind)"),
    ("def f(net):\n    {walk}        yield type(m) == KINDS['conv']\n", "torch_has_class(m, KINDS['conv'])"),
    ("class Finder:\n    def f(self, net):\n        {walk}            yield type(m) in self.kinds\n",
     "torch_has_class(m, self.kinds)"),
]  # fmt: skip
LOOKED_UP = [
    ("def f(net, table):\n    {walk}        yield table[type(m)]\n", "table[torch_class_among(m, table)]"),
    ("def f(net, table):\n    {walk}        yield table.get(m.__class__, 3)\n",
     "table.get(torch_class_among(m, table), 3)"),
    ("def f(net, table):\n    {walk}        yield table[type(m.conv[0])].items()\n",
     "table[torch_class_among(m.conv[0], table)].items()"),
    ("class Finder:\n    def f(self, net):\n        {walk}            yield self.table[type(m)]\n",
     "self.table[torch_class_among(m, self.table)]"),
]  # fmt: skip
NOT_LOOKED_UP = [
    "def f(net, table):\n    {walk}        table[type(m)] = 1\n",
    "def f(net, table):\n    {walk}        yield table[m]\n",
    "def f(net):\n    table = dict(net)\n    {walk}        yield table[type(m)]\n",
    "def f(net, table):\n    {walk}        yield KINDS[type(m)]\n",
    "def f(x, table):\n    return table[type(x)]\n",
]
NOT_EXACT = [
    "def f(net, kinds):\n    {walk}        yield type(m) == nn.Conv2d\n",
    "def f(net, other):\n    {walk}        yield type(m) == type(other)\n",
    "def f(net, kinds):\n    {walk}        yield m in kinds\n",
    "def f(net, kind):\n    net.norm = kind(3)\n    {walk}        yield type(m) is kind\n",
    "def f(x, kinds):\n    return type(x) in kinds\n",
    "def f(net, low):\n    {walk}        yield type(m) < low\n",
    "from collections import namedtuple\n\nPart = namedtuple('Part', ['at', 'name'])\n\n\n"
    "def f(net):\n    {walk}        yield isinstance(m, Part) or type(m) is Part\n",
]


@pytest.mark.parametrize(("code", "after"), EXACT)
def test_the_very_classes_that_variables_hold(code, after):
    once = converted(
        HEAD + KINDS + code.format(walk=WALK.replace("    ", "        ") if "class" in code[:5] else WALK)
    )
    assert f"yield {after}\n" in once
    assert once.count("def torch_has_class(") == once.count("def torch_class_name(") == 1
    assert converted(once) == once


@pytest.mark.parametrize(("code", "after"), LOOKED_UP)
def test_tables_that_variables_hold(code, after):
    once = converted(
        HEAD + KINDS + code.format(walk=WALK.replace("    ", "        ") if "class" in code[:5] else WALK)
    )
    assert f"yield {after}\n" in once
    assert once.count("def torch_class_among(") == once.count("def torch_has_class(") == 1
    assert converted(once) == once


@pytest.mark.parametrize("code", NOT_LOOKED_UP)
def test_other_tables(code):
    assert "torch_class_among" not in converted(HEAD + KINDS + code.format(walk=WALK))


@pytest.mark.parametrize("code", NOT_EXACT)
def test_other_comparisons_of_types(code):
    once = converted(HEAD + KINDS + code.format(walk=WALK))
    assert "torch_has_class" not in once and "torch_isinstance" not in once


def test_code_that_goes_through_layers_without_torch(folder, settings, target):
    tools = (
        "def f(net, kind):\n    for m in net.modules():\n        yield type(m) is kind, isinstance(m, kind)\n"
    )
    texts = {
        "tools.py": tools,
        "layers.py": f"from tools import f\n{HEAD}{KINDS}print(f(nn.ReLU(), KINDS['conv']))\n",
    }
    fixed = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".")}
    assert "yield torch_has_class(m, kind), torch_isinstance(m, kind)\n" in fixed["tools.py"]


def test_a_project_without_helpers_for_layers_needs_no_other_test():
    code = HEAD + VALUES[0].format(walk=WALK) + "\n\nnet = nn.Linear(3, 4)\n"
    assert "torch_isinstance" not in converted(code)


SEVERAL = [
    ("_MaxPoolNd", "(nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d, TorchMaxPool2d)"),
    ("_AvgPoolNd", "(nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d)"),
    ("_AdaptiveAvgPoolNd", "(nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d)"),
]


@pytest.mark.parametrize(("name", "after"), SEVERAL)
def test_a_base_class_stands_for_what_its_layers_become(name, after):
    test = f"\n\ndef f(m):\n    return isinstance(m, nn.modules.pooling.{name})\n"
    pool = "\n\ndef make(pad):\n    return nn.MaxPool2d(2, **pad)\n"
    once = converted(HEAD + test + pool)
    assert f"return isinstance(m, {after})\n" in once
    assert converted(once) == once


TOOLS = HEAD + "def f(m):\n    return type(m) == nn.Conv2d\n"
PLAIN = HEAD + "def make():\n    return nn.Conv2d(3, 4, 3)\n"


@pytest.mark.parametrize(
    ("layers", "test"),
    [
        (PLAIN, "type(m) == nn.Conv2d"),
        (PLAIN.replace("3)", "3, padding=make())"), "type(m) in (nn.Conv2d, TorchConv2d)"),
    ],
)
@pytest.mark.parametrize("imported", ["from tools import f\n", "from tools import *\n", "import tools\n"])
def test_what_other_files_build_counts(imported, layers, test, folder, settings, target):
    texts = {"tools.py": TOOLS, "layers.py": imported + layers}
    fixed = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".")}
    assert f"    return {test}\n" in fixed["tools.py"]


def test_mindspore_code_is_left_alone():
    text = "from mindspore import nn\n\n\ndef f(m):\n    return type(m) == nn.Conv2d\n"
    assert converted(text) == text
