"""Which APIs a gradient of a gradient goes through: those between the inputs and the output, wherever they are written.

`#: name` behind a line lists an API that lies on the link, without its package; `?` behind it says that it is not
certain. Nothing else may be found in any file."""

from __future__ import annotations

import random
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.usage.project import Project
from mindport.usage.regions.link import ChainLink, LinkKind


def links_of(**sources: str) -> dict[str, tuple[ChainLink, ...]]:
    """The links of a project, by module name."""
    project = Project("")
    for name, text in sources.items():
        project.add(f"{name}.py", textwrap.dedent(text))
    return {name: project.second_order_links(f"{name}.py") for name in sources}


def check(**sources: str) -> dict[str, tuple[ChainLink, ...]]:
    """Compare the links with the `#:` comments of the sources."""
    found = links_of(**sources)
    for name, text in sources.items():
        expected = [
            (number, api.strip())
            for number, line in enumerate(textwrap.dedent(text).split("\n"), 1)
            for api in line.partition("#:")[2].split(";")
            if api.strip()
        ]
        shown = [
            (
                link.use.span.line,
                (link.use.api.rpartition(".")[2] or "<unknown>") + ("" if link.is_certain else "?"),
            )
            for link in found[name]
        ]
        assert sorted(shown) == sorted(expected)
    return found


CRITIC = """
    import torch
    from torch import nn
    import torch.nn.functional as F

    class Block(nn.Module):
        def __init__(self, channels_in, channels_out, pool=False):
            super().__init__()
            self.conv = nn.Conv2d(channels_in, channels_out, 3, padding=1)  #: Conv2d
            self.pool = nn.MaxPool2d(2) if pool else nn.Identity()  #: MaxPool2d

        def forward(self, x):
            return self.pool(F.leaky_relu(self.conv(x), 0.2))  #: leaky_relu

    class Critic(nn.Module):
        def __init__(self, channels=3, widths=(16, 32)):
            super().__init__()
            blocks = []
            for width in widths:
                blocks.append(Block(channels, width, pool=True))
                channels = width
            self.blocks = nn.ModuleList(blocks)
            self.head = nn.Sequential(nn.Flatten(), nn.Linear(channels * 64, 1))  #: Flatten; Linear
            self.unused = nn.ELU()

        def forward(self, x):
            for block in self.blocks:
                x = block(x)
            return self.head(x).squeeze(1)  #: squeeze
"""
PENALTY = """
    import torch

    def gradient_penalty(critic, real, fake):
        mixed = (0.5 * real + 0.5 * fake.detach()).requires_grad_(True)
        score = critic(mixed)
        (gradient,) = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
        return ((gradient.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
"""
TRAIN = """
    import torch
    from torch import nn
    from critic import Critic
    from penalty import gradient_penalty

    class Generator(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(8, 3072), nn.ELU())

        def forward(self, z):
            return self.net(z).view(-1, 3, 32, 32)

    class Trainer:
        def __init__(self):
            self.critic = Critic()
            self.generator = Generator()

        def step(self, real):
            fake = self.generator(torch.randn(real.size(0), 8))
            loss = self.critic(fake).mean() + 10 * gradient_penalty(self.critic, real, fake)
            loss.backward()

    if __name__ == "__main__":
        trainer = Trainer()
        trainer.step(torch.rand(4, 3, 32, 32))
"""


def test_critic_step_and_penalty_in_three_files():
    found = check(critic=CRITIC, penalty=PENALTY, train=TRAIN)
    conv = found["critic"][0]
    assert [(place.path, place.step, place.name) for place in conv.chain] == [
        ("penalty.py", LinkKind.DIFFERENTIATED, "torch.autograd.grad"),
        ("penalty.py", LinkKind.CALLED, "Critic"),
        ("critic.py", LinkKind.CALLED, "Block"),
        ("critic.py", LinkKind.APPLIED, "torch.nn.Conv2d"),
    ]
    assert conv.use.call is not None and len(conv.use.call.arguments) == 4


def test_without_the_file_that_differentiates_there_is_no_link():
    assert links_of(critic=CRITIC, train=TRAIN.replace("from penalty", "from other"))["critic"] == ()
    assert links_of(critic=CRITIC, penalty=PENALTY)["critic"] == ()  # nobody passes this critic


def test_without_create_graph_there_is_no_link():
    for text in ("create_graph=False", "retain_graph=True"):
        penalty = PENALTY.replace("create_graph=True", text)
        assert not any(links_of(critic=CRITIC, penalty=penalty, train=TRAIN).values())


CASES = {
    "only what lies between": """
        import torch, torch.nn as nn, torch.nn.functional as F
        embed, net, after = nn.Linear(2, 2), nn.Tanh(), nn.ELU()  #: Tanh
        x = embed(torch.rand(2))
        h = net(x)
        y = F.softplus(h) + F.relu(torch.rand(2))  #: softplus; __add__
        g = torch.autograd.grad(y.sum(), x, create_graph=True)[0]  #: sum
        after(g).sum().backward()
    """,
    "a helper for derivatives, as physics-informed networks have": """
        import torch
        from torch import nn

        def derivative(y, x):
            return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]

        class Net(nn.Module):
            def __init__(self, width=8, depth=2):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(2, width)])  #: Linear
                for i in range(depth):
                    self.layers.append(nn.Linear(width, width))  #: Linear
                self.activation = nn.Tanh()  #: Tanh

            def forward(self, x, t):
                h = torch.cat([x, t], dim=1)  #: cat
                for layer in self.layers[:-1]:
                    h = self.activation(layer(h))
                return self.layers[-1](h)

        def residual(net, x, t):
            u = net(x, t)
            u_x = derivative(u, x)
            return derivative(u_x, x) - derivative(u, t)

        net = Net()
        residual(net, torch.rand(4, 1, requires_grad=True), torch.rand(4, 1, requires_grad=True))
    """,
    "backward with a graph reaches every weight": """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(2, 2), nn.GELU())  #: Linear; GELU
        loss = net(torch.rand(2)).pow(2).sum()  #: pow; sum
        loss.backward(create_graph=True)
    """,
    "weights as inputs": """
        import torch
        from torch import nn
        import torch.nn.functional as F
        model = nn.Sequential(nn.Linear(2, 2), nn.Softplus())  #: Linear; Softplus
        x = torch.rand(2).exp()
        loss = F.mse_loss(model(x), x)  #: mse_loss
        grads = torch.autograd.grad(loss, model.parameters(), create_graph=True)
    """,
    "nested function transforms": """
        import torch
        from torch.func import grad, vmap
        def f(x):
            return torch.sin(x).sum()  #: sin; sum
        second = vmap(grad(grad(f)))
    """,
    "one function transform is no second order": """
        import torch
        from torch.func import grad
        def f(x):
            return torch.sin(x).sum()
        first = grad(f)(torch.rand(2))
    """,
    "a function transform inside another": """
        import torch
        from torch import func
        def energy(x):
            return torch.logsumexp(x, 0)  #: logsumexp
        def loss(x):
            force = func.grad(energy)(x)
            return (force ** 2).sum()
        func.grad(loss)(torch.rand(3))
    """,
    "a function transform before backward": """
        import torch
        from torch.func import grad
        from torch import nn
        layer = nn.Tanh()  #: Tanh
        def train(x):
            force = grad(lambda y: layer(y).sum())(x)  #: sum
            loss = (force ** 2).mean()
            loss.backward()
    """,
    "hessian": """
        import torch
        from torch.func import hessian
        h = hessian(lambda x: torch.tanh(x).sum())(torch.rand(2))  #: tanh; sum
    """,
    "hessian of autograd.functional": """
        import torch
        from torch.autograd.functional import hessian, hvp, jacobian
        def f(x, y):
            return (x * torch.cos(y)).sum()  #: __mul__; cos; sum
        def g(x):
            return torch.sigmoid(x)
        hessian(f, (torch.rand(2), torch.rand(2)))
        jacobian(g, torch.rand(2))
    """,
    "jacobian with a graph": """
        import torch
        from torch.autograd.functional import jacobian
        def g(x):
            return torch.sigmoid(x)  #: sigmoid
        jacobian(g, torch.rand(2), create_graph=True)
    """,
    "forward over reverse": """
        import torch
        from torch.func import jacrev, jacfwd
        def f(x):
            return torch.exp(x)  #: exp
        h = jacfwd(jacrev(f))
    """,
    "gradgradcheck": """
        import torch
        from torch.autograd import gradgradcheck
        def f(x):
            return torch.erf(x)  #: erf
        gradgradcheck(f, (torch.rand(2, dtype=torch.double, requires_grad=True),))
    """,
    "a class as a helper": """
        import torch
        from torch import nn
        class Penalty(nn.Module):
            def __init__(self, net):
                super().__init__()
                self.net = net
            def forward(self, x):
                out = self.net(x)
                return torch.autograd.grad(out.sum(), x, create_graph=True)[0].pow(2).sum()  #: sum
        class Task:
            def __init__(self):
                self.critic = nn.Sequential(nn.Linear(2, 2), nn.ReLU())  #: Linear; ReLU
                self.penalty = Penalty(self.critic)
            def training_step(self, batch):
                return self.penalty(batch)
        task = Task()
    """,
    "a method that only a framework calls": """
        import torch
        from torch import nn
        import pytorch_lightning as pl
        class Gan(pl.LightningModule):
            def __init__(self):
                super().__init__()
                self.discriminator = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten())  #: Conv2d; Flatten
            def gradient_penalty(self, x):
                y = self.discriminator(x)
                return torch.autograd.grad(y.sum(), x, create_graph=True)[0]  #: sum
            def training_step(self, batch, batch_idx):
                return self.gradient_penalty(batch).mean()
    """,
    "what a branch applies is inferred": """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self, norm=None):
                super().__init__()
                self.first = nn.Linear(2, 2)  #: Linear
                if norm == "batch":
                    self.norm = nn.BatchNorm1d(2)
                else:
                    self.norm = nn.LayerNorm(2)  #: LayerNorm?
            def forward(self, x):
                x = self.first(x)
                if x.shape[0] > 2:
                    x = self.norm(x)
                return torch.relu(x)  #: relu
        def penalty(x, flag):
            y = Net()(x)
            if flag:
                y = torch.exp(y)  #: exp?
            return torch.autograd.grad(y.sum(), x, create_graph=True)  #: sum
    """,
    "conditions around the gradient itself leave it certain": """
        import torch
        from torch import nn
        net = nn.Tanh()  #: Tanh
        def step(x, regularize):
            if regularize:
                y = net(x)
                g, = torch.autograd.grad(y.sum(), x, create_graph=True)  #: sum
                return g
    """,
    "two callers with two networks": """
        import torch
        from torch import nn
        def penalty(net, x):
            return torch.autograd.grad(net(x), x, create_graph=True)
        penalty(nn.GELU(), torch.rand(2))  #: GELU
        penalty(nn.Mish(), torch.rand(2))  #: Mish
    """,
    "a callable that is not known": """
        import torch
        def penalty(net, x):
            return torch.autograd.grad(net(x), x, create_graph=True)  #: <unknown>?
    """,
    "a flag handed through": """
        import torch
        def gradient(y, x, create_graph=False):
            return torch.autograd.grad(y, x, create_graph=create_graph)[0]
        x = torch.rand(2, requires_grad=True)
        gradient(torch.exp(x), x)
        gradient(torch.tanh(x), x, create_graph=True)  #: tanh
    """,
    "a flag by position": """
        import torch  # create_graph
        x = torch.rand(2, requires_grad=True)
        torch.autograd.grad(torch.exp(x), x, None, True, False)
        torch.autograd.grad(torch.tanh(x), x, None, True, True)  #: tanh
    """,
    "inside no_grad nothing is on the link": """
        import torch
        x = torch.rand(2, requires_grad=True)
        with torch.no_grad():
            scale = torch.exp(x)
        y = scale * torch.sin(x)  #: sin; __mul__
        torch.autograd.grad(y, x, create_graph=True)
    """,
    "dictionaries, ordered and named": """
        import torch
        from collections import OrderedDict
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.main = nn.Sequential(OrderedDict([("fc", nn.Linear(2, 2)), ("act", nn.ReLU())]))  #: Linear; ReLU
                self.heads = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.ELU()})  #: Linear
                for i in range(2):
                    setattr(self, f"extra{i}", nn.Tanh())  #: Tanh
            def forward(self, x):
                x = self.heads["a"](self.main(x))
                return getattr(self, "extra1")(x)
        net = Net()
        x = torch.rand(2)
        torch.autograd.grad(net(x), x, create_graph=True)
    """,
    "other things named grad": """
        import jax
        from optimizer import grad
        class T:
            def grad(self, x, create_graph=True):
                return x
        f = jax.grad(jax.grad(lambda x: x))
        T().grad(1, create_graph=True)
        grad(grad(f))
    """,
    "MindSpore: a gradient inside a loss": """
        import mindspore as ms
        from mindspore import nn, ops
        class Critic(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net = nn.SequentialCell(
                    nn.Conv2d(3, 8, 3), nn.Tanh(),  #: Conv2d; Tanh
                    nn.Flatten(), nn.Dense(8, 1),  #: Flatten; Dense
                )
            def construct(self, x):
                return self.net(x)
        critic = Critic()
        def score(x):
            return critic(x).sum()  #: sum
        def loss(x):
            g = ms.grad(score)(x)
            return ((g.reshape(4, -1).norm(dim=1) - 1) ** 2).mean()
        step = ms.value_and_grad(loss, None, critic.trainable_params())
    """,
    "MindSpore: GradOperation in a Cell": """
        import mindspore
        import mindspore.nn as nn
        import mindspore.ops as ops
        class Penalty(nn.Cell):
            def __init__(self, net):
                super().__init__()
                self.net = net
                self.grad = ops.GradOperation()
            def construct(self, x):
                return self.grad(self.net)(x).square().mean()
        net = nn.SequentialCell([nn.Dense(2, 2), nn.ELU()])  #: Dense; ELU
        train = nn.TrainOneStepCell(Penalty(net), nn.SGD(net.trainable_params()))
    """,
    "MindSpore: one gradient is no second order": """
        import mindspore as ms
        from mindspore import ops
        def f(x):
            return ops.softmax(x).sum()
        g = ms.grad(f)
        step = ms.value_and_grad(f)
        g(ms.Tensor([1.0]))
    """,
    "MindSpore: what a port takes for a penalty is differentiated by whoever records": """
        import mindspore
        from mindspore import nn, ops
        def torch_input_gradient(network, output=None, position=0):
            def one_of_several(*inputs):
                return network(*inputs)[output]
            return mindspore.jit(mindspore.grad(network if output is None else one_of_several, position))
        class Critic(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net = nn.SequentialCell(nn.AvgPool2d(2), nn.Tanh())  #: AvgPool2d; Tanh
                self.other = nn.ELU()
            def construct(self, x):
                return self.net(x)
        class Solver:
            def __init__(self, critic):
                self.critic = critic
            def step(self, x):
                penalty = torch_input_gradient(self.critic)(x).square().mean()
                torch_backward(penalty)
        Solver(Critic()).step(mindspore.ops.rand(2, 3, 4, 4))
    """,
    "MindSpore: another function of a project is no such gradient": """
        import mindspore
        from mindspore import nn
        def input_gradient(network):
            return mindspore.jit(mindspore.grad(network))
        def step(x):
            torch_backward(input_gradient(nn.ELU())(x).square().mean())
    """,
    "MindSpore: twice": """
        import mindspore as ms
        from mindspore import ops, mint
        def f(x):
            y = ops.max_pool2d(x, 2)[0]  #: max_pool2d; __getitem__
            return mint.nn.functional.gelu(y) @ y  #: gelu; __matmul__
        h = ms.grad(ms.grad(f))
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_links(name):
    check(module=CASES[name])


NETS = """
    from torch import nn
    from numpy import array
    class Critic(nn.Module):
        def __init__(self):
            super().__init__()
            self.main = nn.ELU()
        def forward(self, x):
            return self.main(x)
    def width():
        return 3
"""
FOUND_BY_TEXT = {
    "package": ("from nets import make", "net = make(options.net)()"),
    "getattr": ("import nets", "net = getattr(nets, options.net)()"),
    "dictionary of a module": ("import nets", "net = nets.__dict__[options.net]()"),
    "vars": ("import nets", "net = vars(nets)[f'{options.net}Critic']()"),
    "searched": (
        "import nets",
        "net = [one for name, one in nets.__dict__.items() if name == options.net][0]()",
    ),
    "globals": ("from nets import *", "net = globals()[options.net]()"),
    "eval": ("from nets import Critic", "net = eval(options.net)()"),
}


@pytest.mark.parametrize("spelling", FOUND_BY_TEXT)
def test_classes_that_are_found_by_a_text(spelling: str) -> None:
    bringing, making = FOUND_BY_TEXT[spelling]
    nets = NETS + "    def make(name):\n        return {'critic': Critic, 'width': width}[name]\n"
    user = f"""
    import torch
    {bringing}
    {making}
    x = torch.rand(2, 3, requires_grad=True)
    torch.autograd.grad(net(x).sum(), x, create_graph=True)
    """
    links = links_of(nets=nets, user=user)["nets"]
    assert [link.use.api for link in links] == ["torch.nn.ELU"]


def test_a_name_that_a_module_lacks_is_nobody() -> None:
    user = """
    import torch, nets
    x = torch.rand(2, 3, requires_grad=True)
    torch.autograd.grad(nets.__dict__["Generator"] and nets.width() * x, x, create_graph=True)
    """
    assert links_of(nets=NETS, user=user)["nets"] == ()


@pytest.mark.parametrize(
    "importing", ["from nets import small", "from nets import (small, other)", "from . import small"]
)
def test_a_package_that_imports_what_lies_in_it_by_its_own_name(importing: str) -> None:
    project = Project("")
    project.add("nets/small.py", textwrap.dedent(NETS))
    project.add("nets/other.py", "")
    project.add("nets/__init__.py", f"{importing}\ncritics = {{'small': small.Critic}}\n")
    user = """
    import torch
    from nets import critics
    x = torch.rand(2, 3, requires_grad=True)
    torch.autograd.grad(critics[options.net]()(x).sum(), x, create_graph=True)
    """
    project.add("user.py", textwrap.dedent(user))
    assert [link.use.api for link in project.second_order_links("nets/small.py")] == ["torch.nn.ELU"]


PIECES = (
    "pass", "x = None", "return x", "x = torch.relu(x)", "self.pool = nn.ELU()", "self.critic = None", "score = real",
    "import torch as t", "def Critic(): return 1", "create_graph = True", "x = self.conv(x)", "class Block: pass",
    "from penalty import gradient_penalty as p", "gradient_penalty(torch.nn.Tanh(), x, x)", "with torch.no_grad():",
)  # fmt: skip


def edited(text: str, rng: random.Random) -> str:
    """One more or less likely edit of a line."""
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    line = lines[index]
    indentation = line[: len(line) - len(line.lstrip())]
    choice = rng.random()
    if choice < 0.2:
        del lines[index]
    elif choice < 0.6:
        lines.insert(index, indentation + rng.choice(PIECES))
    else:
        lines[index] = line.replace(
            rng.choice(("x", "self", "critic", "True", "create_graph")),
            rng.choice(("x", "y", "False", "real")),
            1,
        )
    return "\n".join(lines)


def project_of(files: dict[str, str]) -> Project:
    project = Project("")
    for path, text in files.items():
        project.add(path, text)
    return project


@given(st.integers(0, 10**9))
@settings(max_examples=6)
def test_edits_equal_a_fresh_project(seed: int) -> None:
    assert_edits_equal(seed)


@pytest.mark.thorough
@given(st.integers(0, 10**9))
@settings(max_examples=40)
def test_many_edits_equal_a_fresh_project(seed: int) -> None:
    assert_edits_equal(seed)


def assert_edits_equal(seed: int) -> None:
    rng = random.Random(seed)
    files = {
        "critic.py": textwrap.dedent(CRITIC),
        "penalty.py": textwrap.dedent(PENALTY),
        "train.py": textwrap.dedent(TRAIN),
        "other.py": "import torch\n\ndef other(x):\n    return torch.sin(x)\n",
    }
    project = project_of(files)
    for _ in range(6):
        path = rng.choice(sorted(files))
        text = edited(files[path], rng)
        before = files[path]
        project.add(path, text)
        if project.problems(path):
            if rng.random() < 0.5:
                project.second_order_links(path)
            project.add(path, before)
            continue
        files[path] = text
        fresh = project_of(files)
        for other in rng.sample(sorted(files), 2):
            assert project.second_order_links(other) == fresh.second_order_links(other)


def test_an_edit_elsewhere_is_not_followed_again() -> None:
    project = project_of({"module.py": textwrap.dedent(CASES["hessian"]), "other.py": "x = 1\n"})
    links = project.second_order_links("module.py")
    assert links
    project.add("other.py", "x = 2\n")
    assert project.second_order_links("module.py") is links


def test_regions_beyond_those_that_are_followed_are_not_known() -> None:
    penalty = (
        "    torch.autograd.grad(torch.sin(x), x, torch.ones(1), create_graph=True)[0].sum().backward()\n"
    )
    text = "import torch\ndef f(x):\n" + penalty * 45 + "f(torch.ones(1, requires_grad=True))\n"
    found = links_of(module=text)["module"]
    followed = [link.use.span.line for link in found if link.use.api == "torch.sin"]
    # The call that differentiates stands for what nobody followed.
    unknown = [link.use.span.line for link in found if link.use.api == "torch.autograd.grad"]
    assert followed + unknown == list(range(3, 48))
    assert unknown


def test_code_that_never_ends_or_nests_deeply_is_given_up() -> None:
    text = """
        import torch
        def f(x, n):
            return f(f(torch.sin(x), n), n)
        class A(A): pass
        x = torch.rand(2)
        y = f(x, 3)
        for _ in range(100): y = [y, y]
        torch.autograd.grad(y, x, create_graph=True)
        torch.autograd.grad(A()(x), x, create_graph=True)
        """
    links_of(module=text)
    links_of(module=text + "        y = " + "(" * 150 + "x" + ")" * 150)
    links_of(module="import torch\nx = y = torch.ones(1)\n" + "y = torch.sin(y)\n" * 300
             + "torch.autograd.grad(y, x, create_graph=True)\n")  # fmt: skip


COMPILED = """
    import mindspore as ms
    from mindspore import nn
    net = nn.Flatten()
    def loss(x):
        return {inner}(x).sum()
    {decorator}
    def step(x):
        return ms.value_and_grad(loss)(x)
"""


@pytest.mark.parametrize(
    ("inner", "decorator", "expected"),
    [
        ("ms.grad(net)", "", False),
        ("ms.jit(ms.grad(net))", "", True),
        ("ms.grad(net)", "@ms.jit", True),
        ("ms.grad(ms.jit(net))", "", False),
    ],
)
def test_gradients_inside_a_graph_are_known(inner, decorator, expected):
    (link,) = links_of(module=COMPILED.format(inner=inner, decorator=decorator))["module"]
    assert link.is_compiled is expected
    assert link.gradient is not None and link.gradient.span.line == 6
