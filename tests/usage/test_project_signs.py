"""A project in which any file has a sign of complex numbers is another one for each use in it."""

import pytest

from mindport.usage.project import Project
from mindport.usage.project_signs import FLAGGED, GRADIENTS, file_signs, project_signs

USER = "import torch\n\ndef size(x: torch.Tensor):\n    return x.abs()\n"


def marks(project: Project) -> set[bool]:
    return {"complex" in use.signs for use in project.usage("size.py").uses if use.api == "torch.Tensor.abs"}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("import torch\nz = torch.fft.rfft(torch.ones(4))\n", True),
        ("import torch\nz = torch.stft(x, 16, return_complex=True)\n", True),
        ("import torch\nz = torch.view_as_complex(x)\n", True),
        ("import torch\nz = torch.complex(x, y)\n", True),
        ("import torch\nz = x.to(torch.cfloat)\n", True),
        ("z = 1j\n", True),
        ("import torch\nz = torch.linalg.eig(x)\n", True),
        ("import torch\nz = torch.sin(x)  # not complex\n", False),
        ("import torch\nz = x.to(torch.float16)\n", False),
        ("z = 'polarity'\n", False),
        ("", False),
    ],
)
def test_signs_in_another_file(other: str, expected: bool) -> None:
    project = Project("")
    project.add("size.py", USER)
    project.add("other.py", other)
    assert marks(project) == {expected}


def test_the_order_of_edits_never_shows() -> None:
    project = Project("")
    project.add("size.py", USER)
    assert marks(project) == {False}
    project.add("other.py", "import torch\nz = torch.fft.fft(x)\n")
    assert marks(project) == {True}
    project.add("other.py", "import torch\n")
    assert marks(project) == {False}
    project.add("size.py", USER + "z = 2j\n")
    assert marks(project) == {True}
    project.add("third.py", "z = 2j\n")
    project.add("size.py", USER)
    assert marks(project) == {True}
    project.remove("third.py")
    assert marks(project) == {False}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("self.conv.weight.data = w.view(c, c, 1)", True),
        ("conv.weight = nn.Parameter(w)", True),
        ("w = self.conv.weight.squeeze()", True),
        ("n = layer.weight.data.size(2)", True),
        ("with torch.no_grad():\n    layers[0].weight[:, 0] = 1", True),
        ("layer.weight_v.data.copy_(w)", True),
        ("y = F.conv1d(x, self.conv.weight, self.conv.bias)", True),
        ("state['conv.weight'] = state['conv.weight'].squeeze(-1)", True),
        ("n = self.weight.size(2)", False),  # of a class with torch's axes
        ("y = F.linear(x, conv.weight) == conv.weight", False),
        ("nn.init.normal_(conv.weight)", False),
        ("class_weight = 1", False),
    ],
)
def test_a_project_that_looks_at_kernels(other: str, expected: bool) -> None:
    assert ("kernels" in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("self.up(x, output_size=size)", True),
        ("self.up(x, output_size = skip.size())", True),
        ("self.up(input=x, output_size=size)", True),
        ("self.layers[2](x[0], output_size=(8, 8))", True),
        ("self.up(F.relu(x), output_size=skip.shape[-2:])", True),
        ("self.up(\n    x,\n    output_size=size,\n)", True),
        ("self.up(x, output_size)", True),
        ("self.up(x, skip.size())", True),
        ("net.up(x, skip.shape[2:])", True),
        ("self.up(x)", False),
        ("self.unpool(x, indices, output_size=size)", False),  # which takes indices beside one input
        ("F.adaptive_avg_pool2d(x, output_size=1)", False),
        ("nn.AdaptiveAvgPool2d(output_size=1)", False),
        ("F.interpolate(x, skip.size()[2:])", False),
        ("nn.functional.fold(x, output_size=(4, 4), kernel_size=2)", False),
        ("self.up(x, size)", False),
        ("self.up(x, output_size == size)", False),
    ],
)
def test_a_project_that_tells_a_layer_the_size_of_its_result(call: str, expected: bool) -> None:
    assert ("sized" in project_signs(f"layer = nn.ConvTranspose2d(4, 4, 2)\ny = {call}")) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("for m in model.modules():\n    m.eps = 1e-3", True),
        ("self.norm.momentum = 0.03", True),
        ("layers[0].momentum *= 0.5", True),
        ("setattr(m, 'momentum', 0.03)", True),
        ("self.eps = eps", False),  # a class of the project keeps it for its own
        ("same = m.eps == 1e-3", False),
        ("norm = nn.BatchNorm2d(4, eps=1e-3, momentum=0.03)", False),
        ("decay = m.momentum", False),
    ],
)
def test_a_project_that_sets_what_norms_work_with(other: str, expected: bool) -> None:
    assert ("settings" in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("self.log_alpha = ptu.zeros(1, requires_grad=True)", True),
        ("w = make(\n    (2, 3),\n    requires_grad=trained,\n)", True),
        ("w = zeros(size(x), requires_grad = True)", True),
        ('options = {"requires_grad": True}', True),
        ("options['requires_grad'] = True", True),
        ("options = dict(requires_grad=True)", True),
        ("w = torch.zeros(1, requires_grad=True)", False),  # what asks torch itself
        ("w = nn.Parameter(x, requires_grad=True)", False),
        ("w = Variable(x, requires_grad=True)", False),
        ("w = torch.autograd.Variable(f(x), requires_grad=True)", False),
        ("w = make(2, requires_grad=False)", False),
        ("w.requires_grad = True", False),
        ("same = options['requires_grad'] == True", False),
    ],
)
def test_a_project_that_hands_a_gradient_flag_on(other: str, expected: bool) -> None:
    assert (FLAGGED in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("class Warm(_LRScheduler):\n    pass", True),
        ("class Warm(torch.optim.lr_scheduler.LRScheduler):\n    pass", True),
        ("for group in optimizer.param_groups:\n    group['lr'] = rate", True),
        ('optimizer.param_groups[0]["lr"] *= 0.5', True),
        ("rate = optimizer.param_groups[0]['lr']\nprint(group['lr'], rate)", False),
        ("schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 3)", False),
    ],
)
def test_a_project_that_sets_rates(other: str, expected: bool) -> None:
    assert ("rates" in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("self.decoder = nn.Linear(n, m, bias=False)", True),
        ("conv = nn.Conv2d(3, 4, 3, bias=not norm)", True),
        ("fc = nn.Linear(n, m, False)", True),
        ("layer.bias = None", True),
        ("fc = nn.Linear(n, m, bias=True)", False),
        ("self.bias = nn.Parameter(torch.zeros(n))", False),
        ("layer.bias = nn.Parameter(layer.bias * 2)", False),
    ],
)
def test_a_project_that_has_layers_without_a_bias(other: str, expected: bool) -> None:
    assert ("unbiased" in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("text_lens = np.array([len(one) for one in texts])\nlongest = max(text_lens)", True),
        ("lens = numpy.asarray(lens)\nlongest = lens.max()", True),
        ("lens = np.array(lens)\nlongest = max(len(one) for one in texts)", False),
        ("lens = [len(one) for one in texts]\nlongest = max(lens)", False),
        ("max(lens)\nmore_lens = np.array(lens)", False),
    ],
)
def test_a_project_that_takes_numbers_of_arrays_for_sizes(other: str, expected: bool) -> None:
    assert ("lengths" in project_signs(other)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g = p.grad.norm()", True),
        ("g = torch.autograd.grad(y, x)", True),
        ("from torch.autograd import Variable, grad", True),
        ("from torch.autograd import (\n    Variable,\n    grad,\n)", True),
        ("from torch.autograd import grad as gradient", True),
        ("y.retain_grad()", True),
        ("j = torch.autograd.functional.jacobian(f, x)", True),
        ("x.requires_grad = True", False),
        ("y = x.grad_fn", False),
        ("g = mindspore.grad(net)(x)", False),
        ("loss, grads = grad_fn()", False),
        ("# a gradient of the loss", False),
    ],
)
def test_gradients_of_tensors_are_read(text: str, expected: bool) -> None:
    assert (GRADIENTS in project_signs(text)) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "for own, other in zip(net.state_dict().values(), old.state_dict().values()):\n    own.copy_(other)",
            True,
        ),
        ("for name, value in net.state_dict().items():\n    print(name, value.shape)", True),
        ("torch.save(net.state_dict(), 'x.pt')", False),
        ("for name, value in state_dict.items():\n    print(name)", False),
    ],
)
def test_what_goes_through_the_state_of_a_network_lists_its_names(code: str, expected: bool) -> None:
    assert ("names" in project_signs(f"import torch\n{code}\n")) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.where(w_norm > 0, x, w_norm)", True),
        ("1 if w_norm==0 else 2", True),
        ("x.norm() != 0  # 范数 🙂", True),
        ("norms.eq(0).any()", True),
        ("w_norm > 1e-6", False),
        ("w_norm + 0", False),
        ("self.normalize > 0", False),
    ],
)
def test_a_file_that_asks_whether_a_norm_is_zero(code: str, expected: bool) -> None:
    project = Project("")
    project.add("size.py", f"{USER}    return {code}\n")
    project.add("other.py", "x = norm > 0\n")
    uses = [use for use in project.usage("size.py").uses if use.api == "torch.Tensor.abs"]
    assert {"zeros" in use.signs for use in uses} == {expected}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.masked_fill(m, -float('inf'))", True),
        ('float("-inf")  # 无穷 🙂', True),
        ("x + math.inf", True),
        ("torch.full((2,), -torch.inf)", True),
        ("x.info", False),
        ("'inference'", False),
    ],
)
def test_a_file_that_has_infinite_numbers(code: str, expected: bool) -> None:
    project = Project("")
    project.add("size.py", f"{USER}    return {code}\n")
    project.add("other.py", "x = float('inf')\n")
    uses = [use for use in project.usage("size.py").uses if use.api == "torch.Tensor.abs"]
    assert {"infinite" in use.signs for use in uses} == {expected}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch.stack([metrics[k] for k in metric_keys])", True),
        ("torch.stack([losses[name] for name in sorted(losses)], dim=0)", True),
        ("torch.cat([self.seen[k] for k in keys])", True),
        ("torch.stack(list(log.values()))", True),
        ("torch.stack([xs[i] for i in order])", False),
        ("torch.stack([x for x in keys])", False),
        ("torch.stack(list(xs))", False),
        ("[metrics[k] for k in keys]", False),
    ],
)
def test_what_a_file_joins_of_tables(line: str, expected: bool) -> None:
    assert ("tables" in file_signs(f"import torch\ny = {line}\n")) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("set_seed(self._random_state.randint(-10**8, 10**8), cuda=self._use_cuda)", True),
        ("seed = random.randint(-100, 100)", True),
        ("torch.manual_seed(hash(name))", True),
        ("torch.manual_seed(int(time.time() * 1000))", True),
        ("parser.add_argument('--seed', default=1, help='a number (of any size)')", True),
        ("parser.add_argument('-s', '--random_seed',\n    help='what begins the random numbers')", True),
        ("self.parser.add_argument('--seed', type=int, default=1)", False),
        ("parser.add_argument('--seed', help='a number (any)', type=int)", False),
        ("parser.add_argument('--seed', action='store_true')", False),
        ("parser.add_argument('--speed', default=1)", False),
        ("torch.manual_seed(args.seed)", False),
        ("seed = random.randint(0, 2**31)", False),
        ("torch.manual_seed(1); x = rng.randint(-3, 3)", False),
    ],
)
def test_seeds_that_may_be_out_of_range(line: str, expected: bool) -> None:
    assert ("seeds" in project_signs(f"import torch\n{line}\n")) is expected


POINTER = "def forward(self, u, mask):\n    {0}\n    return {1}\n"


@pytest.mark.parametrize(
    ("statement", "result", "expected"),
    [
        ("u = u.masked_fill(mask, -float('inf'))", "F.log_softmax(u, dim=1)", True),
        ("u[mask] = float('-inf')", "F.cross_entropy(u, target)", True),
        ("u = torch.where(mask, u, -np.inf)", "self.criterion(nn.LogSoftmax(1)(u), t)", True),
        ("u.data.masked_fill_(mask, -math.inf)", "F.nll_loss(u.log_softmax(-1), t)", True),
        ("u = u.masked_fill(\n        mask, float('-Inf')\n    )", "F.log_softmax(u, -1)", True),
        # A mask of attention.
        ("u = u.masked_fill(mask, -float('inf'))", "F.softmax(u, dim=1)", False),
        # The best result up to now.
        ("best = -float('inf')", "F.cross_entropy(u, target)", False),
        ("self.best: float = float('-inf')", "F.cross_entropy(u, target)", False),
        ("u = u.masked_fill(mask, float('inf'))", "F.log_softmax(-u, dim=1)", False),
        ("u = u.masked_fill(mask, -1e9)", "F.log_softmax(u, dim=1)", False),
        # In another function.
        ("u = u.masked_fill(mask, -float('inf'))", "u\n\ndef loss(u):\n    return F.log_softmax(u)", True),
    ],
)
def test_classes_that_are_ruled_out(statement: str, result: str, expected: bool) -> None:
    assert ("ruled_out" in project_signs("import torch\n" + POINTER.format(statement, result))) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.log(1 - torch.tanh(x).pow(2) + eps)", True),
        ("x.log_prob(torch.tanh(x)) - torch.log(scale * (1 - y.pow(2)) + eps)", True),
        ("torch.log1p(-torch.tanh(x) ** 2)", True),
        ("(torch.tanh(x), 1.0 - y**2)  # 双曲正切 🙂", True),
        ("0.5 * torch.log((1 + y) / (1 - y)) + x.tanh()", True),
        ("torch.atanh(y) + torch.tanh(x)", True),
        ("2 * (math.log(2) - x - F.softplus(-2 * x)) + x.tanh()", False),
        ("torch.tanh(x) * (1 - beta**step)", False),
        ("torch.tanh(x) * 11 - y", False),
        ("torch.log(1 - y.pow(2) + eps)", False),
    ],
)
def test_a_file_that_asks_what_is_left_to_one(code: str, expected: bool) -> None:
    project = Project("")
    project.add("size.py", f"{USER}    return {code}, x.abs()\n")
    uses = [use for use in project.usage("size.py").uses if use.api == "torch.Tensor.abs"]
    assert {"saturated" in use.signs for use in uses} == {expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\nlow = (x >> 4)\n", True),
        ("code = code << bits  # 移位 🙂\n", True),
        ("flag = 1 << n\n", True),
        ("x <<= 1\n", True),
        ("even = (x & 1) == 0\n", True),
        ("x = x &0xff\n", True),
        ("y = torch.bitwise_and(x, y)\n", True),
        ("image = image.to(torch.uint8)\n", True),
        ("m = m.byte()\n", True),
        ("last = ~index.long()\n", True),
        ("last = ~index + 1\n", True),
        (">>> x = 1\nx = ~mask\n", False),
        ("x = y[~mask] & valid\n", False),
        ("x = ~mask & (y == 1)\n", False),
        ("kernel<<<blocks, threads>>>(x)\n", False),
        ("image = np.zeros(3, np.uint8)\n", False),
        ("print('a << ')\n", False),
        ("", False),
    ],
)
def test_work_with_the_bits_of_whole_numbers(text: str, expected: bool) -> None:
    assert ("bits" in project_signs(text)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if boxes.numel() == 0: return", True),
        ("if targets.nelement() > 0: loss = 1", True),
        ("while order.numel(): pass", True),
        ("n = boxes.shape[0]; ok = boxes.shape[0] > 0", True),
        ("if not boxes.size(0): pass", True),
        ("if gt_boxes.size(0) < 1:  # 空 🙂", True),
        ("if len(target['boxes']) == 0: pass", True),
        ("kept = x.new_zeros((0, 4))", True),
        ("kept = torch.empty([0, 4])", True),
        ("kept = torch.zeros(0, 5)", True),
        ("rows, _ = torch.where(chosen == i); out[rows] += expert(x[rows])", True),
        ("mask = chosen == i; y = self.experts[i](flat[mask])", True),
        ("y = sum(expert(x) for expert in self.experts)", False),
        ("if x.size(0) == 1: x = x.squeeze(0)", False),
        ("count = sum(p.numel() for p in net.parameters())", False),
        ("if p.numel() > 1000: big = p", False),
        ("if len(sys.argv) == 0: pass", False),
        ("if len(losses) > 0: mean = sum(losses)", False),
        ("x = torch.zeros(10, 4)", False),
        ("state = torch.zeros(0)", False),
    ],
)
def test_tensors_that_may_have_no_elements(line: str, expected: bool) -> None:
    assert ("emptiness" in project_signs(f"import torch\n{line}\n")) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("self.norm = nn.BatchNorm3d(4)", True),
        ("from torch.nn import LSTM", True),
        ("rnn = getattr(nn, 'GRU')(3, 4)", True),
        ("self.rnn = nn.RNN(3, 4)", True),
        ("self.norm = nn.BatchNorm2d(4)", False),
        ("self.cell = nn.LSTMCell(3, 4)", False),
        ("class ConvLSTM2d(nn.Module): ...", False),
        ("self.lstm = make(3)", False),
    ],
)
def test_layers_that_keep_cells_inside(text: str, expected: bool) -> None:
    assert ("inner" in project_signs(f"import torch.nn as nn\n{text}\n")) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return scores.masked_fill(~valid, float('-inf'))", True),
        ("return torch.where(valid, scores, -torch.inf)  # 无效 🙂", True),
        ("scores[~valid] = -float('inf')\n    return scores", True),
        ("scores = scores.masked_fill(valid == 0, LOWEST)\n    return scores, valid", True),
        ("scores.masked_fill_(valid == 0, -math.inf)\n    return self.last, scores", True),
        ("return scores.masked_fill(~valid, -1e9)", False),
        ("return self.attend(scores.masked_fill(~valid, float('-inf')))[0].softmax(-1)", False),
        ("return mask.float().masked_fill(mask == 0, float('-inf'))", False),
        ("scores[scores < least] = -float('inf')\n    return self.top_k(scores)", False),
        ("best = -float('inf')\n    return best", False),
        ("scores.masked_fill_(valid == 0, -math.inf)\n    return valid", False),
    ],
)
def test_classes_that_a_function_rules_out_for_others(body: str, expected: bool) -> None:
    text = f"import torch\nLOWEST = float('-inf')\n\ndef bounded(self, scores, valid):\n    {body}\n"
    assert ("ruled_out" in project_signs(text)) is expected
    assert "ruled_out" not in project_signs(text.replace("def bounded", "def causal_mask"))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for p in net.parameters():\n    p.requires_grad = True", True),
        ("for p in net.parameters(): p.requires_grad = flag", True),
        ("for name, p in net.named_parameters():\n    if 'fc' in name:\n        p.requires_grad_()", True),
        ("for child in self.children():\n    child.requires_grad_(mode)", True),
        ("[one.requires_grad_(True) for one in weights]", True),
        ("for p in net.parameters():\n    p.requires_grad ^= True", True),
        ("model.fc.requires_grad_(True)", True),
        ("self.backbone.layer4.requires_grad_(requires_grad=True)", True),
        ("self.model.features[0].weight.requires_grad = True", True),
        ("D.requires_grad_(True)", True),
        ("self.requires_grad_(mode)", True),
        ("setattr(p, 'requires_grad', flag)", True),
        # Frozen, and never trained again.
        ("for p in net.parameters():\n    p.requires_grad = False", False),
        ("for p in net.parameters():\n    p.requires_grad_(False)", False),
        ("model.fc.requires_grad_(requires_grad=False)", False),
        ("model.fc.weight.requires_grad  =  False", False),
        ("setattr(p, 'requires_grad', False)", False),
        # Asked for, not set.
        ("if model.fc.weight.requires_grad == True: pass", False),
        ("trained = [p for p in net.parameters() if p.requires_grad]", False),
        ("w = torch.zeros(3, requires_grad=True)", False),
        # Of tensors.
        ("x.requires_grad = True", False),
        ("for x, y in loader:\n    x.requires_grad_(True)", False),
        ("inputs.requires_grad_()", False),
        ("self.log_alpha.requires_grad = True", False),
        ("self.requires_grad = requires_grad", False),
        ("self.requires_grad_(False)", False),
        ("data.pos.requires_grad_(True)", False),
        ("interpolated.requires_grad_(True)\nfor p in net.parameters():\n    p.requires_grad = False", False),
    ],
)
def test_parameters_that_are_unfrozen(code: str, expected: bool) -> None:
    assert ("unfrozen" in project_signs("import torch\n" + code + "\n")) is expected
