"""What writes into a tensor in a program that is recorded, and in one whose steps are converted."""

import pytest
from converting import converted

from mindport.checking.engine import Engine
from mindport.checking.fix_round import Fixer, fix_once
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

WRITES = """import torch
from torch import nn


def change(net: torch.nn.Module, x: torch.Tensor, other: torch.Tensor, i):
    for p in net.parameters():
        {statement}
"""


# By a name that stands for the memory of the parameter.
BY_NAME = [
    ("w = p.data\nw.clamp_(0, 1)", "TorchElements(w)[()] = w.copy().clamp(0, 1)", None),
    ("w = p.data\nw.mul_(0.5)", "TorchElements(w)[()] = w.mul(0.5)", "w[()] = w.mul(0.5)"),
    ("w = p.detach()\nw.mul_(0.5)", "TorchElements(w)[()] = w.mul(0.5)", "w[()] = w.mul(0.5)"),
    ("w = p.data\nw[0] = 0", "TorchElements(w)[0] = 0", "w[0] = 0"),
    ("w = p.data\nw[w > 1] = 0", "TorchElements(w)[w > 1] = 0", "TorchElements(w)[w > 1] = 0"),
    ("w = p.data\nw *= 1 - i", "TorchElements(w)[()] = w * (1 - i)", "w[()] = w * (1 - i)"),
    ("w, n = p.data, i\nn[i] = w", "n[i] = w", "n[i] = w"),
    ("w = p.data.view(-1)\nw[i] = 0", "TorchElements(w)[i] = 0", "TorchElements(w)[i] = 0"),
    ("w = other + p.data\nw[i] = 0", "w[i] = 0", "w[i] = 0"),
    ("w = p.data\nw[1:].mul_(0.5)", "TorchElements(w)[1:] = mindspore.Tensor.mul(w[1:].copy(), 0.5)", None),
    ("for w in [p.data]:\n    w.mul_(0.5)", "TorchElements(w)[()] = w.mul(0.5)", "w[()] = w.mul(0.5)"),
    (
        "w = nn.Linear(3, 4).weight\nw[w > i] = 0",
        "TorchElements(w)[w > i] = 0",
        "TorchElements(w)[w > i] = 0",
    ),
    ("w = nn.Linear(3, 4).weight\nw[0] = 0", "w[0] = 0", "w[0] = 0"),
    ("g = p.grad\ng *= 0.5", "g[()] = g * 0.5", None),
    ("p.data *= 0.5", "TorchElements(p)[()] = p.data * 0.5", "p[()] = p.data * 0.5"),
    ("p.data[p.data > 1] = 0", "TorchElements(p)[p.data > 1] = 0", "TorchElements(p)[p.data > 1] = 0"),
    ("net.data[i] = 0", "net.data[i] = 0", "net.data[i] = 0"),
]


def fixed(text, *, is_recorded):
    project = Project("/project")
    project.add("/project/a.py", text)
    rules = RuleFilter(Settings(), "/project")
    fixer = Fixer(Engine(Target(Version(2, 10, 0), Device.CPU)), rules, unsafe=True, records=is_recorded)
    source = SourceText("/project/a.py", text)
    return fix_once("/project/a.py", source, project.usage("/project/a.py"), fixer).text


def port(statement, *, is_recorded):
    made = fixed(WRITES.format(statement=statement), is_recorded=is_recorded)
    _, body = made.split("in torch_parameters(net):\n")
    return body.rstrip().replace("        ", "")


@pytest.mark.parametrize(
    ("statement", "recorded", "converted"),
    [
        ("p.data.copy_(other)", "TorchElements(p)[()] = other", "p[()] = other"),
        ("p.data.mul_(0.5)", "TorchElements(p)[()] = p.data.mul(0.5)", "p[()] = p.data.mul(0.5)"),
        ("x.copy_(p.data)", "TorchElements(x)[()] = p.data", "x[()] = p.data"),
        ("p.detach().copy_(other)", "TorchElements(p)[()] = other", "ops.stop_gradient(p)[()] = other"),
        ("p.detach()[1] = 0", "TorchElements(p)[1] = 0", "ops.stop_gradient(p)[1] = 0"),
        ("p.detach()[1:].fill_(2)", "TorchElements(p)[1:] = 2", "ops.stop_gradient(p)[1:] = 2"),
        (
            "p.detach().mul_(0.5).add_(x)",
            "torch_in_place(mindspore.Tensor.add, torch_in_place(mindspore.Tensor.mul, TorchElements(p), 0.5), x)",
            "torch_in_place(mindspore.Tensor.add, torch_in_place(mindspore.Tensor.mul, ops.stop_gradient(p), 0.5), x)",
        ),
        (
            "x = p.detach().clamp_(0, 1)",
            "x = torch_in_place(mindspore.Tensor.clamp, TorchElements(p), 0, 1).detached",
            "x = torch_in_place(mindspore.Tensor.clamp, ops.stop_gradient(p), 0, 1)",
        ),
        ("p.data[1] = 0", "TorchElements(p)[1] = 0", "p.data[1] = 0"),
        ("p.data[1:, i] -= x", "TorchElements(p)[1:, i] -= x", "TorchElements(p)[1:, i] -= x"),
        ("p.data[1:].fill_(2)", "TorchElements(p)[1:] = 2", "p.data[1:] = 2"),
        (
            "p.data[1:].mul_(2)",
            "TorchElements(p)[1:] = mindspore.Tensor.mul(p.data[1:].copy(), 2)",
            "torch_in_place(mindspore.Tensor.mul, p.data[1:], 2)",
        ),
        ("p.data.uniform_(1, 2)", "torch_uniform_(TorchElements(p), 1, 2)", "torch_uniform_(p.data, 1, 2)"),
        (
            "x = p.data.normal_(0, 2)",
            "x = torch_normal_(TorchElements(p), 0, 2).detached",
            "x = torch_normal_(p.data, 0, 2)",
        ),
        (
            "x = other.new_zeros(3, requires_grad=True)",
            "x = torch_require_grad(other.new_zeros((3,)))",
            "x = other.new_zeros((3,))",
        ),
        (
            "x = torch.tensor(-size, dtype=kind, requires_grad=True)",
            "x = torch_require_grad(torch_tensor(-size, dtype=kind))",
            "x = torch_tensor(-size, dtype=kind)",
        ),
        (
            "x = torch.tensor(requires_grad=asked, data=size)",
            "x = torch_require_grad(torch_tensor(data=size), asked)",
            "x = torch_tensor(data=size)",
        ),
        ("x = other.uniform_(1, 2)", "x = torch_uniform_(other, 1, 2)", "x = torch_uniform_(other, 1, 2)"),
        (
            "p.data.mul_(0.5).add_(x)",
            "TorchElements(p)[()] = p.data.mul(0.5)\nTorchElements(p)[()] = p.data.add(x)",
            "p[()] = p.data.mul(0.5)\np[()] = p.data.add(x)",
        ),
    ],
)
def test_what_is_written_is_copied_into_the_parameter_where_a_program_is_recorded(
    statement, recorded, converted
):
    assert port(statement, is_recorded=True) == recorded
    assert port(statement, is_recorded=False) == converted


@pytest.mark.parametrize(
    ("statement", "recorded"),
    [
        ("p.data[1:][:] = 0.5", "TorchElements(p)[1:][:] = 0.5"),
        ("p.data[1][0] = 0", "TorchElements(p)[1][0] = 0"),
        ("torch_init_uniform(p.data[:, i], -1, 1)", "torch_init_uniform(TorchElements(p)[:, i], -1, 1)"),
        ("torch_init_orthogonal(p.data, gain=i)", "torch_init_orthogonal(TorchElements(p), gain=i)"),
        ("torch_normal_(p.detach()[0], 0, 2)", "torch_normal_(TorchElements(p)[0], 0, 2)"),
        ("torch_filled(p.data[0][i], x)", "torch_filled(TorchElements(p)[0][i], x)"),
        ("w = p.data\ntorch_init_normal(w[i])", "w = p.data\ntorch_init_normal(TorchElements(w)[i])"),
    ],
)
def test_parts_of_parts_and_what_a_function_fills_are_written_to_the_parameter(statement, recorded):
    lines = statement.replace("\n", "\n        ")
    assert port(lines, is_recorded=True) == recorded
    assert port(lines, is_recorded=False) == statement.replace("p.detach()", "ops.stop_gradient(p)")


@pytest.mark.parametrize(
    ("statement", "ported"),
    [
        ("torch_init_uniform(x[0], -1, 1)", "torch_init_uniform(x[0], -1, 1)"),
        ("torch_init_uniform(net.data[0], -1, 1)", "torch_init_uniform(net.data[0], -1, 1)"),
        ("x = torch_init_uniform(other, p.data[0], 1)", "x = torch_init_uniform(other, p.data[0], 1)"),
        ("torch_read(p.data[0])", "torch_read(p.data[0])"),
        ("x[i][0] = p.data[1]", "x[i][0] = p.data[1]"),
        ("x.mul_(2)", "x[()] = x.mul(2)"),  # what is written is new
        ("x[1] = p.data[1]", "x[1] = p.data[1]"),
        ("x = p.data[1]", "x = p.data[1]"),
        ("p.data = other", "p.data = other"),  # a parameter is brought back before the next step
    ],
)
def test_what_needs_no_copy_is_written_alike(statement, ported):
    assert port(statement, is_recorded=True) == port(statement, is_recorded=False) == ported


@pytest.mark.parametrize("name", ["clip_grad_norm_", "clip_grad_value_"])
def test_a_file_that_only_clips(name):
    text = f"import torch.nn.utils as utils\n\n\ndef limit(optimizer):\n    utils.{name}(optimizer, 1.0)\n"
    project = Project("/project")
    project.add("/project/a.py", text)
    rules = RuleFilter(Settings(), "/project")
    fixer = Fixer(Engine(Target(Version(2, 10, 0), Device.CPU)), rules, unsafe=True, records=True)
    made = fix_once("/project/a.py", SourceText("/project/a.py", text), project.usage("/project/a.py"), fixer)
    assert made.text.endswith(f"def limit(optimizer):\n    torch_{name}(optimizer, 1.0)\n")


@pytest.mark.parametrize(
    ("looked_up", "written"),
    [
        ("utils, 'clip_grad_%s_' % opt.mode", "'clip_grad_%s_' % opt.mode"),
        ("utils, f'clip_grad_{mode}_'", "f'clip_grad_{mode}_'"),
        ("torch.nn.utils, 'clip_grad_' + mode + '_'", "'clip_grad_' + mode + '_'"),
    ],
)
def test_the_limit_that_a_setting_chooses(looked_up, written):
    limits = '{"clip_grad_norm_": torch_clip_grad_norm_, "clip_grad_value_": torch_clip_grad_value_}'
    assert limit(f"getattr({looked_up})(optimizer, 1.0)") == f"{limits}[{written}](optimizer, 1.0)"


@pytest.mark.parametrize(
    "call",
    [
        "getattr(utils, name)(optimizer, 1.0)",
        "getattr(utils, 'clip_' + mode)(optimizer, 1.0)",  # may be others, too
        "getattr(own, f'clip_grad_{mode}_')(optimizer, 1.0)",
        "getattr(utils, f'clip_grad_{mode}_', None)(optimizer, 1.0)",
    ],
)
def test_a_limit_that_nobody_knows(call):
    assert "torch_clip_grad" not in limit(call)


def limit(call):
    head = "import torch\nimport torch.nn.utils as utils\n\n\ndef limit(optimizer, opt, mode, name, own):\n"
    project = Project("/project")
    project.add("/project/a.py", f"{head}    {call}\n")
    rules = RuleFilter(Settings(), "/project")
    fixer = Fixer(Engine(Target(Version(2, 10, 0), Device.CPU)), rules, unsafe=True, records=True)
    source = SourceText("/project/a.py", f"{head}    {call}\n")
    made = fix_once("/project/a.py", source, project.usage("/project/a.py"), fixer)
    return "" if made is None else made.text.splitlines()[-1].strip()


LEAVES = """import torch


def train(self, x, lr, steps):
    w = torch.zeros(3, requires_grad=True)
    self.b = torch.ones(1).requires_grad_()
    n = torch.zeros(3)
    for i in range(steps):
        loss = (x * w + self.b).sum()
        loss.backward()
{statements}
"""


@pytest.mark.parametrize(
    ("statements", "written"),
    [
        ("with torch.no_grad():\n    w -= lr * w.grad", "w[()] = w - lr * w.grad"),
        ("with torch.no_grad():\n    self.b -= self.b.grad", "self.b[()] = self.b - self.b.grad"),
        ("with torch.inference_mode():\n    w -= lr", "w[()] = w - lr"),
        ("with torch.no_grad():\n    w *= 1 - lr", "w[()] = w * (1 - lr)"),
        ("for p in (w, self.b):\n    p -= lr * p.grad / 2", "p[()] = p - lr * p.grad / 2"),
        ("with torch.no_grad():\n    n -= lr * w.grad", "n -= lr * w.grad"),
        ("with torch.no_grad():\n    steps += 1", "steps += 1"),
        ("w.data -= lr * w.grad.data", "TorchElements(w)[()] = w.data - lr * w.grad.data"),
        ("n += w.detach()", "n += ops.stop_gradient(w)"),
        ("with torch.no_grad():\n    w = w - lr * w.grad", "w = w - lr * w.grad"),
    ],
)
def test_an_operator_changes_tensors_that_are_trained_and_makes_new_ones_of_others(statements, written):
    block = "".join(f"        {line}\n" for line in statements.splitlines())
    made = fixed(LEAVES.format(statements=block.rstrip("\n")), is_recorded=True)
    assert made.rstrip().splitlines()[-1].strip() == written


@pytest.mark.parametrize(("statements", "recorded", "converted"), BY_NAME)
def test_what_is_written_by_a_name_comes_to_the_parameter(statements, recorded, converted):
    block = statements.replace("\n", "\n        ")
    for is_recorded, expected in ((True, recorded), (False, converted)):
        if expected is not None:
            assert port(block, is_recorded=is_recorded).splitlines()[-1].strip() == expected


NETWORK = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
    def masked(self, h: torch.Tensor, x: torch.Tensor, outs: list[torch.Tensor]):
        {statement}
        return h
    def forward(self, x):
        return self.masked(self.fc(x), x, [x])
    def decayed(self, h: torch.Tensor, x: torch.Tensor, outs: list[torch.Tensor]):
        {statement}
        return h
net = Net()
"""


@pytest.mark.parametrize(
    ("statement", "in_network", "elsewhere"),
    [
        ("h.data.mul_(0.5)", "TorchElements(h)[()] = h.data.mul(0.5)", "h[()] = h.data.mul(0.5)"),
        ("h.data.copy_(x)", "TorchElements(h)[()] = x", "h[()] = x"),
        (
            "h.detach()[0] = 3  # 掩码 🙂",
            "TorchElements(h)[0] = 3  # 掩码 🙂",
            "ops.stop_gradient(h)[0] = 3  # 掩码 🙂",
        ),
        ("h.data += x", "TorchElements(h)[()] = h.data + x", "h[()] = h.data + x"),
        (
            "outs[0].data.mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, TorchElements(outs[0]), 2)",
            "torch_in_place(mindspore.Tensor.mul, outs[0].data, 2)",
        ),
        (
            "h.transpose(0, 1)[0].mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, TorchView(h, lambda whole: whole.swapaxes(0, 1)[0]), 2)",
            "torch_in_place(mindspore.Tensor.mul, h.swapaxes(0, 1)[0], 2)",
        ),
        (
            "h.movedim(1, 0)[0] = x  # 视图 🙂",
            "TorchView(h, lambda whole: whole.movedim(1, 0))[0] = x  # 视图 🙂",
            "h.movedim(1, 0)[0] = x  # 视图 🙂",
        ),
        (
            "torch.diagonal(h).mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, TorchView(h, lambda whole: whole.diagonal()), 2)",
            "torch_in_place(mindspore.Tensor.mul, ops.diagonal(h), 2)",
        ),
        # A copy in torch, too.
        (
            "h[:, 1:].flatten().mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, h[:, 1:].flatten(), 2)",
            "torch_in_place(mindspore.Tensor.mul, h[:, 1:].flatten(), 2)",
        ),
        (
            "h[0].flatten().mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, TorchView(h, lambda whole: whole[0].flatten()), 2)",
            "torch_in_place(mindspore.Tensor.mul, h[0].flatten(), 2)",
        ),
        ("h.t().reshape(-1)[0] = 3", "h.t().reshape(-1)[0] = 3", "h.t().reshape(-1)[0] = 3"),
        ("torch.tanh(h)[0] = 3", "ops.tanh(h)[0] = 3", "ops.tanh(h)[0] = 3"),
        (
            "h.as_strided((2,), (5,)).mul_(2)",
            "torch_in_place(mindspore.Tensor.mul, TorchView(h, lambda whole: torch_as_strided(whole, (2,), (5,))), 2)",
            None,
        ),
        (
            "h[0].narrow(0, 1, h.size(1) - 1).fill_(1)",
            "TorchView(h, lambda whole: whole[0].narrow(0, 1, h.shape[1] - 1))[()] = 1",
            "h[0].narrow(0, 1, h.shape[1] - 1)[()] = 1",
        ),
        (
            "h.view(-1)[1:] += x  # 视图 🙂",
            "TorchView(h, lambda whole: whole.view(-1))[1:] += x  # 视图 🙂",
            "h.view(-1)[1:] += x  # 视图 🙂",
        ),
        (
            "x = h.T.mul_(2)",
            "x = torch_in_place(mindspore.Tensor.mul, TorchView(h, lambda whole: whole.T), 2).value",
            "x = torch_in_place(mindspore.Tensor.mul, h.T, 2)",
        ),
        (
            "ops.swapaxes(h, 0, 1)[0] = 3  # 视图 🙂",
            "TorchView(h, lambda whole: ops.swapaxes(whole, 0, 1))[0] = 3  # 视图 🙂",
            "ops.swapaxes(h, 0, 1)[0] = 3  # 视图 🙂",
        ),
        (
            "mindspore.mint.flatten(h, start_dim=0)[1:] += x",
            "TorchView(h, lambda whole: mindspore.mint.flatten(whole, start_dim=0))[1:] += x",
            "mindspore.mint.flatten(h, start_dim=0)[1:] += x",
        ),
        ("x = h.view(2, -1)[:, ::2]", "x = TorchSteps(h.view(2, -1))[:, ::2]", None),  # only read
        ("x = h.data[:, ::2]  # 🙂", "x = TorchSteps(h.data)[:, ::2]  # 🙂", None),
        ("ops.cat([h, x])[0] = 3", "ops.cat([h, x])[0] = 3", "ops.cat([h, x])[0] = 3"),
        ("(h * 2).view(-1)[0] = 3", "(h * 2).view(-1)[0] = 3", "(h * 2).view(-1)[0] = 3"),
        ("h.mul_(2)", "h[()] = h.mul(2)", "h[()] = h.mul(2)"),  # recorded as it is
        ("h[0] = 3", "h[0] = 3", "h[0] = 3"),
    ],
)
def test_a_gradient_goes_on_through_what_a_network_writes_into_data(statement, in_network, elsewhere):
    made = fixed(NETWORK.format(statement=statement), is_recorded=False)
    methods = made[made.index("class Net") :].split("    def ")[1:]
    assert f"        {in_network}\n" in methods[1]
    assert elsewhere is None or f"        {elsewhere}\n" in methods[3]


@pytest.mark.parametrize(
    ("statements", "recorded"),
    [
        ("with torch.no_grad():\n    x[i > 0] = 0", "TorchElements(x)[i > 0] = 0"),
        ("with torch.no_grad():\n    x[x > 1] *= 2", "TorchElements(x)[x > 1] *= 2"),
        (
            "with torch.inference_mode():\n    x[other.long(), 0] = 0",
            "TorchElements(x)[other.long(), 0] = 0",
        ),
        (
            "with torch.no_grad():\n    x[0, 1:] = 0",
            "x[0, 1:] = 0",
        ),  # by numbers and slices it is written in place
        ("with torch.no_grad():\n    net[i > 0] = 0", "net[i > 0] = 0"),  # no tensor
        ("with torch.enable_grad():\n    x[i > 0] = 0", "x[i > 0] = 0"),
        ("x[i > 0] = 0", "x[i > 0] = 0"),  # recorded as torch records it
    ],
)
def test_what_is_written_by_a_mask_without_a_record_keeps_the_one_before(statements, recorded):
    ported = port(statements.replace("\n", "\n        "), is_recorded=True)
    assert ported.splitlines()[-1].strip() == recorded


VIEW = """import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        y = torch.tanh(x)
        {statement}
        return y
"""


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        ("torch.transpose(y, 0, 1)[0] = 0", "TorchView(y, lambda whole: ops.swapaxes(whole, 0, 1))[0] = 0"),
        ("y.view(-1)[0] = 0", "TorchView(y, lambda whole: whole.view(-1))[0] = 0"),
        ("torch.abs(y)[0] = 0", "ops.abs(y)[0] = 0"),
    ],
)
def test_a_file_may_write_to_nothing_but_views(statement, written):
    assert f"        {written}\n" in converted(VIEW.format(statement=statement), unsafe=True)


UNRECORDED = """import torch
from torch import nn

net, slow = nn.Linear(3, 2), nn.Linear(3, 2)


{functions}


for x in batches:  # 循环 🙂
    net(x).sum().backward()
{statements}
"""


@pytest.mark.parametrize(
    ("functions", "statements", "written"),
    [
        (
            "def cut(w):\n    w[w < 0] = 0",
            "with torch.no_grad():\n    cut(net.weight)",
            "TorchElements(w)[w < 0] = 0",
        ),
        (
            "@torch.no_grad()\ndef cut(layer):\n    layer.weight[layer.weight < 0] = 0",
            "cut(net)",
            "TorchElements(layer.weight)[layer.weight < 0] = 0",
        ),
        (
            "def outer(layer):\n    cut(layer.weight)\n\ndef cut(w):\n    w[w < 0] = 0",
            "with torch.no_grad():\n    outer(net)",
            "TorchElements(w)[w < 0] = 0",
        ),
        (
            "",
            "with torch.no_grad():\n    for p in net.parameters():\n        p[p < 0] = 0",
            "TorchElements(p)[p < 0] = 0",
        ),
        (
            "def grow(layer):\n    layer.bias += 1",
            "with torch.no_grad():\n    grow(net)",
            "layer.bias[()] = layer.bias",
        ),
        (
            "def grow(w):\n    w *= w.abs()",
            "with torch.no_grad():\n    grow(net.bias)",
            "w[()] = w",
        ),
        # Elsewhere a gradient may be recorded, so that torch's own refusal, or its record, is the program's.
        (
            "def cut(w):\n    w[w < 0] = 0",
            "cut(x)\nwith torch.no_grad():\n    cut(net.weight)",
            "w[w < 0] = 0",
        ),
        ("def cut(w):\n    w[w < 0] = 0", "with torch.no_grad():\n    net.apply(cut)", "w[w < 0] = 0"),
        ("def cut(w):\n    w[0, 1:] = 0", "with torch.no_grad():\n    cut(net.weight)", "w[0, 1:] = 0"),
        (
            "def cut(w):\n    w = w.clone()\n    w[w < 0] = 0",
            "with torch.no_grad():\n    cut(net.weight)",
            "w[w < 0] = 0",
        ),
        ("def grow(n):\n    n += 1", "with torch.no_grad():\n    grow(1)", "n += 1"),
        ("def grow(n: dict, i):\n    n[i > 0] = 0", "with torch.no_grad():\n    grow({}, 1)", "n[i > 0] = 0"),
    ],
)
def test_what_is_called_without_a_record_writes_into_parameters(functions, statements, written):
    body = statements.replace("\n", "\n    ")
    made = fixed(UNRECORDED.format(functions=functions, statements=f"    {body}"), is_recorded=False)
    assert f"    {written}" in made


HANDED_ON = """import torch


def zeros(*sizes, **kwargs):
    return {made}


weight = zeros(2, requires_grad={flag})
"""


@pytest.mark.parametrize(
    ("made", "flag", "after"),
    [
        ("torch.zeros(*sizes, **kwargs)", "True", "torch_made_leaf(torch_zeros)(*sizes, **kwargs)"),
        ("torch.full(sizes, 1.0, **kwargs)", "new", "torch_made_leaf(torch_full)(sizes, 1.0, **kwargs)"),
        ("torch.zeros_like(*sizes, **kwargs)", "True", "torch_made_leaf(torch_zeros_like)(*sizes, **kwargs)"),
        ("torch.zeros(*sizes, **kwargs)", "False", "torch_zeros(*sizes, **kwargs)"),
        ("torch.zeros(*sizes)", "True", "torch_zeros(*sizes)"),
    ],
)
def test_a_gradient_flag_that_is_handed_on_marks_the_tensor(made, flag, after):
    text = HANDED_ON.format(made=made, flag=flag)
    assert f"    return {after}\n" in fixed(text, is_recorded=True)
    assert "torch_made_leaf" not in fixed(text, is_recorded=False)
