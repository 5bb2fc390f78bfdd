"""Networks keep their optimizers outside of what makes them up."""

import pytest

from mindport.rewrite.optimizers_of_cells import with_optimizers_apart

BEFORE = "import torch\nfrom torch import nn, optim\n"
NET = """class Net({base}):  # 中文 😀
    def __init__(self, lr):
        super().__init__()
        {line}

    def {run}(self, x):
        return x
"""


def apart(line: str, base: str = "nn.Cell", run: str = "construct", before: str = BEFORE) -> str:
    text = NET.format(line=line, base=base, run=run)
    found = with_optimizers_apart(before, text)
    assert with_optimizers_apart(before, found) == found
    kept = found.splitlines()
    changed = kept[3].strip()
    kept[3] = "        " + line
    assert "\n".join(kept) + "\n" == text
    return changed


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "self.optimizer = TorchAdam(self.trainable_params(), lr=lr)",
            'vars(self)["optimizer"] = TorchAdam(self.trainable_params(), lr=lr)',
        ),
        (
            "self.步 = torch_recorded(TorchSGD)(self.trainable_params(), lr)",
            'vars(self)["步"] = torch_recorded(TorchSGD)(self.trainable_params(), lr)',
        ),
        (
            "self.o = mindspore.experimental.optim.Adagrad(self.trainable_params())",
            'vars(self)["o"] = mindspore.experimental.optim.Adagrad(self.trainable_params())',
        ),
        (
            "self.o = TorchAdam(p) if lr else TorchSGD(p)",
            'vars(self)["o"] = TorchAdam(p) if lr else TorchSGD(p)',
        ),
        ("self.o = None if lr else TorchSGD(p)", 'vars(self)["o"] = None if lr else TorchSGD(p)'),
    ],
)
def test_an_optimizer_is_no_part_of_the_network(line: str, expected: str) -> None:
    assert apart(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "self.layer = nn.Dense(3, 4)",
        "self.make = TorchAdam",
        "optimizer = TorchAdam(self.trainable_params())",
        "other.optimizer = TorchAdam(self.trainable_params())",
        "self.rate = TorchAdam(self.trainable_params()).lrs[0]",
    ],
)
def test_others_stay(line: str) -> None:
    assert apart(line) == line


@pytest.mark.parametrize(
    ("use", "line", "expected"),
    [
        ("net.parameters()", "net.o = TorchAdam(p)", 'vars(net)["o"] = TorchAdam(p)'),
        ("f(self.net.train())", "self.net.o = TorchAdam(p)", 'vars(self.net)["o"] = TorchAdam(p)'),
        (
            "self.net.eval()",
            "self.net.o, self.o = torch_recorded(TorchSGD)(p), TorchAdam(p)",
            'vars(self.net)["o"], self.o = torch_recorded(TorchSGD)(p), TorchAdam(p)',
        ),
        ("other.parameters()", "net.o = TorchAdam(p)", "net.o = TorchAdam(p)"),
        ("net.keys()", "net.o = TorchAdam(p)", "net.o = TorchAdam(p)"),
        ("net.parameters()", "net.o = args.o", "net.o = args.o"),
        ("self.parameters()", "self.o = TorchAdam(p)", "self.o = TorchAdam(p)"),
    ],
)
def test_an_optimizer_that_others_give_to_a_network(use: str, line: str, expected: str) -> None:
    text = "def run(self, net, args, p):  # 中文 😀\n    {}\n"
    assert with_optimizers_apart(f"{BEFORE}{use}\n", text.format(line)) == text.format(expected)


STEPPED = "self.o.zero_grad()\nself.o.step()\n"


@pytest.mark.parametrize(
    ("before", "line", "expected"),
    [
        (
            STEPPED,
            "self.o = make(torch_parameters(self.net))",
            'vars(self)["o"] = make(torch_parameters(self.net))',
        ),
        (STEPPED, "self.o = lr", 'vars(self)["o"] = lr'),
        (STEPPED, "self.o, self.n = lr.o, lr", 'vars(self)["o"], self.n = lr.o, lr'),
        (
            STEPPED,
            "self.o = Own(self.net.trainable_params())",
            'vars(self)["o"] = Own(self.net.trainable_params())',
        ),
        (STEPPED, "self.o = make(lr)(params=params)", 'vars(self)["o"] = make(lr)(params=params)'),
        (STEPPED, "self.o = Agent(lr)", "self.o = Agent(lr)"),  # it may be a network with steps of its own
        (STEPPED + "self.o.train()\n", "self.o = make(lr)", "self.o = make(lr)"),
        (STEPPED, "self.n = make(lr)", "self.n = make(lr)"),
        (STEPPED, "self.o = None", "self.o = None"),
        ("self.o.step()\n", "self.o = make(lr)", "self.o = make(lr)"),  # of a schedule, or of a world
        ("self.o.zero_grad()\n", "self.o = make(lr)", "self.o = make(lr)"),
        (STEPPED.replace("self.o", "o"), "self.o = make(lr)", "self.o = make(lr)"),
    ],
)
def test_what_is_cleared_and_makes_steps_is_one_whoever_made_it(
    before: str, line: str, expected: str
) -> None:
    assert apart(line, before=BEFORE + before) == expected
    if expected != line:
        assert apart(line, base="object", run="run", before=BEFORE + before) == line


HANDED_ON = """class Net(nn.Cell):  # 中文 😀
    def __init__(self, {parameters}):
        super().__init__()
        self.kind = kind
        {line}
        self.actor.o = self.kind(self.actor.trainable_params())

    def make(self):
        self.optimizer = self.kind(self.trainable_params())
"""


@pytest.mark.parametrize(
    "parameters",
    [
        "lr, kind=torch_recorded(TorchAdam)",
        "kind=optim.SGD, lr=1",
        "kind: type[optim.Optimizer], lr=1",
        "*, lr, kind: Optional[Type[TorchOptimizer]] = None",
    ],
)
def test_the_class_is_handed_on(parameters: str) -> None:
    line = "self.adam = kind(self.trainable_params(), lr)"
    text = HANDED_ON.format(parameters=parameters, line=line)
    expected = text.replace("self.adam =", 'vars(self)["adam"] =')
    expected = expected.replace("self.actor.o =", 'vars(self.actor)["o"] =')
    expected = expected.replace("self.optimizer =", 'vars(self)["optimizer"] =')
    assert with_optimizers_apart(BEFORE + "self.actor.parameters()\n", text) == expected


@pytest.mark.parametrize(
    "parameters",
    ["lr, kind=nn.Dense", "kind, lr", "kind: optim.Optimizer, lr=1", "kind: type[nn.Cell] = nn.ReLU, lr=1"],
)
def test_other_classes_that_are_handed_on(parameters: str) -> None:
    text = HANDED_ON.format(parameters=parameters, line="self.layer = kind(3, 4)")
    assert with_optimizers_apart(BEFORE + "self.actor.parameters()\n", text) == text


def test_classes_that_are_no_network_stay() -> None:
    line = "self.optimizer = TorchAdam(net.trainable_params())"
    assert apart(line, base="object", run="run") == line
    assert apart(line, before="from mindspore import nn  # optim\n") == line
    assert with_optimizers_apart(BEFORE, "class Net(nn.Cell:\n") == "class Net(nn.Cell:\n"
