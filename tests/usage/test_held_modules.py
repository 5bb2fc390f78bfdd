"""Modules that come from elsewhere: what torch's own classes hold, what a method of a subclass makes, and what is
imported by its name."""

from __future__ import annotations

import pytest

from usage.marks import check, usage_of


def test_what_classes_of_torch_and_torchvision_are_made_with() -> None:
    check(
        """
        import torchvision
        from torch import nn
        class Encoder(nn.Transformer):  #: torch.nn.Transformer
            def forward(self, x, mask):  #: torch.nn.Transformer.forward
                return self.encoder(x, mask=mask)  #: torch.nn.TransformerEncoder.forward
        net = torchvision.models.resnet18()  #: torchvision.models.resnet18
        n = net.fc.in_features  #: torch.nn.Linear.in_features
        net.fc = nn.Linear(n, 2)  #: torch.nn.Linear
        vgg = torchvision.models.vgg16()  #: torchvision.models.vgg16
        vgg.classifier[6].in_features  #: torch.nn.Linear.in_features
        vgg.classifier[1].in_features  # an activation
        net.unknown.in_channels
        """
    )


@pytest.mark.parametrize(
    ("source", "api"),
    [
        ("def f(net: nn.Module):\n    return net.fc.in_features", "torch.nn.Linear.in_features"),
        ("class N(nn.Module):\n    in_features = 3\nn = N().in_features", None),
        (
            "class N(nn.Module):\n    def in_features(self):\n        return 3\n"
            "def f(net: nn.Module):\n    return net.fc.in_features()",
            None,
        ),
        (
            "class N(nn.Module):\n    def __init__(self, n):\n        self.in_features = n\n"
            "def f(net: nn.Module):\n    net.fc.in_features = 3",
            None,
        ),
    ],
)
def test_what_only_linear_layers_have_is_guessed(source: str, api: str | None) -> None:
    apis = {use.api for use in usage_of(f"from torch import nn\n{source}\n").uses}
    assert ("torch.nn.Linear.in_features" in apis) is (api is not None)


@pytest.mark.parametrize(
    ("kept", "layer", "is_mixed"),
    [
        ("in_features", "net", True),
        ("out_features", "net.fc", True),
        ("others", "net", False),
        ("in_features", "nn.Linear(2, 3)", False),
    ],
)
def test_a_layer_of_the_project_may_have_such_a_size(kept: str, layer: str, is_mixed: bool) -> None:
    source = (
        f"class N(nn.Module):\n    def __init__(self, n):\n        self.{kept} = n\n"
        f"def f(net: nn.Module):\n    return {layer}.in_features"
    )
    uses = usage_of(f"from torch import nn\n{source}\n").uses
    signs = [use.signs for use in uses if use.api == "torch.nn.Linear.in_features"]
    assert ["mixed" in one for one in signs] == [is_mixed]


def test_a_method_that_subclasses_define() -> None:
    check(
        """
        from torch import nn
        class Base:
            def __init__(self, kind):
                self.net = self.make(kind).cuda()  #: torch.nn.Module.cuda
            def make(self, kind):
                raise NotImplementedError
            def log(self, value):
                \"\"\"Left to others.\"\"\"
        """.replace('\\"', '"')
        + """
        class One(Base):
            def make(self, kind):
                return nn.Linear(2, 2)  #: torch.nn.Linear
            def run(self):
                self.net.parameters()  #: torch.nn.Module.parameters
        class Other:
            def make(self, kind):
                return 3
        class Plain(Base):
            def run(self):
                self.net.parameters()  #: torch.nn.Module.parameters
        """
    )


def test_modules_imported_by_their_names() -> None:
    check(
        """
        import importlib
        from importlib import import_module
        def f(name):
            optim = importlib.import_module("torch.optim")
            optim.SGD  #: torch.optim.SGD
            import_module("torch.nn").ReLU  #: torch.nn.ReLU
            importlib.import_module(name).ReLU
            importlib.import_module("other.nn").ReLU
            importlib.import_module(".nn", "torch").ReLU
        """
    )


def test_modules_of_folders_that_are_no_packages() -> None:
    check(
        """
        import torch
        from models import one, two
        from wandb import log
        class Run:
            def make(self, name):
                kinds = {"one": one, "two": two}
                return kinds[name].Model(3).float()  #: torch.nn.Module.float
            def other(self, name):
                return log.Model(3).float()
        """,
        models__one="""
        from torch import nn
        class Model(nn.Module):
            pass
        """,
        models__two="""
        from torch import nn
        class Model(nn.Module):
            pass
        """,
        wandb__run__log="Model = 3",
    )


@pytest.mark.parametrize(
    "call", ["net.get_submodule(name)", "getattr(net, name)", "dict(net.named_modules())[name]"]
)
def test_a_module_inside_a_network_is_no_such_network(call: str) -> None:
    text = (
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.fc = nn.Linear(2, 3)\n\n\ndef f(net: Net, name):\n    return ({call}).in_features\n"
    )
    assert "torch.nn.Linear.in_features" in [use.api for use in usage_of(text).uses]


def test_what_layers_make_of_given_weights() -> None:
    check(
        """
        import torch
        from torch import nn
        class Net(nn.Module):  #: torch.nn.Module
            def __init__(self, vectors, bags):
                super().__init__()
                T, B = nn.Embedding, nn.EmbeddingBag  #: torch.nn.Embedding; torch.nn.EmbeddingBag
                self.words = T.from_pretrained(vectors)  #: torch.nn.Embedding.from_pretrained
                self.bags = B.from_pretrained(bags)  #: torch.nn.EmbeddingBag.from_pretrained
                self.other = Other.from_pretrained(vectors)
            def forward(self, x):  #: torch.nn.Module.forward
                weight = self.words.weight  #: torch.nn.Embedding.weight
                return self.bags.weight, self.other.weight  #: torch.nn.EmbeddingBag.weight
        """
    )


def test_what_other_programs_of_the_project_leave() -> None:
    check(
        """
        import runpy
        import time
        left = runpy.run_path("train.py", run_name="__main__")
        left["model"].named_parameters()  #: torch.nn.Module.named_parameters
        runpy.run_module("train")["net"].named_modules()  #: torch.nn.Module.named_modules
        time.localtime()["net"].named_modules()
        """
    )


def test_what_torch_takes_for_a_module_is_one_before_that_too() -> None:
    check(
        """
        import torch
        from torch import nn
        def build(kinds, args):
            model = kinds[args.kind].Model(args).float()  #: torch.nn.Module.float
            if args.devices:
                model = nn.DataParallel(model, device_ids=args.devices)  #: torch.nn.DataParallel
            return model
        def averaged(factory):
            net = factory(3).half()  #: torch.nn.Module.half
            return torch.optim.swa_utils.AveragedModel(model=net)  #: torch.optim.swa_utils.AveragedModel
        def held(factory):
            value = factory(3).float()
            return nn.Sequential(value)  #: torch.nn.Sequential
        def alike(factory):
            value = factory(3).half()  #: torch.Tensor.half
            return torch.relu(value)  #: torch.relu
        """
    )


TABLES = """
from torch import nn
class Net(nn.Module):  #: torch.nn.Module
    def __init__(self, n, other):
        super().__init__()  #: torch.nn.Module.__init__
        {made}
    def reset(self):
        {used}
"""
EMBEDDINGS = "{str(i): nn.Embedding(4, 3) for i in range(n)}"
MADE = [
    f"self.m = nn.ModuleDict({EMBEDDINGS})",
    "self.m = nn.ModuleDict({'a': nn.Embedding(4, 3), 'b': nn.Embedding(2, 3)})",
    "self.m = nn.ModuleDict([('a', nn.Embedding(4, 3))])",
    "self.m = nn.ModuleDict(dict(a=nn.Embedding(4, 3)))",
    "self.m = nn.ModuleDict()\n        for i in range(n): self.m[str(i)] = nn.Embedding(4, 3)",
    "t = {}\n        for i in range(n): t[str(i)] = nn.Embedding(4, 3)\n        self.m = nn.ModuleDict(t)",
]
USED = [
    "for v in self.m.values(): v.weight",
    "for k, v in self.m.items(): v.weight",
    "for _, (k, v) in enumerate(self.m.items()): v.weight",
    "for k in self.m: self.m[k].weight",
    "next(iter(self.m.values())).weight",
    "self.m['a'].weight",
]


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("made", MADE)
def test_what_a_table_of_modules_holds(made: str, used: str) -> None:
    apis = [use.api for use in usage_of(TABLES.format(made=made, used=used)).uses]
    assert apis.count("torch.nn.Embedding.weight") == 1


@pytest.mark.parametrize(
    "made",
    [
        "self.m = nn.ModuleDict(other)",
        "self.m = nn.ModuleDict({'a': nn.Embedding(4, 3), 'b': other})",
        "self.m = nn.ModuleDict()",
        "self.m = {'a': other}",
        f"self.m = nn.ModuleDict({EMBEDDINGS})\n        self.m['c'] = other",
    ],
)
def test_what_a_table_of_modules_may_hold(made: str) -> None:
    for used in USED[:-1]:
        apis = {use.api for use in usage_of(TABLES.format(made=made, used=used)).uses}
        assert "torch.nn.Embedding.weight" not in apis


@pytest.mark.parametrize(
    ("place", "layer"),
    [
        ("0", "Embedding"),
        ("-1", "Linear"),
        ("-2", "LayerNorm"),
        ("1", None),
        ("2", None),
        ("-3", None),
        ("-4", None),
        ("i", None),
    ],
)
def test_places_of_a_sequential_before_and_behind_a_star(place: str, layer: str | None) -> None:
    text = (
        "from torch import nn\ndef tie(parts, i):\n"
        "    net = nn.Sequential(nn.Embedding(9, 4), *parts, nn.LayerNorm(4), nn.Linear(4, 9))  # 层 🔥\n"
        f"    return net[{place}].weight\n"
    )
    apis = {use.api for use in usage_of(text).uses if use.api.endswith(".weight")}
    layers = {f"torch.nn.{one}.weight" for one in ("Embedding", "LayerNorm", "Linear")}
    assert apis & layers == ({f"torch.nn.{layer}.weight"} if layer else set())


def test_what_stands_between_two_stars_has_no_place() -> None:
    text = "from torch import nn\nnet = nn.Sequential(*a, nn.Embedding(9, 4), *b)\nw = net[{place}].weight\n"
    for place in (0, 1, 2, -1, -2):
        uses = usage_of(text.format(place=place)).uses
        assert "torch.nn.Embedding.weight" not in {use.api for use in uses}


@pytest.mark.parametrize(("given", "is_mixed"), [("N(4)", True), ("nn.Linear(3, 3)", False)])
def test_a_linear_layer_or_one_of_the_project(given: str, is_mixed: bool) -> None:
    source = (
        "class N(nn.Module):\n    def __init__(self, n):\n        self.in_features = n\n"
        f"def size(part):\n    return part.in_features\nsize(nn.Linear(2, 3))\nsize({given})"
    )
    uses = usage_of(f"from torch import nn\n{source}\n").uses
    signs = [use.signs for use in uses if use.api == "torch.nn.Linear.in_features"]
    assert ["mixed" in one for one in signs] == [is_mixed]
