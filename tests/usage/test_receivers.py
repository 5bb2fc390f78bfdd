"""Receivers whose type has to be found out, and those that must not be taken for tensors."""

from __future__ import annotations

import pytest

from mindport.model.verdict import Confidence
from mindport.usage.api_use import Kind, ResultUse
from mindport.usage.project import Project
from usage.marks import check, found, only, usage_of

INFERRED = {
    "result of a call": "x = torch.ones(2)\nx.view(1)  #: torch.Tensor.view",
    "chain": "torch.ones(2).view(1).sum()  #: torch.Tensor.view; torch.Tensor.sum",
    "annotation": "def f(x: Tensor):\n    x.view(1)  #: torch.Tensor.view",
    "optional annotation": "def f(x: 'Tensor | None'):\n    x.view(1)  #: torch.Tensor.view",
    "list of tensors": "def f(xs: list[Tensor]):\n    for x in xs:\n        x.view(1)  #: torch.Tensor.view",
    "dictionary of tensors": (
        "def f(d: dict[str, Tensor]):\n    for k, v in d.items():\n        v.view(1)  #: torch.Tensor.view"
    ),
    "evidence": (
        "def f(x):\n    F.relu(x)\n    return x.unsqueeze(0).view(1)  #: torch.Tensor.unsqueeze; torch.Tensor.view"
    ),
    "passed to torch": "def f(x):\n    y = F.relu(x)\n    return x.mean()  #: torch.Tensor.mean",
    "unpacked": "a, b = torch.ones(2).chunk(2)\na.view(1); b.view(1)  #: torch.Tensor.view; torch.Tensor.view",
    "named tuple": "v, i = torch.ones(2).max(dim=0)\nv.view(1)  #: torch.Tensor.view",
    "no pair without a dimension": "m = torch.ones(2).max()\nm.view(1)  #: torch.Tensor.view",
    "cast by type": "x = torch.ones(2).type(d)  #: torch.Tensor.type\nx.view(1)  #: torch.Tensor.view",
    "name of a type": "n = torch.ones(2).type()  #: torch.Tensor.type\nn.lower()",
    "comprehension": "ys = [x.view(1) for x in torch.ones(2)]  #: torch.Tensor.view",
    "enumerate and zip": "for i, (a, b) in enumerate(zip([torch.ones(1)], [2])):\n    a.view(1)  #: torch.Tensor.view",
    "branches": "if c:\n    x = torch.ones(1)\nelse:\n    x = None\nx.view(1)  #: torch.Tensor.view",
    "sum that starts at zero": (
        "def f(ts: list[Tensor]):\n    s = 0\n    for t in ts:\n        s = s + t\n"
        "    return s.view(1)  #: torch.Tensor.view"
    ),
    "left by the round before": (
        "def f(net: nn.Linear):\n    while True:\n        if fresh():\n            h = torch.zeros(1)\n"
        "        else:\n            h = h.detach()  #: torch.Tensor.detach\n        h = net(h)"
    ),
    "left by the round before, unpacked": (
        "def f(net: nn.LSTMCell):\n    for i in range(3):\n        if i:\n"
        "            h.detach(); y.detach(); z.detach()"
        "  #: torch.Tensor.detach; torch.Tensor.detach; torch.Tensor.detach\n"
        "        y, (h, [c, *_]) = torch.ones(1), (torch.ones(1), [torch.ones(1), 2])\n"
        "        try:\n            g()\n        except ValueError:\n            z = torch.ones(1)"
    ),
    "packed out of a layer": (
        "o, h = nn.GRU(1, 2)(torch.nn.utils.rnn.pack_sequence([torch.ones(1)]))\n"
        "o.data; h.data  #: torch.Tensor.data"
    ),
    "packed if it was before": (
        "def f(x):\n    if isinstance(x, nn.utils.rnn.PackedSequence):\n"
        "        x = nn.utils.rnn.PackedSequence(x.data)\n"
        "    y, h = nn.LSTM(1, 2)(x)\n    return y.data\n"
    ),
    "a grid of images": "import torchvision\ny = torchvision.utils.make_grid(x)\ny.mean()  #: torch.Tensor.mean",
    "picture made into a tensor": (
        "import torchvision.transforms.functional as TF\n"
        "def f(x):\n    y = TF.to_tensor(x)\n    return TF.hflip(y).flip(1), TF.normalize(x, 0, 1).mean()"
        "  #: torch.Tensor.flip; torch.Tensor.mean"
    ),
    "picture made of a tensor": (
        "from torchvision.transforms.functional import to_pil_image, to_tensor\n"
        "def f(x):\n    y = to_pil_image(to_tensor(x))\n    return y.size, y.resize((2, 2)), y.transpose(0)"
    ),
    "put into a list of the module": (
        "kept = []\ndef f():\n    kept.append(torch.ones(2))\ndef g():\n    for x in kept:\n"
        "        x.view(1)  #: torch.Tensor.view\n    return kept[-1].sum()  #: torch.Tensor.sum"
    ),
    "put into a dictionary of the module": (
        "kept = {}\ndef f(n):\n    kept[n] = torch.ones(2)\ndef g(n):\n    return kept[n].view(1)  #: torch.Tensor.view"
    ),
    "lists of the module extended": (
        "kept = [2]\ndef f():\n    kept.extend([torch.ones(2)])\n    def h(x):\n        kept.append(x)\n"
        "    h(torch.ones(1))\n"
        "def g():\n    return kept[-1].view(1)  #: torch.Tensor.view"
    ),
    "padded out of a layer": "o, h = nn.GRU(1, 2)(torch.ones(1))\no.data  #: torch.Tensor.data",
    "narrowed": "def f(x):\n    if isinstance(x, Tensor):\n        return x.clone()  #: torch.Tensor.clone",
    "asked whether they are several": (
        "def g(x):\n    return F.relu(x), 1\ndef f(x):\n    h = g(x)\n    o = h[0] if isinstance(h, tuple) else h\n"
        "    if isinstance(h, (list, tuple)):\n        h = h[0]\n"
        "    return o.sum(), h.view(1)  #: torch.Tensor.sum; torch.Tensor.view"
    ),
    "one or several": (
        "def g(x):\n    return (F.relu(x), 1) if a else F.relu(x)\ndef f(x):\n    h = g(x)\n"
        "    if not isinstance(h, (tuple, list)):\n        return h.view(1)  #: torch.Tensor.view\n"
        "    return h[0].sum() + h[1].bit_length()  #: torch.Tensor.sum"
    ),
    "a tensor or a table of some": (
        "def g(x):\n    return {'a': F.relu(x)} if a else F.relu(x)\ndef f(x):\n    h = g(x)\n"
        "    if isinstance(h, dict):\n        return h['a'].sum(), h.keys()  #: torch.Tensor.sum\n"
        "    return h.view(1)  #: torch.Tensor.view"
    ),
    "an array that becomes a tensor": (
        "import numpy as np\ndef g(x):\n    return np.ones(2) if a else F.relu(x)\ndef f(x):\n    h = g(x)\n"
        "    if isinstance(h, np.ndarray):\n        h = torch.from_numpy(h + h.mean())\n"
        "    return h.view(1)  #: torch.Tensor.view"
    ),
    "no tensor among several": (
        "def g(x):\n    return 'a', F.relu(x)\ndef f(x):\n    h = g(x)\n"
        "    if isinstance(h, tuple):\n        h = h[0]\n    return h.split(',')"
    ),
    "items of a batch of which one is asked": (
        "def f(batch):\n    if torch.is_tensor(batch[0]):\n"
        "        return [x.size(0) for x in batch]  #: torch.Tensor.size\n    return [x.size(0) for x in batch]"
    ),
    "items of a batch of which one has a name": (
        "def f(batch):\n    elem = batch[0]\n    if isinstance(elem, Tensor):\n"
        "        return [x.view(1) for x in batch], elem.clone()  #: torch.Tensor.view; torch.Tensor.clone"
    ),
    "lambda": "g = lambda x: F.relu(x).unsqueeze(0)  #: torch.Tensor.unsqueeze",
    "what each call hands through": (
        "def moved(d, *args):\n    return [x.to(d) for x in args]  #: torch.Tensor.to\n"
        "moved('cpu', nn.BCELoss(), nn.Linear(2, 2))\n"
        "def f(a: Tensor, b: Tensor):\n    a, b = moved('cpu', a, b)\n"
        "    return a.size(0), b.size(1)  #: torch.Tensor.size; torch.Tensor.size"
    ),
    "given to options": (
        "import argparse\na = argparse.ArgumentParser().parse_args()\na.x = torch.ones(2)\n"
        "a.x.view(1)  #: torch.Tensor.view\ndef f():\n    a.x.sum()  #: torch.Tensor.sum"
    ),
    "given to options in a function": (
        "import argparse\ndef f():\n    a = argparse.ArgumentParser().parse_args()\n    a.x = torch.ones(2)\n"
        "    if a.y:\n        a.x = a.x.view(1)  #: torch.Tensor.view\n    return a.x.sum()  #: torch.Tensor.sum"
    ),
    "given to what is not known": "def f(o):\n    o.x = torch.ones(2)\n    o.x.view(1)  #: torch.Tensor.view",
    "shape is no tensor": "n = torch.ones(2).shape[0]\nn.bit_length()",
    "batch of a loader": (
        "for x, _ in torch.utils.data.DataLoader(d):\n    x = x.to(device)  #: torch.Tensor.to"
    ),
    "length of a batch": (
        "for x, _ in torch.utils.data.DataLoader(d):\n    x = x.to(device)  #: torch.Tensor.to\n    print(len(x))"
    ),
    "comparison of unknown values": (
        "def f(a, b):\n    F.relu(a)\n    m = a > b\n    return m.div_(2)  #: torch.Tensor.div_"
    ),
    "layer of einops": (
        "from einops.layers.torch import Rearrange\n"
        "def f(x):\n    a, b = map(Rearrange('n d -> d n'), (x, x))\n    b.view(1)  #: torch.Tensor.view"
    ),
    "walrus": "if (x := torch.ones(1)) is not None:\n    x.view(1)  #: torch.Tensor.view",
}
HEADER = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor, nn\n"


@pytest.mark.parametrize("source", INFERRED.values(), ids=INFERRED.keys())
def test_tensor(source: str) -> None:
    expected = sorted(
        name.strip()
        for line in source.split("\n")
        for name in line.partition("#:")[2].split(";")
        if name.strip()
    )
    members = [
        api for _, api in found(HEADER + source) if api.startswith("torch.Tensor.") and "__" not in api
    ]
    kept = [api for api in members if api.rpartition(".")[2] not in ("chunk", "max", "shape")]
    assert sorted(kept) == expected


NOT_TENSORS = {
    "array in einops": "from einops import rearrange\nimport numpy as np\nrearrange(np.ones(2), 'a -> a').mean()",
    "str": "'a b'.split()",
    "str parameter": "def f(x=''):\n    return x.split(',')",
    "dict": "d = {}\nd.values(); d.copy()",
    "list": "xs = []\nxs.sort(); xs.index(1)",
    "set": "s = set()\ns.add(1)",
    "numpy": "import numpy as np\na = np.ones(2)\na.shape; a.reshape(1); a.mean()",
    "path": "from pathlib import Path\np = Path('.')\np.name; p.expanduser()",
    "given to other options": (
        "import argparse\na = argparse.ArgumentParser().parse_args()\na.x = torch.ones(2)\n"
        "a = argparse.ArgumentParser().parse_args()\ndef f(a):\n    a.x.view(1)\n"
        "def g():\n    a = argparse.ArgumentParser().parse_args()\n    if a.y:\n        a.x = torch.ones(2)\n"
        "    a.x.view(1)\n    a.x = torch.ones(2)\n    a = argparse.ArgumentParser().parse_args()\n    a.x.view(1)"
    ),
    "argparse": "import argparse\np = argparse.ArgumentParser()\na = p.parse_args()\na.device; a.data",
    "plain class": (
        "class A:\n    def __init__(self):\n        self.shape = 1\n    def f(self):\n        return self.shape"
    ),
    "self of an unknown base": "from lib import Base\nclass A(Base):\n    def f(self):\n        return self.data",
    "dictionary by its use": "def f(cfg):\n    return cfg['a'], cfg.values()",
    "number": "def f(n=1):\n    return n.real",
    "put into a list of a function": (
        "kept = []\ndef f():\n    kept = []\n    kept.append(torch.ones(2))\n"
        "    def h():\n        kept.append(torch.ones(2))\n"
        "def g(kept):\n    kept.append(torch.ones(2))\ndef h():\n    return kept[-1].shape"
    ),
    "numbers put into a list of the module": (
        "kept = []\ndef f(x):\n    kept.append(torch.ones(1).item())\ndef g():\n    return kept[-1].real"
    ),
    "an outer name that a loop assigns": (
        "import numpy as np\nh = None\ndef f():\n    h = None\n    def g():\n        nonlocal h\n        while True:\n"
        "            if h is not None:\n                h.mean()\n            h = np.ones(2)\n"
        "def k():\n    for i in range(2):\n        if i:\n            m.mean()\n        m = np.ones(1)"
    ),
    "regular expression": "import re\nm = re.compile('x')\nm.split('a')",
}


@pytest.mark.parametrize("source", NOT_TENSORS.values(), ids=NOT_TENSORS.keys())
def test_no_tensor(source: str) -> None:
    assert [api for _, api in found(source) if not api.endswith("__")] == []


@pytest.mark.parametrize(
    ("call", "is_network"),
    [
        ("load_state_dict(kept, strict=False)", True),
        ("load_state_dict(kept, assign=True)", True),
        ("load_state_dict(kept)", False),  # as optimizers and schedules load theirs
        ("load(kept, strict=False)", False),
    ],
)
def test_only_networks_are_asked_to_load_strictly(call: str, is_network: bool) -> None:
    members = [
        api for _, api in found(f"{HEADER}def f(holder, kept):\n    holder.{call}\n    holder.fc.go()\n")
    ]
    assert ("torch.nn.Module.load_state_dict" in members) is is_network


@pytest.mark.parametrize(
    ("source", "modes"),
    [
        ("def f(model):\n    model.train(); model.eval()", 2),
        ("def f(model, loader):\n    model.train(); model.zero_grad(); model.eval()", 2),
        # An optimizer that has modes of its own.
        (
            "def f(optimizer):\n    optimizer.train(); optimizer.zero_grad(); optimizer.step(); optimizer.eval()",
            0,
        ),
        ("def f(opt):\n    opt.train(); opt.zero_grad(); opt.step(); opt.eval()", 0),
        ("def f(g_optim):\n    g_optim.train(); g_optim.eval()", 0),
        # Nothing of a network speaks for what trains one.
        ("def f(trainer):\n    trainer.train(); trainer.save_model('x')", 0),
        ("def f(self_solver):\n    self_solver.train(); self_solver.eval()", 0),
        ("class A:\n    def f(self):\n        self.runner.train()", 0),
    ],
)
def test_modes_of_networks_alone(source: str, modes: int) -> None:
    members = [api for _, api in found(HEADER + source)]
    assert sum(api in ("torch.nn.Module.train", "torch.nn.Module.eval") for api in members) == modes


def test_module_members() -> None:
    check(
        """
        from torch import nn
        class Net(nn.Module):  #: torch.nn.Module
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 2, 3)  #: torch.nn.Conv2d
                self.register_buffer("scale", x)  #: torch.nn.Module.register_buffer
                self.shape = 3
            def forward(self, x):  #: torch.nn.Module.forward
                y = self.conv(x)
                if self.training:  #: torch.nn.Module.training
                    return y.relu(), self.shape  #: torch.Tensor.relu
                return self.scale.view(1)  #: torch.Tensor.view
        def build():
            return Net()
        net = build().cuda()  #: torch.nn.Module.cuda
        for p in net.parameters():  #: torch.nn.Module.parameters
            p.requires_grad_(False)  #: torch.Tensor.requires_grad_
        """
    )


def test_attributes_of_layers_that_are_set() -> None:
    check(
        """
        from torch import nn
        class Net(nn.Module):  #: torch.nn.Module
            def __init__(self, other):
                super().__init__()
                self.table = nn.Embedding(3, 2)  #: torch.nn.Embedding
                self.head = nn.Linear(2, 3)  #: torch.nn.Linear
                self.table.weight = self.head.weight  #: torch.nn.Embedding.weight; torch.nn.Linear.weight
                self.head.name_of_the_user = 3
                self.other = other
                self.other.weight = self.weight = 3
                self.head.bias.data = x  #: torch.nn.Linear.bias; torch.Tensor.data
        """
    )


def test_own_method_is_a_use_of_torch_only_in_the_place_of_its_method() -> None:
    check(
        """
        from torch import nn
        class Net(nn.Module):  #: torch.nn.Module
            def train(self, mode):  #: torch.nn.Module.train
                return self
            def to(self, device):  #: torch.nn.Module.to
                return self
        class Solver(nn.Module):  #: torch.nn.Module
            def train(self, loader):
                return self.eval(loader)
            def eval(self, loader):
                return loader
        Net().train(True)  #: torch.nn.Module.train
        Net().eval()  #: torch.nn.Module.eval
        Net().to(3)
        Solver().train(3)
        """
    )


def test_types_cross_files() -> None:
    check(
        """
        from .layers import Block, make, apply_to
        block = Block()
        block.train()  #: torch.nn.Module.train
        make(3).view(1)  #: torch.Tensor.view
        apply_to(make(3))
        """,
        layers="""
        import torch
        from torch import nn
        class Base(nn.Module): pass
        class Block(Base): pass
        def make(n): return torch.ones(n)
        def apply_to(x): return x.data
        """,
    )


def test_a_package_that_imports_its_parts_from_itself() -> None:
    project = Project("/p")
    texts = {
        "/p/pkg/__init__.py": "from pkg import layers",
        "/p/pkg/layers.py": "import torch\ndef make(n):\n    return torch.ones(n)",
        "/p/main.py": "import torch\nimport pkg\npkg.layers.make(3).view(1)",
    }
    for path, text in texts.items():
        project.add(path, text)
    assert only(project.usage("/p/main.py"), "torch.Tensor.view").confidence is Confidence.PROVED


def test_callers_tell_the_type_of_a_parameter() -> None:
    usage = usage_of("import torch\ndef f(x):\n    return x.data\nf(torch.ones(1))\n")
    assert only(usage, "torch.Tensor.data").confidence is Confidence.INFERRED


def test_function_that_hands_its_argument_through() -> None:
    check(
        """
        import torch
        def default(value, other):
            return value if value is not None else other
        default(None, torch.ones(1)).view(1)  #: torch.ones; torch.Tensor.view
        default(None, "a").split(",")
        """
    )


def test_optimizer_and_loader() -> None:
    check(
        """
        import torch
        optimizer = torch.optim.Adam(p)  #: torch.optim.Adam
        optimizer.zero_grad()  #: torch.optim.Optimizer.zero_grad
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)  #: torch.optim.lr_scheduler.StepLR
        device = torch.device("cpu")  #: torch.device
        device.type  #: torch.device.type
        """
    )


def test_schedules_kept_in_a_dictionary_that_a_method_fills() -> None:
    """One of several schedules, which a builder made and nobody has to pass."""
    check(
        """
        import torch
        class Engine:
            def __init__(self, schedule=None):
                self.schedules = {}
                self.register("model", schedule)
            def register(self, name, schedule=None):
                self.schedules[name] = schedule
            def save(self, name):
                self.schedules[name].state_dict()  #: torch.optim.lr_scheduler.LRScheduler.state_dict
        def build(kind, optimizer):
            if kind == "steps":
                schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)  #: torch.optim.lr_scheduler.StepLR
            else:
                schedule = torch.optim.lr_scheduler.ConstantLR(optimizer)  #: torch.optim.lr_scheduler.ConstantLR
            return schedule
        Engine(build("steps", optimizer))
        """
    )


_EITHER = "import numpy as np\nimport torch\na = torch.ones(2) if chosen else np.ones(2)\n"
CONFIDENCES = [
    ("import torch\ntorch.ones(1).view(1)", "torch.Tensor.view", Confidence.PROVED),
    ("import torch\ndef f(x: torch.Tensor):\n    x.view(1)", "torch.Tensor.view", Confidence.ANNOTATED),
    ("import torch\ndef f(x):\n    x.unsqueeze(1).view(1)", "torch.Tensor.view", Confidence.GUESSED),
    (
        "import torch\ndef f(x):\n    torch.relu(x)\n    x.unsqueeze(1).view(1)",
        "torch.Tensor.view",
        Confidence.INFERRED,
    ),
    ("import torch\ndef f(x):\n    x.dtype", "torch.Tensor.dtype", Confidence.GUESSED),
    # What may be an array of NumPy's stays so when it is computed with, but not with a tensor.
    (f"{_EITHER}(a * 2 + a).sum(1)", "torch.Tensor.sum", Confidence.GUESSED),
    (f"{_EITHER}(-a / 2).sum(1)", "torch.Tensor.sum", Confidence.GUESSED),
    (f"{_EITHER}(a * torch.ones(2)).sum(1)", "torch.Tensor.sum", Confidence.PROVED),
]


# The parameters of a function that nobody calls, and what the first argument of `.to` is then.
DEVICES = [
    ("x: Tensor, device", "device", Kind.DEVICE),
    ("x: Tensor, device=None", "device", Kind.DEVICE),
    ("x: Tensor, device: torch.dtype", "device", Kind.DTYPE),
    ("x: Tensor, place", "place", Kind.UNKNOWN),
    ("x: Tensor, args", "args.device", Kind.DEVICE),
    ("x: Tensor, self", "self.args.device", Kind.DEVICE),
    ("x: Tensor, opt", "opt['device']", Kind.DEVICE),
    ("x: Tensor, gpu", "gpu", Kind.DEVICE),
    ("x: Tensor, args", "args.local_rank", Kind.DEVICE),
    ("x: Tensor, args", "args.kind", Kind.UNKNOWN),
    ("x: Tensor, opt", "opt['kind']", Kind.UNKNOWN),
    ("x: Tensor, device=torch.float16", "device", Kind.DTYPE),
    ("x: Tensor, dtype", "dtype", Kind.DTYPE),
    ("x: Tensor, dtype=None", "dtype", Kind.UNKNOWN),
    ("x: Tensor, weight_dtype", "weight_dtype", Kind.DTYPE),
    ("x: Tensor, config", "config.dtype", Kind.DTYPE),
    ("x: Tensor, config", "config.dtype_name", Kind.UNKNOWN),
    ("x: Tensor, config", "'cuda' if x.any() else config.device", Kind.DEVICE),
    ("x: Tensor, config", "'cuda' if x.any() else config.place", Kind.UNKNOWN),
]

# What a name is that holds one of several values, as the first argument of `.to`.
CHOSEN = [
    ("device", "'cuda' if is_there else 'cpu'", Kind.STR),
    ("device", "0 if is_there else 'cpu'", Kind.DEVICE),
    ("device", "torch.cuda.current_device() if is_there else 'cpu'", Kind.DEVICE),
    ("self.device", "0 if is_there else 'cpu'", Kind.DEVICE),
    ("place", "torch.device('cuda', 0) if is_there else 'cpu'", Kind.DEVICE),
    ("place", "0 if is_there else 'cpu'", Kind.UNKNOWN),
    ("dtype", "0 if is_there else 'half'", Kind.UNKNOWN),
    ("device", "0.5 if is_there else 'cpu'", Kind.UNKNOWN),
]

# What several callers pass to a parameter, and what it is then.
PASSED = [
    ("f((1, 2))\nf((3, 4))", Kind.SEQUENCE),
    ("f([1, 2])\nf([3, 4])", Kind.SEQUENCE),
    ("f([1, 2])\nf([3, 4])\nf(unknown[0])", Kind.UNKNOWN),
    ("f(1)\nf(2)\nf(unknown[0])", Kind.INT),
]


@pytest.mark.parametrize(("calls", "kind"), PASSED)
def test_a_sequence_is_certain_where_all_callers_pass_one(calls: str, kind: Kind) -> None:
    use = only(usage_of(f"{HEADER}def f(size):\n    torch.zeros(size)\n{calls}\n"), "torch.zeros")
    assert use.call is not None
    assert use.call.arguments[0].kind is kind


@pytest.mark.parametrize(("parameters", "argument", "kind"), DEVICES)
def test_what_is_called_as_devices_are_is_one(parameters: str, argument: str, kind: Kind) -> None:
    use = only(usage_of(f"{HEADER}def f({parameters}):\n    return x.to({argument})\n"), "torch.Tensor.to")
    assert use.call is not None
    assert use.call.arguments[0].kind is kind


@pytest.mark.parametrize(("name", "value", "kind"), CHOSEN)
def test_what_is_a_text_or_a_number_is_a_device_by_its_name(name: str, value: str, kind: Kind) -> None:
    text = f"{HEADER}def f(self, is_there):\n    {name} = {value}\n    return torch.ones(2).to({name})\n"
    use = only(usage_of(text), "torch.Tensor.to")
    assert use.call is not None
    assert use.call.arguments[0].kind is kind


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("parser.parse_args()", Kind.DEVICE),
        ("parser.parse_args()\nif not args.gpu:\n    args.device = 'cpu'", Kind.DEVICE),
        ("argparse.Namespace()\nargs.device = read('device')", Kind.DEVICE),
        ("parser.parse_args()\nargs.device = torch.float16", Kind.DTYPE),
        ("parser.parse_args()\nif __name__ == '__main__':\n    args = parser.parse_args()", Kind.DEVICE),
    ],
)
def test_what_is_called_so_among_the_options_of_a_script_is_one(options: str, kind: Kind) -> None:
    text = f"import argparse\nparser = argparse.ArgumentParser()\nargs = {options}\nx = torch.ones(2).to(args.device)\n"
    use = only(usage_of(f"{HEADER}{text}"), "torch.Tensor.to")
    assert use.call is not None
    assert use.call.arguments[0].kind is kind


REFUSED_BY_TENSORS = [
    "x.cumsum()",
    "x.max(), x.cumprod()",
    "x.transpose()",
    "x.mean(), x.transpose(0, 2, 1)",
    "x.std(ddof=1)",
    "x.sum(axis=0, initial=1)",
    "x.take([0], axis=1)",
    "x.sort(kind='stable')",
]
TAKEN_BY_TENSORS = [
    "x.cumsum(0)",
    "x.cumsum(axis=0)",
    "x.transpose(0, 1)",
    "x.max(axis=1, keepdims=True)",
    "x.transpose(*axes)",
    "x.std(**how)",
    "x.reshape(2, 3, 4)",
    "x.sum(0, True)",
]


def _guessed(called: str) -> set[str]:
    """What is found of members of x, also what is only guessed."""
    uses = usage_of(f"import torch\ndef f(x, axes, how):\n    {called}").uses
    return {one.api for one in uses if one.api.startswith("torch.Tensor.")}


@pytest.mark.parametrize("called", REFUSED_BY_TENSORS)
def test_what_torch_refuses_is_not_guessed_to_be_called_of_a_tensor(called: str) -> None:
    assert _guessed(called) == set()


@pytest.mark.parametrize("called", TAKEN_BY_TENSORS)
def test_what_torch_takes_may_be_called_of_a_tensor(called: str) -> None:
    assert _guessed(called) != set()


_KEPT = """
import numpy as np
import torch

class Base:
    def __init__(self, n):
        self.kept = {first}

class Buffer({bases}):
    def __init__(self, n):
        {own}

    def load(self, dataset):
        self.kept = dataset["observations"]

    def statistics(self, index):
        return {read}
"""
AN_ARRAY, A_TENSOR, NOTHING = "np.zeros((n, 3))", "torch.zeros(n, 3)", "n"


@pytest.mark.parametrize(
    "read", ["self.kept.std(0)", "self.kept.mean(0, keepdims=True).reshape(-1)", "self.kept[index:].std(0)"]
)
@pytest.mark.parametrize(
    ("first", "bases", "own", "is_array"),
    [
        (NOTHING, "", f"self.kept = {AN_ARRAY}", True),
        (NOTHING, "", f"self.size, self.kept = n, {AN_ARRAY}", True),
        (AN_ARRAY, "Base", "super().__init__(n)", True),
        (NOTHING, "", f"self.kept = {A_TENSOR}", False),
        (A_TENSOR, "Base", f"self.kept = {AN_ARRAY}", False),
        (AN_ARRAY, "", "pass", False),
        (NOTHING, "", f"self.other = {AN_ARRAY}", False),
    ],
)
def test_what_a_class_keeps_beside_an_array_is_no_tensor(
    first: str, bases: str, own: str, read: str, is_array: bool
) -> None:
    uses = usage_of(_KEPT.format(first=first, bases=bases, own=own, read=read)).uses
    assert any(use.api in ("torch.Tensor.std", "torch.Tensor.mean") for use in uses) is not is_array


@pytest.mark.parametrize("read", ["self.kept.view(-1).std()", "torch.exp(self.kept), self.kept.std()"])
def test_what_is_used_as_a_tensor_is_one_beside_an_array(read: str) -> None:
    source = _KEPT.format(first="n", bases="", own=f"self.kept = {AN_ARRAY}", read=read)
    assert any(use.api == "torch.Tensor.std" for use in usage_of(source).uses)


@pytest.mark.parametrize(("source", "api", "confidence"), CONFIDENCES)
def test_confidence(source: str, api: str, confidence: Confidence) -> None:
    assert only(usage_of(source), api).confidence is confidence


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("x.size()", ["*()"]),
        ("x.shape", ["*"]),
        ("x.shape[1:]", ["*"]),
        ("unknown.size()", ["*()"]),
        ("unknown.shape", ["?.shape"]),  # a space of actions has one, too, and then it is data
        ("space.shape", ["?.shape"]),
        ("unknown.form", []),
        ("space.shape[:2]", []),
        ("(2, 3)", ["[]"]),
        ("pair", ["[]"]),
        ("(0.5, 2)", []),
        ("[2, 3]", []),
        ("unknown", []),
        ("*x.size()", []),
        ("2", []),
    ],
)
@pytest.mark.parametrize("made", ["torch.FloatTensor", "kind"])
def test_what_a_class_of_tensors_gets(given: str, written: list[str], made: str) -> None:
    usage = usage_of(
        f"{HEADER}kind = torch.LongTensor\ndef f(x: Tensor, unknown, space):\n"
        f"    first, pair = space.shape[0], (2, 3)\n    return {made}({given})  # 层 🙂\n"
    )
    calls = [use.call for use in usage.uses if use.api == "torch.Tensor.size" and use.call is not None]
    assert [call.arguments[0].value for call in calls if call.arguments] == written


def test_an_owner_that_tells_when_the_program_runs_is_no_guess() -> None:
    usage = usage_of(f"{HEADER}class A:\n    def f(self, space):\n        return torch.Tensor(space.shape)\n")
    assert only(usage, "torch.Tensor.size").confidence is Confidence.INFERRED


def test_a_value_of_either_of_two_classes_has_the_member_that_both_override() -> None:
    check(
        """
        from torch.distributions import Normal, TransformedDistribution
        def f(a, b, c):
            d = Normal(a, b)  #: torch.distributions.Normal
            if c:
                d = TransformedDistribution(d, [])  #: torch.distributions.TransformedDistribution
            d.rsample()  #: torch.distributions.Distribution.rsample
        """
    )


@pytest.mark.parametrize(
    ("statement", "result"),
    [
        ("return {}._modules['%d' % i](x)", ResultUse.INDEXED),
        ("{}._modules['a'] = x", ResultUse.WRITTEN),
        ("del {}._modules['a']", ResultUse.WRITTEN),
        ("return {}._modules.items()", ResultUse.OTHER),
    ],
)
@pytest.mark.parametrize(
    "where", ["class A(nn.Module):\n    def f(self, x, i):\n        ", "def f(self: nn.Module, x, i):\n    "]
)
def test_whether_the_parts_of_a_module_are_read_or_written(
    where: str, statement: str, result: ResultUse
) -> None:
    usage = usage_of(f"from torch import nn\n{where}{statement.replace('{}', 'self')}\n")
    assert only(usage, "torch.nn.Module._modules").result is result


@pytest.mark.parametrize(
    ("step", "is_guessed"),
    [
        ("a.step()", True),
        ("a.step(closure)", True),
        ("a.step(lambda: loss)", True),
        ("a.step(loss_fn)", True),
        ("a.step(None)", True),
        ("a.step(action)  # 动作 🙂", False),
        ("o, r, done, info = a.step(0)", False),
        ("a.step(self.metrics['loss'])", False),
        ("a.zero_grad(); a.step(action)", True),
    ],
)
def test_a_step_that_takes_a_value_is_none_of_an_optimizer(step: str, is_guessed: bool) -> None:
    uses = usage_of(f"{HEADER}def f(a):\n    {step}\n").uses
    assert ("torch.optim.Optimizer.step" in {use.api for use in uses}) is is_guessed
