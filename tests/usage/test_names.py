"""Names of torch through every kind of binding."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from mindport.usage.project import Project
from usage.marks import check, found, only, usage_of

BINDINGS = {
    "plain": "import torch\ntorch.relu(x)  #: torch.relu",
    "renamed": "import torch as t\nt.relu(x)  #: torch.relu",
    "module of torch": "import torch.nn.functional as F\nF.relu(x)  #: torch.nn.functional.relu",
    "dotted import": "import torch.nn\ntorch.nn.Linear(1, 2)  #: torch.nn.Linear",
    "from import": "from torch import nn\nnn.Linear(1, 2)  #: torch.nn.Linear",
    "name": "from torch.nn import Linear as L\nL(1, 2)  #: torch.nn.Linear",
    "private module of torchvision": (
        "import torchvision.models._utils as u\n"
        "u.IntermediateLayerGetter(x, {})  #: torchvision.models._utils.IntermediateLayerGetter"
    ),
    "star": "from torch.nn import *\nLinear(1, 2)  #: torch.nn.Linear",
    "alias": "import torch\nnn = torch.nn  #: torch.nn\nnn.Linear(1, 2)  #: torch.nn.Linear",
    "place of definition": "from torch.nn.modules.linear import Linear\nLinear(1, 2)  #: torch.nn.Linear",
    "inside a function": "def f():\n    import torch\n    torch.relu(1)  #: torch.relu",
    "try": "try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.relu(1)  #: torch.relu",
    "constant": "import torch\nx = torch.float32  #: torch.float32",
    "imported constant": "from torch import float32\nx = float32  #: torch.float32",
    "getattr": "import torch\ngetattr(torch, 'relu')  #: torch.relu",
    "base of a class of the same name": (
        "from torch.nn import Linear\nclass Linear(Linear):  #: torch.nn.Linear\n    pass\nLinear(1, 2)"
    ),
    "value of an assignment to the same name": (
        "from torch.nn import Conv2d\nConv2d = partial(Conv2d, bias=False)  #: torch.nn.Conv2d\nConv2d(1, 2, 3)"
    ),
    "imported again below the definition": (
        "from torch.nn import Linear\nclass Linear: pass\nfrom torch.nn import Linear\n"
        "Linear(1, 2)  #: torch.nn.Linear"
    ),
    "a definition in case the import fails": (
        "try:\n    from torch.nn import GELU\nexcept ImportError:\n    class GELU: pass\nGELU()  #: torch.nn.GELU"
    ),
    "another package's function by the same name": (
        "from torch import nn, sqrt\nimport torch\nfrom math import sqrt\n"
        "def f(x): return sqrt(x)\nnn.Linear(1, 2)  #: torch.nn.Linear"
    ),
    "another package's function by the same name, behind a call": (
        "from torch import sqrt\nimport sys\nsys.path.append('.')\nfrom math import sqrt\nsqrt(4)"
    ),
    "of the project by the same name": "from torch.nn import Linear\nfrom .layers import Linear\nLinear(1, 2)",
    "torch's function behind another package's": (
        "from math import sqrt\nfrom torch import sqrt\nsqrt(4)  #: torch.sqrt"
    ),
    "of two modules of torch the last": (
        "import torch.nn.functional as F\nimport torchvision.transforms.functional as F\n"
        "F.hflip(1)  #: torchvision.transforms.functional.hflip"
    ),
    "another package's in case the import fails": (
        "try:\n    from torch import sqrt\nexcept ImportError:\n    from math import sqrt\n"
        "sqrt(4)  #: torch.sqrt"
    ),
    "another package's that may be missing": (
        "from torch import sqrt\ntry:\n    from jax.numpy import sqrt\nexcept ImportError:\n    pass\n"
        "sqrt(4)  #: torch.sqrt"
    ),
    "another package's behind what reads it": (
        "from torch import sqrt\nroot = sqrt(2)  #: torch.sqrt\nfrom math import sqrt"
    ),
    "alias of the same name": (
        "import torch\nfrom torch import Tensor\nTensor = torch.Tensor  #: torch.Tensor\n"
        "def f(x: Tensor): pass  #: torch.Tensor"
    ),
    "operators made at run time": "import torch\ntorch.ops.aten.relu(1)  #: torch.ops.aten.relu",
}


@pytest.mark.parametrize("source", BINDINGS.values(), ids=BINDINGS.keys())
def test_binding(source: str) -> None:
    check(source)


NOT_TORCH = {
    "numpy": "import numpy as np\nnp.sqrt(2); np.float32",
    "math": "from math import sqrt\nsqrt(2)",
    "own function": "def relu(x):\n    return x\nrelu(1)",
    "shadowed by a parameter": "import torch\ndef f(torch):\n    return torch.relu(1)",
    "shadowed by a local name": "import torch.nn.functional as F\ndef f():\n    F = object()\n    return F.relu(1)",
    "own function in place of an import": (
        "from torch import relu\ndef f(x):\n    return relu(x)\ndef relu(x):\n    return x\nrelu(1)"
    ),
    "local alias of a class": "from timmy import LayerNorm\nLayerNorm(3)",
    "einops": "from einops import rearrange\nrearrange(x, 'a b -> b a')",
    "in a string": "x = 'torch.relu(x)'",
}


@pytest.mark.parametrize("source", NOT_TORCH.values(), ids=NOT_TORCH.keys())
def test_no_use(source: str) -> None:
    assert found(source) == []


def test_a_class_in_place_of_an_import_is_imported_by_others() -> None:
    core = "from torch.nn import Linear\nclass Linear(Linear):\n    pass\n"
    assert found("from .core import Linear\nLinear(1, 2)\n", core=core) == []


def test_reexported_by_the_project() -> None:
    check(
        """
        from .core import relu, nn, F
        from .stars import *
        relu(1)  #: torch.relu
        nn.Linear(1, 2)  #: torch.nn.Linear
        F.gelu(1)  #: torch.nn.functional.gelu
        softmax(1)  #: torch.softmax
        helper(1)
        """,
        core="from torch import relu, nn\nfrom torch.nn import functional as F\n",
        stars="from .deeper import *\n",
        deeper="from torch import softmax\ndef helper(x): return x\n",
    )


MODEL = "from torch import nn\nclass Net(nn.Module):\n    pass\ndef build():\n    return Net()\n"
REPLACED = {
    "a module by a network of its own": "import model\nmodel = model.Net()\nmodel.cuda()  #: torch.nn.Module.cuda",
    "a package's module": (
        "import model as net\nnet = net.build()\ndef train():\n    net.eval()  #: torch.nn.Module.eval"
    ),
    "a class by an object of it": (
        "from model import Net\nNet = Net()\ns = '层 🚀'; Net.eval()  #: torch.nn.Module.eval"
    ),
    "by something else": (
        "import torch\nimport model\nmodel = torch.nn.Linear(1, 2)  #: torch.nn.Linear\n"
        "model.eval()  #: torch.nn.Module.eval"
    ),
    "a function by its result, twice": (
        "from model import build\nbuild = build()\nbuild.eval()  #: torch.nn.Module.eval\nbuild = 3"
    ),
    "in case the import fails": (
        "try:\n    import model\nexcept ImportError:\n    model = None\nmodel.Net().eval()  #: torch.nn.Module.eval"
    ),
    "imported again below": (
        "import model\nmodel = 3\nimport model\nmodel.Net().eval()  #: torch.nn.Module.eval"
    ),
}


@pytest.mark.parametrize("source", REPLACED.values(), ids=REPLACED.keys())
def test_a_name_that_takes_the_place_of_an_import_from_the_project(source: str) -> None:
    check(source, model=MODEL)


KINDS = "from torch import nn\ndef f(m):\n    kinds = (nn.ReLU, nn.Linear)\n"
FORMS = [
    ("import torch\ntorch.relu(1)", "torch.relu", Form.CALL),
    ("from torch import nn\nf(norm=nn.ReLU)", "torch.nn.ReLU", Form.VALUE),
    ("from torch import nn\nclass A(nn.Module): pass", "torch.nn.Module", Form.BASE_CLASS),
    ("import torch\n@torch.no_grad()\ndef f(): pass", "torch.no_grad", Form.DECORATOR),
    ("import torch\nwith torch.no_grad(): pass", "torch.no_grad", Form.CONTEXT),
    ("import torch\ndef f(x: torch.Tensor): pass", "torch.Tensor", Form.ANNOTATION),
    ("import torch\ndef f(x: 'torch.Tensor'): pass", "torch.Tensor", Form.ANNOTATION),
    ("from torch import nn\nisinstance(m, nn.ReLU)", "torch.nn.ReLU", Form.TYPE_CHECK),
    ("from torch import nn\ntype(m) is nn.ReLU", "torch.nn.ReLU", Form.TYPE_CHECK),
    (f"{KINDS}    return isinstance(m, kinds)", "torch.nn.ReLU", Form.TYPE_CHECK),
    (f"{KINDS}    return isinstance(m, kinds) and kinds[0]()", "torch.nn.ReLU", Form.VALUE),
    (f"{KINDS}    return isinstance(kinds, m)", "torch.nn.ReLU", Form.VALUE),
    ("import torch\ntorch.ones(1).view(1)", "torch.Tensor.view", Form.METHOD),
    ("import torch\ntorch.ones(1).shape", "torch.Tensor.shape", Form.ATTRIBUTE),
    ("import torch\ntorch.ones(1) @ y", "torch.Tensor.__matmul__", Form.OPERATOR),
    ("import torch\ntorch.ones(1)[0]", "torch.Tensor.__getitem__", Form.INDEX),
    (
        "from torch import nn\nclass A(nn.Module):\n    def forward(self): pass",
        "torch.nn.Module.forward",
        Form.OVERRIDE,
    ),
    ("import torch\ngetattr(torch.optim, name)", "torch.optim", Form.DYNAMIC),
]


@pytest.mark.parametrize(("source", "api", "form"), FORMS)
def test_form(source: str, api: str, form: Form) -> None:
    assert only(usage_of(source), api).form is form


def test_dynamic_name_says_what_it_depends_on() -> None:
    assert only(usage_of("import torch\ngetattr(torch.optim, cfg.name)"), "torch.optim").detail == "cfg.name"


def test_imports_count_once_for_each_alias() -> None:
    usage = usage_of("import torch\nfrom torch.nn import Linear, functional as F\nimport timm, os\n")
    assert [(use.api, use.library) for use in usage.uses] == [
        ("torch", ""),
        ("torch.nn.Linear", ""),
        ("torch.nn.functional", ""),
        ("timm", "timm"),
    ]
    assert [(binding.local, binding.used) for binding in usage.imports] == [
        ("torch", False),
        ("Linear", False),
        ("F", False),
        ("timm", False),
        ("os", False),
    ]


def test_library_built_on_torch() -> None:
    usage = usage_of(
        "import timm\nfrom einops.layers.torch import Rearrange\ntimm.create_model('x')\nRearrange('a')\n"
    )
    calls = [(use.api, use.library) for use in usage.uses if use.form is Form.CALL]
    assert calls == [("timm.create_model", "timm"), ("einops.layers.torch.Rearrange", "einops.layers.torch")]


def test_only_a_part_of_a_package_is_built_on_torch() -> None:
    usage = usage_of(
        "import albumentations as A\nfrom albumentations.pytorch import ToTensorV2\nimport horovod.tensorflow\n"
        "import horovod.torch as hvd\nA.Flip()\nToTensorV2()\nhorovod.tensorflow.init()\nhvd.init()\n"
    )
    assert [(use.api, use.library) for use in usage.uses] == [
        ("albumentations.pytorch.ToTensorV2", "albumentations.pytorch"),
        ("horovod.torch", "horovod.torch"),
        ("albumentations.pytorch.ToTensorV2", "albumentations.pytorch"),
        ("horovod.torch.init", "horovod.torch"),
    ]


def test_name_that_torch_does_not_have_is_reported() -> None:
    usage = usage_of("import torch\ntorch.no_such_thing(1)\n")
    assert usage.unrecognised == 1
    assert only(usage, "torch.no_such_thing").form is Form.CALL


GUARDS = [
    ("try:\n    import mindspore\nexcept ImportError:\n    import torch\n    torch.relu(1)\n", True),
    ("import torch\nimport mindspore\nif backend == 'torch':\n    torch.relu(1)\n", True),
    ("import torch\nfrom mindspore import ops\nif not backend != 'torch':\n    torch.relu(1)\n", True),
    (
        "import torch\nif backend == 'torch':\n    torch.relu(1)\nelif backend == 'mindspore':\n    pass\n",
        True,
    ),
    ("import torch\nif backend == 'pt':\n    torch.relu(1)\nelse:\n    import mindspore as ms\n", True),
    ("import torch\nif backend == 'torch':\n    torch.relu(1)\n", False),
    (
        "import torch\nimport numpy\nif engine == 'pytorch':\n    torch.relu(1)\nelse:\n    numpy.abs(1)\n",
        False,
    ),
    ("import torch\nif framework != 'pt':\n    pass\nelse:\n    torch.relu(1)\n", False),
    ("import torch\nif self.framework != 'mindspore':\n    torch.relu(1)\n", True),
    ("import torch\nif backend == 'mindspore':\n    pass\nelse:\n    torch.relu(1)\n", True),
    ("import torch\nif mode == 'torch':\n    torch.relu(1)\n", False),
    ("try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch.relu(1)\n", False),
]


@pytest.mark.parametrize(("source", "guarded"), GUARDS)
def test_guard(source: str, guarded: bool) -> None:
    assert only(usage_of(source), "torch.relu").guarded is guarded


def test_columns_are_code_points() -> None:
    usage = usage_of("import torch\nx = '汉字🙂'; y = torch.relu(torch.ones(1).abs())\n")
    use = only(usage, "torch.relu")
    assert (use.span.column, use.span.end_column, use.name_span.column) == (15, 25, 21)
    use = only(usage, "torch.Tensor.abs")
    assert (use.name_span.column, use.receiver and use.receiver.column) == (40, 26)


def test_names_that_are_only_exported_or_quoted_are_used() -> None:
    usage = usage_of("from torch import relu, Tensor, nn\n__all__ = ['relu']\ndef f(x: 'Tensor'): pass\n")
    assert [(binding.local, binding.used) for binding in usage.imports] == [
        ("relu", True),
        ("Tensor", True),
        ("nn", False),
    ]


@pytest.mark.parametrize(
    ("base", "method", "is_use"),
    [
        ("torch.nn.Module", "forward", True),
        ("torch.optim.lr_scheduler.LRScheduler", "get_lr", True),
        ("torch.distributions.Distribution", "sample", False),
        ("torch.distributions.Normal", "rsample", False),
    ],
)
def test_methods_of_own_distributions_are_no_uses(base: str, method: str, is_use: bool) -> None:
    project = Project("")
    project.add(
        "own.py", f"import torch\nclass Own({base}):\n    def {method}(self):  # 方法 🙂\n        pass\n"
    )
    forms = {use.form for use in project.usage("own.py").uses}
    assert (Form.OVERRIDE in forms) is is_use
