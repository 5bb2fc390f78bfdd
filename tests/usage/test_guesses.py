"""What only the names of its members speak for is a guess, which never carries a fix; what callers pass decides."""

import pytest

from mindport.model.verdict import Confidence
from mindport.usage.api_use import Form
from mindport.usage.project import Project

HEAD = "import numpy as np\nimport pandas as pd\nimport scipy.sparse as sp\nimport torch\nfrom PIL import Image\n\n"
PATH = "/project/module.py"


def confidences(code):
    project = Project("/project")
    project.add(PATH, HEAD + code)
    return [use.confidence for use in project.usage(PATH).uses if use.api.startswith("torch.Tensor.")]


NO_TENSORS = [
    "def normalize(mx, d):\n    return mx.dot(d).transpose()\n",
    "def normalize(mx, d):\n    return mx.dot(d).transpose()\n\nnormalize(sp.eye(3), sp.diags([1.0, 2.0, 3.0]))\n",
    "def middle(x):\n    return x.transpose(0, 1).mean()\n\nmiddle(np.eye(3))\n",
    "def table(frame):\n    return frame.abs().sum().max()\n\ntable(pd.DataFrame())\n",
    "def table(frame):\n    return frame.mul(2).add(1).clip(0, 1).T\n",
    "def picture(image):\n    return image.resize((3, 3)).rotate(90).split()\n\npicture(Image.open('x'))\n",
    "def spread(m):\n    return m.mean(axis=1), m.std(), m.reshape(-1, 1).max()\n",
    "def edges(graph, blocks):\n    return sum(graph.subgraph(block).size() for block in blocks)\n",
    "def again(estimator, hook):\n    return estimator.clone(hook)\n",
    "class Stack:\n    def add_(self, x):\n        return self\n    def detach(self):\n        return self\n\n"
    "def grow(stack):\n    return stack.add_(1).detach()\n\ngrow(Stack())\n",
    "def flat(x):\n    return x.unsqueeze(0).mean()\n",
    "def shape(x):\n    return x.view(x.size(0), -1)\n",
    "def rows(x):\n    return x.size(0), x.size(-1)\n",
]
# Objects of the project's own with methods that are called like those of tensors.
NO_TENSORS += [
    "from typing import NamedTuple\n\nclass Beam(NamedTuple):\n    n: int\n\n    def expand(self, n):\n"
    "        return self._replace(n=n)\n\n    def topk(self, k):\n        return self.expand(k)\n\n"
    "def search(n):\n    beam = Beam(n)\n    while beam.n:\n        beam = beam.expand(3).topk(5)\n"
    "    return beam.topk(2)\n",
    "import dataclasses\n\n@dataclasses.dataclass\nclass Box:\n    n: int\n\n    def clamp(self, n):\n"
    "        return dataclasses.replace(self, n=n)\n\ndef both(n):\n    return Box(n).clamp(3).clamp(4)\n",
]
TENSORS = [
    "def rows(x):\n    return x.size(0), x.size(-1)\n\nrows(torch.eye(3))\n",
    "def scores(q, k):\n    return torch.matmul(q, k.transpose(-2, -1))\n\nscores(torch.eye(3), torch.eye(3))\n",
    "def flat(x):\n    return torch.relu(x), x.unsqueeze(0).mean()\n",
    "for x, y in torch.utils.data.DataLoader(data):\n    x.size(0), y.unsqueeze(1)\n",
    "class Net(torch.nn.Module):\n    def forward(self, x):\n        return x.transpose(1, 2).mean()\n",
    "def middle(x):\n    return x.transpose(0, 1).mean()\n\nmiddle(torch.eye(3))\n",
    "def shape(x):\n    return x.view(x.size(0), -1)\n\nclass Net(torch.nn.Module):\n"
    "    def forward(self, y):\n        return shape(y)\n",
]


@pytest.mark.parametrize("code", NO_TENSORS)
def test_names_that_others_have_make_no_tensor(code):
    assert all(confidence is Confidence.GUESSED for confidence in confidences(code))


@pytest.mark.parametrize(
    ("kind", "method", "code", "found"),
    [
        ("", "numpy(self)", "u[0].numpy()", []),
        ("", "numpy(self, force=False)", "u[0].numpy()", []),
        ("", "cpu(self)", "u.cpu()", [Confidence.GUESSED]),  # modules have it, too
        ("", "numpy(self, rows)", "u[0].numpy()", [Confidence.GUESSED]),  # is not called so
        ("", "numbers(self)", "u[0].numpy()", [Confidence.GUESSED]),
        ("(torch.nn.Module)", "numpy(self)", "u[0].numpy()", [Confidence.GUESSED]),
        ("", "size(self, dim=None)", "u.size(0)", [Confidence.GUESSED]),  # so much more often of a tensor
        ("", "numpy(self)", "u.numpy(), u.unsqueeze(0)", [Confidence.GUESSED] * 2),
        ("", "numpy(self)", "torch.relu(u), u.numpy()", [Confidence.INFERRED]),
        ("", "numpy(self)", "torch.eye(3).numpy()", [Confidence.PROVED]),
    ],
)
def test_methods_of_the_projects_own_speak_less_for_tensors(kind, method, code, found):
    own = f"class Boxes{kind}:\n    def {method}:\n        return self\n\n"
    assert confidences(f"{own}def f(u):\n    return {code}\n") == found


def test_what_is_shared_among_processes_is_a_guess():
    assert confidences("def begin(state):\n    state['step'].share_memory_()\n") == [Confidence.GUESSED]
    assert confidences("def begin(pool):\n    pool.share_memory()\n") == []


@pytest.mark.parametrize(
    ("call", "is_guess"),
    [
        ("u.norm(dim=-1, p=2, keepdim=True)", True),
        ("u.norm(2, 1, keepdim=True)", True),
        ("u.flip(0)", True),
        ("u.flip([-2, 1])", True),
        ("u.flip(0, -1)", True),
        ("u.flip()", False),
        ("u.flip(True, False)", False),
        ("u.flip(image)", False),
        ("u.split(split_size=2, dim=0)", True),
        ("u.norm(2, dim=1)", False),  # a layer `norm` may be given what is called 2 here
        ("u.norm(2)", True),
        ("u.norm(float('inf'))", True),
        ("u.norm(-math.inf)", True),
        ("u.norm(p='fro')", True),
        ("u.norm()", True),
        ("u.norm(dim='time')", False),
        ("u.norm(w)", False),  # a layer of that name
        ("u.norm(w, 2)", False),
        ("u.norm", False),
        ("u.norm() + u.cross_product(u)", False),
        ("u.layer_norm(2)", False),
        ("u.encode(dim=1)", False),
    ],
)
def test_what_computes_along_an_axis_is_a_guess(call, is_guess):
    assert confidences(f"def f(u):\n    return {call}\n") == [Confidence.GUESSED] * is_guess


@pytest.mark.parametrize(
    ("call", "is_guess"),
    [
        ("u.to(device)", True),
        ("u.to(self.device, non_blocking=True)", True),
        ("u.to(device=args.gpu)", True),
        ("u.to('cuda:0')", True),
        ("u.to('meters')", False),
        ("u.to(target)", False),
        ("u.to(address, device)", False),
        ("u.to", False),
        ("u.to()", False),
        ("u.cuda()", True),
        ("u.cuda(args.gpu)", True),
        ("u.cuda", False),
    ],
)
def test_what_is_moved_to_a_device_is_a_guess(call, is_guess):
    code = f"def f(self, args, u, device, target, address):\n    return {call}\n"
    assert confidences(code) == [Confidence.GUESSED] * is_guess
    name = call[2:].partition("(")[0]
    own = f"class Own:\n    def {name}(self, place):\n        return self\n"
    assert confidences(own + code) == []


@pytest.mark.parametrize("declared", ["state: None\n", "state = None\n", "state: None = None\n"])
def test_what_has_members_is_not_none(declared):
    code = f"class Beam:\n    {declared}    def rows(self):\n        return self.state.ids.size(0)\n"
    assert confidences(code) == [Confidence.GUESSED]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("self.state.net.named_parameters()", ["torch.nn.Module.named_parameters"]),
        ("self.net.eval(), self.net.parameters()", ["torch.nn.Module.eval", "torch.nn.Module.parameters"]),
        ("self.net.unsqueeze(0).view(3, -1)", ["torch.Tensor.unsqueeze", "torch.Tensor.view"]),
        ("self.net.connect(), self.net.close()", []),
        ("self.net.rows", []),
        ("self.net is None", []),
        ("self.net", []),
    ],
)
def test_an_attribute_that_is_only_seen_to_be_none_is_what_it_is_asked_for(asked, found):
    code = (
        "class State:\n    def __init__(self):\n        self.net = None\n\n"
        "    def fill(self, **entries):\n        for name, value in entries.items():\n"
        "            setattr(self, name, value)\n\n"
        "class Engine:\n    def __init__(self):\n        self.state = State()\n        self.net = None\n\n"
        f"    def run(self):\n        return {asked}\n"
    )
    project = Project("/project")
    project.add(PATH, f"import torch\n\n{code}")
    assert [use.api for use in project.usage(PATH).uses if use.api != "torch"] == found


@pytest.mark.parametrize(
    ("code", "apis"),
    [
        ("q = agent.infer(data)\n    return q.rsample(), q.mean", ["rsample", "mean"]),
        ("return agent.policy(data).rsample((2,))", ["rsample"]),
        ("q = agent.infer(data)\n    return q.sample(), q.log_prob(data)", []),
        ("q = agent.resample(data)\n    return q.resample()", []),
    ],
)
def test_what_gradients_are_drawn_through_is_a_distribution(code, apis):
    project = Project("/project")
    project.add(PATH, HEAD + f"def act(agent, data):\n    {code}\n")
    found = [use for use in project.usage(PATH).uses if use.api.startswith("torch.distributions.")]
    assert [use.api.rpartition(".")[2] for use in found] == apis
    assert all(use.confidence is Confidence.GUESSED for use in found)


def test_only_what_a_method_called_forward_is_given_is_most_often_a_tensor():
    code = "def forward(*nets):\n    for net in nets:\n        net.eval()\n"
    project = Project("/project")
    project.add(PATH, HEAD + code)
    assert [use.api for use in project.usage(PATH).uses if use.form is not Form.IMPORT] == [
        "torch.nn.Module.eval"
    ]


@pytest.mark.parametrize("code", TENSORS)
def test_what_torch_alone_has_or_is_given_does(code):
    found = confidences(code)
    assert found and all(confidence is not Confidence.GUESSED for confidence in found)


@pytest.mark.parametrize(
    "made", ["yacs.config import CfgNode", "ml_collections import ConfigDict", "visdom import Visdom"]
)
def test_what_a_package_without_tensors_makes_is_not_even_a_guess(made):
    kind = made.rpartition(" ")[2]
    code = f"from {made}\n\nSETTINGS = {{'small': {kind}()}}\n\ndef small(kept={kind}()):\n"
    project = Project("/project")
    project.take_guesses(True)
    project.add(PATH, HEAD + code + "    return SETTINGS['small'].clone(), kept.clone(), torch.eye(3)\n")
    assert [use.api for use in project.usage(PATH).uses if "clone" in use.api] == []


STEP = "def step(model, x):\n    {own}\n    model.train()\n    return {result}\n"
OWN = "model.width, model.encoder(x), model.decoder(x), model.postnet(x), model.weights_to_train()"


@pytest.mark.parametrize(
    ("own", "result", "is_network"),
    [
        ("model.width", "model(x)", True),
        (OWN, "model(x)", True),
        (OWN, "model.loss(x)", False),
        (OWN, "x", False),
    ],
)
def test_members_of_its_own_do_not_speak_against_what_is_trained_and_called(own, result, is_network):
    project = Project("/project")
    project.add(PATH, HEAD + STEP.format(own=own, result=result))
    found = [use.confidence for use in project.usage(PATH).uses if use.api == "torch.nn.Module.train"]
    assert (Confidence.INFERRED in found) == is_network


@pytest.mark.parametrize(
    ("made", "is_network"),
    [
        ("hydra.utils.instantiate(settings)", True),
        ("hydra.utils.get_class(name)(settings)", True),
        ("joblib.load(name)", True),
        ("hydra.compose(name)", False),
        ("joblib.Memory(name)", False),
    ],
)
def test_what_a_package_makes_as_it_is_told_may_be_a_network(made, is_network):
    body = f"    model = {made}\n    model.train()\n    return model(x), model.parameters()\n"
    project = Project("/project")
    project.add(PATH, f"import hydra\nimport joblib\n{HEAD}def step(settings, name, x):\n{body}")
    found = [use.api for use in project.usage(PATH).uses if use.api.startswith("torch.nn.Module.")]
    assert bool(found) == is_network


SET = """class Set:
    def __init__(self):
        self.x = np.load('x')
        self.load()
        {}

    def load(self):
        self.x = torch.from_numpy(self.x)
"""


@pytest.mark.parametrize(
    ("use", "is_certain"),
    [
        ("self.x.size(2)", True),  # an array's size cannot be called
        ("self.x.unsqueeze(0)", True),
        ("self.x.contiguous()", True),
        ("self.x.transpose(0, 1)", False),
        ("self.x.data", False),
        ("self.x.sum()", False),
    ],
)
def test_what_arrays_cannot_do_makes_one_that_may_be_a_tensor_a_tensor(use, is_certain):
    found = confidences(SET.format(use))
    assert found and all((confidence is not Confidence.GUESSED) == is_certain for confidence in found)


@pytest.mark.parametrize(
    ("code", "owner"),
    [
        ("def keep(optimizer):\n    return optimizer.state_dict()\n", "torch.optim.Optimizer."),
        (
            "class Trainer:\n    def __init__(self, net, gen_optim):\n        self.gen_optim = gen_optim\n"
            "    def resume(self, kept):\n        self.gen_optim.load_state_dict(kept)\n"
            "    def keep(self):\n        return self.gen_optim.state_dict()\n",
            "torch.optim.Optimizer.",
        ),
        ("def keep(optims):\n    return [one.state_dict() for one in optims]\n", "torch.optim.Optimizer."),
        (
            "class Kept:\n    def __init__(self):\n        self.optimizers = []\n"
            "    def load(self, i, kept):\n        self.optimizers[i].load_state_dict(kept)\n",
            "torch.optim.Optimizer.",
        ),
        ("def keep(scheduler):\n    return scheduler.state_dict()\n", ""),
        ("def keep(schedules, i):\n    return schedules[i].state_dict(), schedules[0].step()\n", ""),
        ("def keep(networks):\n    return [one.state_dict() for one in networks]\n", "torch.nn.Module."),
        ("def keep(network):\n    return network.state_dict()\n", "torch.nn.Module."),
        (
            "def keep(optimizer):\n    return optimizer.state_dict(), optimizer.parameters(), optimizer(3)\n",
            "torch.nn.Module.",
        ),
        ("def keep(optim):\n    return optim.first(), optim.state_of_mine\n", ""),
        (
            "def rows(optimal):\n    return optimal.unsqueeze(0).view(3, -1), optimal.detach()\n",
            "torch.Tensor.",
        ),
    ],
)
def test_a_name_tells_an_optimizer_from_a_network_and_no_more_than_a_guess(code, owner):
    project = Project("/project")
    project.add(PATH, "import torch\n\n" + code)
    found = [use for use in project.usage(PATH).uses if use.api != "torch"]
    assert all(use.api.startswith(owner) for use in found)
    assert "Optimizer" not in owner or {use.confidence for use in found} == {Confidence.GUESSED}
    assert bool(found) is bool(owner)


def test_in_data_code_a_port_takes_guesses_of_what_arrays_do_not_have():
    project = Project("/project")
    project.take_guesses(True)
    code = (
        "class Collate:\n    def __call__(self, batch):\n        text = batch[0][0]  # 中文 😀\n"
        "        image = batch[0][1]\n"
        "        return text.size(0), text.unsqueeze(0), text.numel(), image.view(3, -1), image.squeeze(0).mean()\n\n"
        "torch.utils.data.DataLoader(data, collate_fn=Collate())\n"
    )
    project.add(PATH, "import torch\n\n" + code)
    found = {
        use.api.rpartition(".")[2]: use.confidence for use in project.usage(PATH).uses if "Tensor." in use.api
    }
    taken = {name for name, confidence in found.items() if confidence is Confidence.TAKEN}
    assert taken == {"size", "unsqueeze", "numel"}
    assert found["squeeze"] is Confidence.GUESSED


OWN = """class Translator(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
"""
ASKED = """    def run(self, x):
        y = self.model.encode(x)
        return self.model.decode(y, self.model.beam)
"""


@pytest.mark.parametrize(
    ("code", "is_guessed"),
    [
        (f"{OWN}        self.model.eval()\n{ASKED}", True),
        (
            "def run(model, x):\n    model.eval()\n    return model.decode(model.encode(x), model.beam, model.words)\n",
            True,
        ),
        (
            "def run(model, x):\n    model.eval()\n    state = model.first(model.encoder(x), model.cell(x))\n"
            "    return model.actor(state), model.critic(state), model.reward(state), model.image(state)\n",
            True,
        ),
        (
            "def run(table, x):\n    table.eval(x)\n    state = table.first(table.encoder(x), table.cell(x))\n"
            "    return table.actor(state), table.critic(state), table.reward(state), table.image(state)\n",
            False,
        ),
        (f"{OWN}        self.model.eval('a + b')\n{ASKED}", False),  # as tables of pandas are asked
        (f"{OWN}        self.model.start()\n{ASKED}", False),
        ("def take(model, kept):\n    model.load_state_dict(kept)\n    return model.last_linear\n", True),
        ("def take(model, kept):\n    model.load_dict(kept)\n    return model.last_linear\n", False),
        (
            "def cut(model):\n    first = [*model.children()][:4]\n    return first, model.layer1, model.layer2\n",
            True,
        ),
        (
            "def cut(kind):\n    model = getattr(parts, kind)(True)\n    size = model.fc.in_features\n"
            "    return list(model.children())[:-1], size, model.layer1, model.layer2, model.layer3\n",
            True,
        ),
        ("def walk(node):\n    return [*node.children()], node.find(3), node.move()\n", False),
        ("def walk(node):\n    return node.children, node.layer1\n", False),
    ],
)
def test_what_is_only_evaluated_may_be_a_network(code, is_guessed):
    project = Project("/project")
    project.add(PATH, HEAD + code)
    asked = [f"torch.nn.Module.{name}" for name in ("eval", "load_state_dict", "children")]
    found = [use.confidence for use in project.usage(PATH).uses if use.api in asked]
    assert found == [Confidence.GUESSED] * is_guessed


@pytest.mark.parametrize(
    ("called", "is_network"),
    [
        ("train()", True),
        ("train(True)", True),
        ("train(mode=phase == 'train')", True),
        ("train(was_training)", True),
        ("train(config.training)", True),
        ("train(epoch)", False),
        ("train(len(loader) - epoch)", False),
        ("train('encoder')", False),
        ("train(torch.eye(3))", False),
        ("train([1, 2])", False),
        ("train(loader, epoch)", False),
        ("train(loader, verbose=was_training)", False),
    ],
)
def test_what_trains_by_epochs_or_data_is_no_network(called, is_network):
    project = Project("/project")
    code = f"def run(agent, loader, was_training, phase, config):\n    for epoch in range(3):\n        agent.{called}\n"
    project.add(PATH, f"{HEAD}{code}        agent.eval()\n")
    found = [use.api for use in project.usage(PATH).uses if use.api == "torch.nn.Module.train"]
    assert len(found) == is_network


@pytest.mark.parametrize(
    ("name", "asked", "is_network"),
    [
        ("agent.model", "one.train()", True),
        ("agent.target_net", "one.train(False)", True),
        (
            "agent.model",
            "one.train()\n    one.cell, one.actor, one.critic, one.decoder, one.reward, one.value",
            True,
        ),
        ("agent.model", "one.train(len(x))", False),
        ("agent.model", "one.train_all()", False),
        ("agent.session", "one.train()\n    one.cell, one.actor, one.critic, one.decoder", False),
        ("agent.model_trainer", "one.train()", False),
    ],
)
def test_a_name_tells_a_network_that_is_trained(name, asked, is_network):
    project = Project("/project")
    project.add(PATH, f"{HEAD}def run(agent, x):\n    {asked.replace('one', name)}\n")
    found = [use.confidence for use in project.usage(PATH).uses if use.api == "torch.nn.Module.train"]
    assert found == [Confidence.GUESSED] * is_network


@pytest.mark.parametrize(
    ("made", "is_tensor"),
    [
        ("types.SimpleNamespace(x=torch.eye(3))", True),
        ("argparse.Namespace(x=torch.eye(3))", True),
        ("argparse.ArgumentParser().parse_args()", False),
        ("types.MappingProxyType({})", False),
    ],
)
def test_a_namespace_may_hold_a_tensor(made, is_tensor):
    code = f"import argparse, types\n\nholder = {made}\nprint(holder.x.size(0), holder.x.unsqueeze(1))\n"
    assert confidences(code) == [Confidence.GUESSED] * 2 * is_tensor


KEEPS = """class Net(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.table = LAYER


class Other(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.table = OTHER
"""
TABLE = "torch.nn.Embedding(size, 3)"


@pytest.mark.parametrize(
    ("layer", "other", "asked", "found"),
    [
        (TABLE, TABLE, "net.table.weight", "torch.nn.Embedding.weight"),
        ("torch.nn.LayerNorm(3)", "None", "make(net).table.bias", "torch.nn.LayerNorm.bias"),
        (TABLE, TABLE, "net.part.table.weight", "torch.nn.Embedding.weight"),
        (TABLE, "size", "net.table.weight", None),
        (TABLE, TABLE, "net.tables.weight", None),
        (TABLE, TABLE, "table.weight", None),
    ],
)
def test_a_layer_is_what_all_networks_keep_under_its_name(layer, other, asked, found):
    keeps = KEEPS.replace("LAYER", layer).replace("OTHER", other)
    code = f"{HEAD}{keeps}\n\ndef read(net, table):\n    return {asked}\n"
    project = Project("/project")
    project.add(PATH, code)
    uses = [use for use in project.usage(PATH).uses if use.api.endswith((".weight", ".bias"))]
    assert [use.api for use in uses] == ([found] if found else [])
    assert all(use.confidence is Confidence.GUESSED for use in uses)


def test_what_another_class_keeps_there_says_that_it_may_be_something_else():
    project = Project("/project")
    project.add("/project/nets.py", HEAD + KEEPS.replace("LAYER", TABLE).replace("OTHER", TABLE))
    project.add(PATH, HEAD + "def read(net):\n    return net.table.weight\n")
    assert [use.api for use in project.usage(PATH).uses if use.api.endswith("weight")] == [
        "torch.nn.Embedding.weight"
    ]
    project.add("/project/more.py", "class Scale:\n    def __init__(self):\n        self.table = 3\n")
    assert not [use for use in project.usage(PATH).uses if use.api.endswith("weight")]
    project.add("/project/more.py", "class Scale:\n    def __init__(self):\n        self.tables = 3\n")
    assert [use.api for use in project.usage(PATH).uses if use.api.endswith("weight")] == [
        "torch.nn.Embedding.weight"
    ]


SETTINGS = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop, self.other = nn.Dropout2d(), nn.Dropout2d()
        self.norm, self.listed = nn.BatchNorm1d(3), [nn.Dropout(0.1)]

class Options:
    def __init__(self, listed):
        self.listed, self.eps = listed, 1e-5

def train(net, options, x):
    {}
"""


@pytest.mark.parametrize(
    ("code", "owner"),
    [
        ("net.drop.p = 0.0", "torch.nn.Dropout2d.p"),
        ("for one in (net.drop, net.other): one.p = 0.0", "torch.nn.Dropout2d.p"),
        ("for one in [net.drop, net.other]: one.p = 0.0", "torch.nn.Dropout2d.p"),
        ("net.norm.momentum = 0.3", "torch.nn.BatchNorm1d.momentum"),
        ("known = Net()\n    for one in (known.drop, known.other): one.p = 0.0", "torch.nn.Dropout2d.p"),
        ("net.listed.p = 0.0", ""),
        ("for one in (net.drop, x.something): one.p = 0.0", ""),
        ("for one in (x, options): one.p = 0.0", ""),
        ("options.eps = x.eps", ""),
        ("net.p = 0.0", ""),
    ],
)
def test_settings_of_layers_that_all_networks_of_a_project_keep_so(code, owner):
    project = Project("/project")
    project.add(PATH, SETTINGS.format(code))
    found = {use.api for use in project.usage(PATH).uses if use.api.endswith((".p", ".eps", ".momentum"))}
    assert found == ({owner} if owner else set())


NMS = """def nms(boxes, thresh):
    first, order = boxes[:, 0], boxes[:, 4].argsort()
    areas = first * 2
    return areas[order] - np.maximum(areas, 1)
"""


@pytest.mark.parametrize(
    ("header", "code", "is_guess"),
    [
        ("import numpy as np\n", NMS, False),
        ("import numpy as np\nimport torch\n", NMS, True),
        ("import numpy as np\n", "def rows(boxes):\n    return boxes[:, 0].unsqueeze(0).view(-1, 4)\n", True),
        ("", "def rows(boxes):\n    return boxes.mean().item()\n", True),
    ],
)
def test_in_a_file_of_numpy_nothing_that_arrays_can_do_makes_a_tensor(header, code, is_guess):
    project = Project("/project")
    project.add(PATH, header + code)
    found = {use.confidence for use in project.usage(PATH).uses if use.api.startswith("torch.Tensor.")}
    assert found == ({Confidence.GUESSED} if is_guess else set())


SCORES = "import d4rl\nimport kornia\n\ndef spread(name, returns, sigma):\n    scores = np.array(returns)\n    {}\n"


@pytest.mark.parametrize(
    ("lines", "is_guess"),
    [
        ("return d4rl.score(name, scores).std()", False),
        ("return (d4rl.score(name, scores) * 100.0).std()", False),
        ("made = d4rl.score(name, scores=scores)\n    return made[0].std(), (1 - made).mean()", False),
        ("low, high = d4rl.bounds(scores)\n    return low.std()", False),
        ("return d4rl.score(name, returns).std()", True),  # nobody knows what it is given
        ("return d4rl.score(name, torch.tensor(scores)).std()", True),
        ("return d4rl.score(scores, torch.tensor(scores)).std()", True),
        ("return kornia.blur(scores).std()", True),  # it is built on torch
        ("return name.score(scores).std()", True),
        ("return d4rl.score(name, scores).unsqueeze(0)", True),  # arrays have no such method
    ],
)
def test_what_a_library_gives_for_arrays_is_an_array(lines, is_guess):
    found = confidences(SCORES.format(lines))
    assert bool(found) is is_guess and set(found) <= {Confidence.GUESSED}


@pytest.mark.parametrize(
    ("code", "is_guess"),
    [
        ("def turned(m):\n    return m @ np.eye(3)\n", False),
        ("def turned(m):\n    axes = np.zeros((3, 3))\n    return m @ axes @ axes\n", False),
        ("def turned(m, axes):\n    return m @ axes\n", True),
        ("def turned(m):\n    return m @ torch.eye(3)\n", True),
        (
            "def turned(m):\n    return m.unsqueeze(0).detach() @ np.eye(3)\n",
            True,
        ),  # arrays have no such methods
    ],
)
def test_what_is_multiplied_by_an_array_is_no_tensor_for_that(code, is_guess):
    assert bool(confidences(code)) is is_guess
