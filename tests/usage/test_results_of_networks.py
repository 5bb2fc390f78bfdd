"""What networks give whose `forward` is not known, and values that several methods of one class tell of."""

from __future__ import annotations

import pytest

from mindport.usage.api_use import Form
from usage.marks import check, usage_of

TRAINER = """
import torch
import torch.nn.functional as F

class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.names = {{}}
    def optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=0.1)  #: torch.optim.SGD; torch.nn.Module.parameters
    def predict(self, x):
        return self.model(x)
    def fit(self):
        for x, y in self.loader:
            self.last = self.model(x)
    def use(self, x):
        {line}
"""
KNOWN = [
    ("self.model.eval()", "torch.nn.Module.eval"),
    ("self.last.detach()", "torch.Tensor.detach"),
    ("(self.last + 1).detach()", "torch.Tensor.__add__; torch.Tensor.detach"),
    ("-self.last.mean()", "torch.Tensor.mean; torch.Tensor.__neg__"),
    ("self.predict(x).detach()", "torch.Tensor.detach"),
    ("a, b = self.model(x); a.cpu()", "torch.Tensor.cpu"),
    ("out = self.model(x); out['boxes'].detach()", "torch.Tensor.detach"),
    ("out = self.model(x); out.logits.detach()", "torch.Tensor.detach"),
    ("self.model.sample(x).detach()", "torch.Tensor.detach"),
    ("a, b, _ = self.model.sample(x); (b + 1.0).detach()", "torch.Tensor.__add__; torch.Tensor.detach"),
    ("self.model.temperature.detach()", "torch.Tensor.detach"),
]
NOT_KNOWN = [
    "self.loader.eval()",
    "self.names.detach()",
    "x.detach()",
    "self.model.name.lower()",
    "self.model.table.mean(1)",
    "out = self.model(x); out.keys(), out.items()",
    "out = self.model(x); out.values()",
    "out = self.model(x); out['boxes'] = 3",
    "self.model.sample(x).mean(1)",
]


@pytest.mark.parametrize(("line", "names"), KNOWN)
def test_what_a_network_gives_is_a_tensor_or_holds_them(line: str, names: str) -> None:
    check(TRAINER.format(line=f"{line}  #: {names}"))


PARTS = [
    ("for found in net(x): found.detach()", ["detach"]),
    ("for found in net(x): found.sum(), found.max(0)", ["max", "sum"]),
    ("for found in net(x): found.values()", []),
    ("for found in net(x): found.items(), found.update({})", []),
    ("found = net(x); kept = [v for one in found for v in one.values()]", []),
    ("first, second = net(x); first.values(), first.keys()", []),
    ("first, second = net(x); first.mean()", ["mean"]),
    ("s = x.to_sparse(); s.values()", ["to_sparse", "values"]),
]


@pytest.mark.parametrize(("line", "names"), PARTS)
def test_a_network_may_give_several_dictionaries(line: str, names: list[str]) -> None:
    head = "import torch\ndef use(net: torch.nn.Module, x: torch.Tensor):\n    "
    apis = [use.api for use in usage_of(head + line).uses if use.form is Form.METHOD]
    assert sorted(apis) == [f"torch.Tensor.{name}" for name in names]


@pytest.mark.parametrize("line", NOT_KNOWN)
def test_what_a_network_holds_may_be_anything(line: str) -> None:
    check(TRAINER.format(line=line))


def test_other_classes_tell_nothing_of_an_attribute_of_that_name() -> None:
    check(
        """
        import torch

        class One:
            def __init__(self, model):
                self.model = model
            def steps(self):
                return torch.optim.SGD(self.model.parameters(), lr=0.1)  #: torch.optim.SGD; torch.nn.Module.parameters

        class Other:
            def __init__(self, model):
                self.model = model
            def use(self):
                self.model.eval()
        """
    )


OPTIMIZER = """
import torch

class Own(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {{}})
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                {line}
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("state['average'].mul_(0.9)", ["torch.Tensor.mul_"]),
        ("a, b = state['a'], state['b']; a.lerp_(b, 0.1)", ["torch.Tensor.lerp_"]),
        ("state['step'] += 1", []),
        ("state['name'].mean(1)", []),
    ],
)
def test_what_an_optimizer_keeps_for_a_parameter(line: str, found: list[str]) -> None:
    uses = usage_of(OPTIMIZER.format(line=line)).uses
    certain = [use.api for use in uses if use.confidence.name != "GUESSED"]
    assert [api for api in certain if api.startswith("torch.Tensor.")] == found


@pytest.mark.parametrize(
    ("made", "is_known"),
    [
        ("dict(net.named_parameters())", True),
        ("OrderedDict(net.named_parameters())", True),
        ("dict(dict(net.named_parameters()))", True),
        ("dict(names)", False),
        ("dict(enumerate(names))", False),
    ],
)
def test_a_dictionary_made_of_pairs(made: str, is_known: bool) -> None:
    uses = usage_of(
        "import torch\nfrom collections import OrderedDict\n"
        f"def f(net: torch.nn.Module, names):\n    kept = {made}\n    for name in kept:\n        kept[name].mul_(2)\n"
    ).uses
    assert (
        any(use.api == "torch.Tensor.mul_" and use.confidence.name != "GUESSED" for use in uses) is is_known
    )


@pytest.mark.parametrize(
    ("parameters", "call", "use", "is_known"),
    [
        ("*nets", "f(A(), B())", "nets[0].eval()", True),
        ("*nets", "f(A(), B())", "[net.eval() for net in nets]", True),
        ("x, *nets, y=1", "f(1, A(), y=2)", "nets[0].eval()", True),
        ("**nets", "f(a=A(), b=B())", "[net.eval() for net in nets.values()]", True),
        ("x, **nets", "f(x=1, a=A())", "nets['a'].eval()", True),
        ("x, *nets", "f(A())", "nets[0].eval()", False),
        ("x, **nets", "f(x=A())", "nets['a'].eval()", False),
        ("*nets", "f(Frame())", "nets[0].eval()", False),
    ],
)
def test_what_is_passed_beside_the_named_parameters(
    parameters: str, call: str, use: str, is_known: bool
) -> None:
    uses = usage_of(
        "from torch import nn\nclass A(nn.Module): pass\nclass B(nn.Module): pass\nclass Frame: pass\n"
        f"def f({parameters}):\n    {use}\n{call}\n"
    ).uses
    known = any(one.api.endswith(".eval") and one.confidence.name != "GUESSED" for one in uses)
    assert known is is_known


def test_a_batch_or_a_tensor_is_a_tensor() -> None:
    check(
        """
        import torch
        from torch.utils.data import DataLoader

        def train(loader, device):
            for data in loader:
                real = data.to(device)  #: torch.Tensor.to
                real.size(0)  #: torch.Tensor.size

        def main(dataset):
            train(DataLoader(dataset), "cpu")  #: torch.utils.data.DataLoader
            train([torch.ones(2)], "cpu")  #: torch.ones
        """
    )


@pytest.mark.parametrize(
    "made",
    [
        "torchvision.models._utils.IntermediateLayerGetter(net, {'layer1': 'low'})",
        "torchvision.models.segmentation.fcn_resnet50()",
        "torchvision.ops.FeaturePyramidNetwork([8, 16], 8)",
    ],
)
def test_networks_of_torchvision_that_give_a_dictionary(made: str) -> None:
    check(
        f"""
        import torchvision
        from torch import nn
        class Neck(nn.Module):  #: torch.nn.Module
            def forward(self, input):  #: torch.nn.Module.forward
                first = list(input.values())[0]
                return first.mean()  #: torch.Tensor.mean
        class Net(nn.Module):  #: torch.nn.Module
            def __init__(self, net):
                self.body = {made}  #: {made.partition("(")[0]}
                self.neck = Neck()
            def forward(self, x):  #: torch.nn.Module.forward
                found = self.body(x)
                found['low'].detach()  #: torch.Tensor.detach
                for name, one in found.items():
                    one.detach()  #: torch.Tensor.detach
                return self.neck(found)
        """
    )


def test_losses_of_a_detector() -> None:
    check(
        """
        import torchvision
        net = torchvision.models.detection.fasterrcnn_resnet50_fpn()  #: torchvision.models.detection.fasterrcnn_resnet50_fpn
        found = net(images, targets)
        loss = sum(one for one in found.values())
        found[0]['boxes'].detach()  #: torch.Tensor.detach
        """  # noqa: E501
    )
