"""Whole files as `mindport fix` leaves them: classes that run as cells, helpers, imports that are optional."""

import builtins
import textwrap

import pytest
from converting import converted

from mindport.model.target import Device, Target, Version
from mindport.rewrite.optional_imports import with_optional_torch

CLASS = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(3, width)  # 层 🙂

    def forward(self, x):
        return self.layer(x)
"""


def test_a_class_becomes_a_cell_that_starts_in_training_mode():
    assert (
        converted(CLASS)
        == """from mindspore import nn


class Net(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Dense(3, width)  # 层 🙂
        self.set_train()

    def construct(self, x):
        return self.layer(x)
"""
    )


BODY = (
    "    def __init__(self):\n        super().__init__()\n{}\n    def forward(self, x):\n        return x\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "class Net(nn.Module):\n    def __init__(self): super().__init__()\n",
            "super().__init__(); self.set_train()\n",
        ),
        (
            CLASS + "\n    def twice(self, x):\n        return self.forward(self.forward(x))\n",
            "self.construct(self.construct(x))",
        ),
        (CLASS.replace("return self.layer(x)", "return super().forward(x)"), "return super().construct(x)"),
        (
            CLASS + "\n\nclass More(Net):\n    def __init__(self):\n        Net.__init__(self, 4)\n",
            "Net.__init__(self, 4)\n        self.set_train()\n",
        ),
        (CLASS.replace("nn.Linear(3, width)", "nn.Dropout(0.1)"), "= nn.Dropout(p=0.1)"),
        ("class Net(nn.Sequential):\n    pass\n", "class Net(TorchSequential):"),
        ("def make(norm=nn.BatchNorm2d):\n    return norm(4)\n", "def make(norm=TorchBatchNorm2d):"),
        ("def make(**more):\n    return nn.Conv2d(3, 4, 3, **more)\n", "return TorchConv2d(3, 4, 3, **more)"),
        ("def make(pad):\n    return nn.Conv2d(3, 4, 3, padding=pad)\n", "return TorchConv2d(3, 4, 3, padding=pad)"),
        ("@torch.no_grad()\ndef f(x):\n    return x\n", "@torch_no_grad()\ndef f"),
    ],
)  # fmt: skip
def test_what_stands_in_the_file(before, after):
    text = before if before.startswith("import") else f"import torch\nfrom torch import nn\n\n\n{before}"
    once = converted(text)
    assert after in once
    assert converted(once) == once
    compile(once, "converted", "exec")


@pytest.mark.parametrize(
    ("statements", "are_named"),
    [
        ("self.down = nn.ModuleList([])\nself.down.append(nn.Linear(3, 4))", True),
        ("self.down = nn.Sequential()", True),
        ("self.down: nn.ModuleDict = nn.ModuleDict({})", True),
        ("self.down = nn.ModuleList() if deep else None", True),
        ("self.add_module('down', nn.Linear(3, 4))", True),
        ("self.down = nn.ModuleList([nn.Linear(3, 4)])", False),
        ("down = nn.ModuleList()\ndown.append(nn.Linear(3, 4))\nself.down = down", False),
        ("self.down = []\nself.down.append(nn.Linear(3, 4))", False),
        ("self.down = nn.ReLU()", False),
    ],
)
def test_weights_of_layers_that_come_into_a_list_later_get_their_full_names(statements, are_named):
    body = textwrap.indent(statements, " " * 8)
    init = f"    def __init__(self, deep=True):\n        super().__init__()\n{body}\n"
    once = converted(f"from torch import nn\n\n\nclass Net(nn.Module):\n{init}")
    naming = "\n        self.update_parameters_name()" if are_named else ""
    assert once.endswith(f"        self.set_train(){naming}\n")
    assert converted(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "class Net(Base):\n    def forward(self, x):\n        return self.forward(x)\n",  # nobody knows what Base is
        "class Forward:\n    def __init__(self):\n        self.forward = 1\n",
        "import torch\n\n\ndef run(net):\n    return torch._nobody_knows(net.forward)\n",
        "from torch import nn\n\nTorchConv2d = 3\n\n\ndef make(**more):\n    return nn.Conv2d(3, 4, 3, **more)\n",
    ],
)
def test_what_stays_as_it_is(text):
    assert converted(text) == text


def test_what_a_helper_calls_is_defined_above_it():
    text = converted(
        "import torch\nfrom torch import nn\n\ncell = nn.LSTMCell(3, 4)\nother = nn.GRUCell(3, 4)\n"
    )
    places = [
        text.index(one) for one in ("def torch_tanh", "class TorchGRUCell", "class TorchLSTMCell", "cell =")
    ]
    assert places == sorted(places)
    assert text.count("def torch_tanh") == 1


def test_a_template_may_call_a_helper():
    text = converted("import torch\n\n\ndef f(x: torch.Tensor):\n    return x.cumprod(1)\n")
    assert text.count("def torch_cumprod") == 1
    assert text.endswith("def f(x: mindspore.Tensor):\n    return torch_cumprod(x, 1)\n")


def test_a_helper_is_defined_once_below_the_imports():
    text = "import os\nfrom torch import nn\n\nA = nn.BatchNorm2d\nB = [nn.BatchNorm2d, nn.ReLU]\n"
    once = converted(text)
    assert once.count("class TorchBatchNorm2d(") == once.count("class TorchReLU(") == 1
    assert once.startswith("import os\nimport mindspore\n\n\nclass TorchBatchNorm2d(")
    assert once.endswith("A = TorchBatchNorm2d\nB = [TorchBatchNorm2d, TorchReLU]\n")


LEFT_OVER = CLASS.replace("import torch\n", "import torch\nfrom torch.hub import load\n")


@pytest.mark.parametrize(
    ("use", "torch", "load"),
    [
        ("\n    def load(self):\n        return load(torch._private())\n", "None", "None"),
        ("\n    twice = lambda x: load(torch._private)\n", "None", "None"),
        ("\nif __name__ == '__main__':\n    print(load(torch._private))\n", "None", "None"),
        (
            "\n    def load(self, how=load, who=torch._private):\n        return 1\n",
            'TorchMissing("torch")',
            'TorchMissing("torch.hub.load")',
        ),
        (
            "\n    @load\n    @torch._private\n    def load(self):\n        return 1\n",
            'TorchMissing("torch")',
            'TorchMissing("torch.hub.load")',
        ),
        (
            "\nclass Own(torch._private):\n    x: load\n    y: 'list' = [load]\n",
            'TorchMissing("torch")',
            'TorchMissing("torch.hub.load")',
        ),
        ("\nprint(load, torch._private)\n", 'TorchMissing("torch")', 'TorchMissing("torch.hub.load")'),
        (
            "\nif len(__file__) > 1:\n    A = torch._private(load())\n",
            'TorchMissing("torch")',
            'TorchMissing("torch.hub.load")',
        ),
        ("\nif torch._private():\n    A = load()\n", "", 'TorchMissing("torch.hub.load")'),
        ("\nA = torch._private() and load('kernel')\n", "", 'TorchMissing("torch.hub.load")'),
        ("\nA = load('kernel') if torch._private() else None\n", "", 'TorchMissing("torch.hub.load")'),
        ("\nA = load('kernel') and torch._private()\n", 'TorchMissing("torch")', ""),
        ("\nfor A in torch._private():\n    A = load()\n", "", ""),
        ("\nA = torch._private + 1, -load\n", "", ""),
    ],
)
def test_torch_that_is_left_over_is_no_condition_for_importing_the_file(use, torch, load):
    once = converted(LEFT_OVER + use)
    assert (f"try:\n    import torch\nexcept ImportError:\n    torch = {torch}" in once) is bool(torch)
    assert ("try:\n    from torch.hub import load\nexcept ImportError:\n    load = " + load in once) is bool(
        load
    )
    assert ("class TorchMissing:" in once) is ("TorchMissing" in torch + load)
    assert converted(once) == once


@pytest.mark.parametrize(
    ("imports", "beside", "optional"),
    [
        ("import os, cv2, torch  # 层 🙂", "import os, cv2  # 层 🙂", "import torch"),
        ("import torch.hub as hub, os as o", "import os as o", "import torch.hub as hub"),
        ("import torch, os, torchvision", "import os", "import torch, torchvision"),
        ("import os, \\\n    torch", "import os", "import torch"),
    ],
)
def test_what_is_imported_beside_torch_is_imported_without_it(imports, beside, optional):
    once = with_optional_torch(f"{imports}\n\n\ndef f():\n    return 1\n")
    assert f"\n{beside}\ntry:\n    {optional}\nexcept ImportError:\n" in f"\n{once}"
    assert with_optional_torch(once) == once


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("from apex import amp", "amp"),
        ("import pytorch_lightning as pl", "pl"),
        ("from fvcore.common.checkpoint import Checkpointer", "Checkpointer"),
        ("from torch_scatter import scatter", "scatter"),
        ("import safetensors.torch", "safetensors"),
    ],
)
def test_a_library_that_needs_torch_is_no_condition_for_importing_the_file(statement, name):
    once = with_optional_torch(f"{statement}\n\n\ndef f(x: {name} = None):\n    return {name}.g(x)\n")
    assert f"try:\n    {statement}\nexcept ImportError:\n    {name} = TorchMissing(" in once
    assert with_optional_torch(once) == once


@pytest.mark.parametrize(
    "statement",
    [
        # They do without torch.
        *("import einops", "from fvcore.common.config import CfgNode", "from iopath.common import file_io"),
        *("import safetensors.numpy", "import albumentations", "from transformers import AutoTokenizer"),
        *("from .timm import data", "import timmy"),
        # What is done at import needs it.
        "import apex\n\nA = apex.amp.init()",
    ],
)
def test_other_libraries_are_imported_as_before(statement):
    text = f"{statement}\n\n\ndef f(x):\n    return x\n"
    assert with_optional_torch(text) == text


def test_a_library_that_is_the_project_itself_is_imported_as_before():
    text = "from kornia.core import Tensor\n\n\ndef f(x: Tensor):\n    return x\n"
    assert with_optional_torch(text, {"kornia"}) == text
    assert with_optional_torch(text, {"core"}) != text


@pytest.mark.parametrize("imports", ["import os, torch", "from . import torch, os", "import os, cv2"])
def test_an_import_that_has_to_stay_is_not_parted(imports):
    text = f"{imports}\n\nX = torch.zeros(2)\n\n\ndef f():\n    return X\n"
    assert with_optional_torch(text) == text


def test_what_stands_for_a_missing_name_fails_only_when_it_is_used():
    function = "@load\ndef f(x: load | None):\n    return x\n"
    once = with_optional_torch(
        f"from torch.hub import load\n\n\n{function}\n\nclass A(load.part):\n    pass\n"
    )
    names = {"__builtins__": {**vars(builtins), "__import__": without_torch}}
    exec(once, names)
    for use in (
        lambda: names["f"](1),
        lambda: names["A"](),
        lambda: names["load"](1, 2),
        lambda: names["load"].x(1),
    ):
        with pytest.raises(NotImplementedError, match=r"torch\.hub\.load"):
            use()


@pytest.mark.parametrize(
    "asked",
    [
        "isinstance(x, load)",
        "isinstance(x, (str, load))",
        "isinstance(x, torch.nn.parallel.Anything)",
        "isinstance(x, str | load)",
        "isinstance(x, load | None | torch.hub.Anything | str)",
        "issubclass(type(x), (str, torch.hub.Anything))",
        "isinstance(x, (float, load)) or isinstance(x, str)",
    ],
)
def test_nothing_is_an_instance_of_a_missing_class(asked):
    once = with_optional_torch(
        f"import torch\nfrom torch.hub import load\n\n\ndef f(x):\n    return {asked}\n"
    )
    names = {"__builtins__": {**vars(builtins), "__import__": without_torch}}
    exec(once, names)
    assert names["f"](1) is False


def without_torch(name, *rest):
    if name.startswith(("torch", "safetensors.torch")):
        raise ImportError(name)
    return builtins.__import__(name, *rest)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('A = hasattr(torch, "compiler")', "A = True"),
        ('A = "silu" in dir(torch.nn.functional)', "A = True"),
        (
            'A = getattr(torch.nn.functional, "_private", None)',
            'A = getattr(torch.nn.functional, "_private", None)',
        ),
        ('A = hasattr(torch, "no_such_name")', 'A = hasattr(torch, "no_such_name")'),
        ('A = hasattr(x, "compiler")', 'A = hasattr(x, "compiler")'),
        ('A = "silu" in dir(x)', 'A = "silu" in dir(x)'),
        ('A = hasattr(x, "detach")', "A = isinstance(x, mindspore.Tensor)"),
        ('A = not hasattr(x.y[0], "requires_grad")', "A = not isinstance(x.y[0], mindspore.Tensor)"),
        ('A = hasattr(x, "cuda")', "A = isinstance(x, (mindspore.Tensor, nn.Cell))"),
        ('A = hasattr(x, "numpy")', 'A = hasattr(x, "numpy")'),
        ('A = hasattr(x, "detached")', 'A = hasattr(x, "detached")'),
        ("A = hasattr(x, name)", "A = hasattr(x, name)"),
        ('A = getattr(torch, "exp", None)', "A = ops.exp"),
        ("A = getattr(torch, name, None)", "A = getattr(torch, name, None)"),
        ("A = parse(torch.__version__) > (2,)", 'A = parse("2.13.0") > (2,)'),
        ('A = torch.__version__ >= "2"', 'A = "2.13.0" >= "2"'),
        ('A = torch.__version__.split(".")', 'A = "2.13.0".split(".")'),
        ("A = show(torch.__version__)", "A = show(torch.__version__)"),
        ("A = digit_version(torch.__version__)", 'A = digit_version("2.13.0")'),
        ("A = v._parse_torch_version(torch.__version__)", 'A = v._parse_torch_version("2.13.0")'),
        ("A = print_version(torch.__version__)", "A = print_version(torch.__version__)"),
        ("A = conversion(torch.__version__)", "A = conversion(torch.__version__)"),
        ("A = parse(other.__version__)", "A = parse(other.__version__)"),
        ("A = torch.meshgrid.__kwdefaults__", 'A = {"indexing": None}'),
        ("A = torch.nn.functional.relu.__kwdefaults__", "A = ops.relu.__kwdefaults__"),
        ("A = f.__kwdefaults__", "A = f.__kwdefaults__"),
        ('torch._C._log_api_usage_once(f"{x}"); A = 1', "pass; A = 1"),
        ('A = torch._C._log_api_usage_once("x")', 'A = torch._C._log_api_usage_once("x")'),
        ("A = torch._C._is_tracing()", "A = False"),
        ("A = not torch._C._get_tracing_state()", "A = not None"),
        ("A = torch._C._is_tracing", "A = torch._C._is_tracing"),
        ("A = other._C._is_tracing()", "A = other._C._is_tracing()"),
        ("torch._C._jit_set_profiling_mode(False); A = 1", "pass; A = 1"),
        ("A = torch._C._jit_set_profiling_mode(False)", "A = torch._C._jit_set_profiling_mode(False)"),
    ],
)
def test_what_a_file_asks_torch_for_is_there(before, after):
    once = converted(f"import torch\n\n\ndef f():\n    {before}\n    return A\n")
    assert f"    {after}\n" in once


def test_what_a_class_of_the_file_has_too_is_asked_of_all():
    text = "import torch\n\n\nclass Batch:\n    def cuda(self):\n        return torch.ones(3)\n\n\n"
    text += 'def f(x):\n    return hasattr(x, "cuda")\n'
    assert 'return hasattr(x, "cuda")' in converted(text)


@pytest.mark.parametrize(
    ("text", "is_optional"),
    [
        (
            "try:\n    from torch.hub import new as load\nexcept ImportError:\n"
            "    from torch.hub import old as load\n\n\ndef f():\n    load()\n",
            True,
        ),
        ("from typing import Union\nimport torch\n\nKind = Union[int, torch.Any]\n", True),
        (
            "try:\n    from torch.hub import new as load\nexcept ImportError:\n"
            "    from torch.hub import old as load\n\n\nLoader = load\n",
            True,
        ),
        ("from safetensors.torch import load_file\n\n\ndef f(path):\n    return load_file(path)\n", True),
        ("from safetensors.numpy import load_file\n\n\ndef f(path):\n    return load_file(path)\n", False),
        ("from torch.hub import load\n", False),
        ("import torch\n\nA = torch.a\nprint(A)\n", False),
        ("import torch\n\nif len('') > 1:\n    torch.a()\nprint(1)\n", True),
        ("import torch\n\nif len('') > 1:\n    torch.a()\nprint(torch.b)\n", False),
        ("import torch\n\nif __name__ == '__main__':\n    torch.a()\n", False),
        ("import torch\n\nif __name__ == '__main__':\n    if len('') > 1:\n        torch.a()\n", True),
        ("try:\n    import numpy\nexcept ImportError:\n    pass\n\n\ndef f():\n    pass\n", False),
    ],
)
def test_which_files_can_do_without_torch(text, is_optional):
    once = with_optional_torch(text)
    assert (once != text) is is_optional
    names = {"__builtins__": {**vars(builtins), "__import__": without_torch}}
    if is_optional:
        exec(once, names)
    assert with_optional_torch(once) == once


def test_a_function_never_becomes_a_base_class():
    text = "import torch\n\n\nclass A(torch.Tensor):\n    pass\n\n\nB = torch.Tensor([1])\n"
    once = converted(text)
    assert "class A(mindspore.Tensor):" in once and "B = torch_float_tensor([1])" in once


def test_einops_that_is_asked_for_by_name_is_ported():
    asked = 'Rearrange, has = optional_import("einops.layers.torch", name="Rearrange")\n'
    other = 'Other, has = optional_import("some.library", name="Rearrange")\n'
    once = converted(
        CLASS.replace("\n\n\nclass", f"\nfrom a import optional_import\n\n{asked}{other}\n\nclass")
    )
    assert "\nRearrange, has = EinopsLayer, True\n" in once and other in once
    assert once.count("class EinopsLayer") == 1


@pytest.mark.parametrize(
    ("decorator", "is_left"),
    [
        ("@torch.jit.ignore", False),
        ("@torch.jit.script", False),
        ('@torch.compile(mode="default")', False),
        ("@torch.compiler.disable()", False),
        ("@torch.jit.ignore  # for the compiler", True),
        ("@torch.library.custom_op('a::b')", True),
        ("@wrapped(torch.jit.ignore)", True),
    ],
)
def test_decorators_that_speak_to_a_compiler_are_left_out(decorator, is_left):
    once = converted(f"import torch\n\n\n{decorator}\ndef f(x: torch.Tensor):\n    return torch.exp(x)\n")
    assert (decorator in once) is is_left
    assert "    return ops.exp(x)\n" in once


def test_what_nobody_ran_on_the_device_is_left_to_the_user():
    ascend = Target(Version(2, 10, 0), Device.ASCEND)
    assert converted(CLASS, ascend) == CLASS
    assert "nn.Cell" in converted(CLASS, ascend, unsafe=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = torch.zeros(1, 3).fill_(0.5)", "y = torch_fill_(ops.zeros((1, 3)), 0.5)"),
        ("y = (x * 2).fill_(0.5)", "y = torch_fill_(x * 2, 0.5)"),
        ("y = x.view(-1).fill_(0.5)", "y = torch_fill_(x.view(-1), 0.5)"),  # x changes, too
        ("y = x.fill_(0.5)", "y = torch_fill_(x, 0.5)"),
    ],
)
def test_what_changes_a_tensor_changes_it_where_its_value_is_used(before, after):
    text = f"import torch\n\n\ndef f(x: torch.Tensor):\n    {before}\n    return y\n"
    assert after in converted(text)


def test_a_class_in_place_of_its_torch_base_stays_itself_where_it_is_used():
    text = converted(
        "from torch.utils.data import Dataset\n\n\n"
        "class Dataset(Dataset):\n    def __len__(self):\n        return 3\n\n\n"
        "data = Dataset()\n"
    )
    assert "class Dataset(TorchDataset):" in text
    assert text.endswith("data = Dataset()\n")
    assert "torch.utils" not in text.replace("torch.utils.data.Dataset.", "")


def test_an_import_that_is_read_above_its_new_definition_stays():
    text = converted(
        "from torch.nn import Bilinear\nold = Bilinear(1, 2, 3)\n\n\ndef Bilinear():\n    pass\n"
    )
    assert "from torch.nn import Bilinear" in text


@pytest.mark.parametrize(
    "others",
    ["from .own import Own\n", '"""The optimizers."""\n\nfrom . import own\nfrom .own import Own as Mine\n'],
)
def test_the_face_of_a_package_hands_on_what_is_not_there(others):
    once = with_optional_torch(f"from torch.optim import Adam, SGD as Sgd\n{others}")
    assert "try:\n    from torch.optim import Adam, SGD as Sgd\nexcept ImportError:\n" in once
    assert 'Sgd = TorchMissing("torch.optim.SGD")\n' in once
    assert once.endswith(others.rpartition('"""')[2].lstrip("\n"))
    assert with_optional_torch(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "from torch.optim import Adam\n",  # nobody knows what it is for
        "from torch.optim import Adam\nimport os\n",
        "from torch.optim import Adam\nfrom .own import Own\n\nprint(Own)\n",
        "from torch.optim import *\nfrom .own import Own\n",
    ],
)
def test_what_is_no_face_stays(text):
    assert with_optional_torch(text) == text
