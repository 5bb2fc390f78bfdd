"""Functions that tell layers by their classes reach the same layers in MindSpore as in torch, however the project is
laid out: weights that they set hold their numbers in both, and no others do."""

import json

import pytest
from command import fix

from loaded_frameworks import run_python

pytestmark = pytest.mark.oracle

INIT = """import torch
import torch.nn as nn
{imports}
LAYERS = (nn.Conv2d, nn.Linear)


def init_weights(m):
    if isinstance(m, nn.Conv2d):
        nn.init.constant_(m.weight, 0.25)
    elif isinstance(m, (nn.BatchNorm2d, nn.BatchNorm1d)):
        nn.init.constant_(m.weight, 1.5)
    elif type(m) == nn.Linear:
        m.weight.data.fill_(0.125)
    if isinstance(m, LAYERS) and m.bias is not None:
        nn.init.constant_(m.bias, 0.5)


def more_weights(net):
    for m in net.modules():
        if m.__class__ is nn.ConvTranspose2d:
            nn.init.constant_(m.weight, 0.75)
        elif type(m) in (nn.Conv2d, nn.Embedding) and m.weight.shape[0] == 5:
            nn.init.constant_(m.weight, 0.375)
"""
NET = """import torch
import torch.nn as nn
{imports}

def conv(i, o, k, **options):
    return nn.Conv2d(i, o, k, **options)


class Net(nn.Module):
    def __init__(self, k=3, layer=nn.Conv2d, norm=nn.BatchNorm2d):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3, padding=1)
        self.b = nn.Conv2d(4, 5, k, padding=(k - 1) // 2)
        self.c = conv(5, 4, 3, bias=False)
        self.d = layer(4, 4, 1)
        self.e = nn.Sequential(nn.BatchNorm2d(4), norm(4), nn.AvgPool2d(2))
        self.f = nn.ConvTranspose2d(4, 4, 3)
        self.g = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.Linear(5, 2, bias=False))
        self.h = nn.Embedding(5, 3)
        self.lists = nn.ModuleList([layer(4, 4, 1), nn.LayerNorm(4)])

    def forward(self, x):
        return self.g(self.f(self.d(self.c(self.b(self.a(x))))).mean((2, 3)))
"""
RUN = """import json
{imports}

net = Net()
net.apply(init_weights)
more_weights(net)
numbers = [(float(one.min()), float(one.max())) for one in net.parameters()]
print(json.dumps([low if low == high else None for low, high in numbers]))
"""
DATA = "import torch\nimport torch.nn as nn\nimport numpy as np\n\n\ndef load():\n    return torch.ones(1, 3, 8, 8)\n"


def body(text):
    """A part of a program without its imports."""
    return text.partition("{imports}\n")[2]


LAYOUTS = {
    "one file": {
        "run.py": RUN.format(imports=body(INIT).join(["import torch\nimport torch.nn as nn\n", body(NET)]))
    },
    "initialisers in a file of their own": {
        "tools.py": INIT.format(imports=""),
        "net.py": NET.format(imports=""),
        "run.py": RUN.format(imports="from net import Net\nfrom tools import init_weights, more_weights"),
    },
    "star imports": {
        "data.py": DATA,
        "tools.py": INIT.format(imports="from data import *"),
        "net.py": NET.format(imports="from data import *\nfrom tools import *"),
        "run.py": RUN.format(imports="from net import *"),
    },
    "a package that hands names on": {
        "package/__init__.py": "from .layers import Net\nfrom .tools import *\n",
        "package/layers.py": NET.format(imports=""),
        "package/tools.py": INIT.format(imports=""),
        "run.py": RUN.format(imports="from package import Net, init_weights, more_weights"),
    },
    "layers handed in": {
        "layers.py": "import torch.nn as nn\n\nNorm = nn.BatchNorm2d\nLayer = nn.Conv2d\n",
        "tools.py": INIT.format(imports="from layers import *"),
        "net.py": NET.format(imports="import layers")
        .replace("layer=nn.Conv2d", "layer=layers.Layer")
        .replace("norm=nn.BatchNorm2d", "norm=layers.Norm"),
        "run.py": RUN.format(imports="from net import Net\nfrom tools import init_weights, more_weights"),
    },
}


def numbers_of(framework, folder):
    """The number that each weight holds everywhere, or None; the other framework cannot be imported."""
    other = {"torch": "mindspore", "mindspore": "torch"}[framework]
    code = (
        f"import sys, runpy; sys.modules[{other!r}] = None; sys.path.insert(0, '.'); runpy.run_path('run.py')"
    )
    done = run_python(["-c", code], folder, framework)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_layers_are_reached(layout, tmp_path):
    folders = {name: tmp_path / name for name in ("torch", "mindspore")}
    for folder in folders.values():
        for name, text in LAYOUTS[layout].items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    fix(folders["mindspore"])
    expected = numbers_of("torch", folders["torch"])
    assert {0.25, 1.5, 0.125, 0.5, 0.75, 0.375, None} <= set(expected)  # each test holds somewhere
    assert numbers_of("mindspore", folders["mindspore"]) == expected
