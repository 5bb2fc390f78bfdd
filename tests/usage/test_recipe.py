"""Small projects in, entries of the checklist out: each case is a few files, the topic that is asked about, and what is
expected of it; as many of what must not be said."""

from __future__ import annotations

import pytest

from mindport.usage.recipe.entry import ChecklistTopic
from usage.recipes import IMPORTS, lines, recipe_of

# name: (files, topic, expected lines)
CASES: dict[str, tuple[dict[str, str], ChecklistTopic, list[str]]] = {
    "literals": (
        {"train.py": IMPORTS + "o = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9, nesterov=True)\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 momentum=0.9 nesterov=True @train.py:4"],
    ),
    "positional": (
        {"train.py": IMPORTS + "o = torch.optim.Adam(m.parameters(), 1e-3, (0.5, 0.999))\n"},
        ChecklistTopic.OPTIMIZER,
        ["Adam lr=0.001 betas=(0.5, 0.999) @train.py:4"],
    ),
    "an option of argparse": (
        {
            "train.py": IMPORTS
            + """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--learning-rate", "-l", dest="lr", type=float, default=2e-4)
args = p.parse_args()
o = torch.optim.Adam(m.parameters(), lr=args.lr)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["Adam lr=0.0002 @train.py:9"],
    ),
    "an attribute of a configuration class, through a parameter": (
        {
            "config.py": """
class Config:
    def __init__(self):
        self.momentum = 0.95
        self.lr = 0.02
""",
            "train.py": IMPORTS
            + """
def make(config, rate):
    return torch.optim.SGD(m.parameters(), lr=rate, momentum=config.momentum)
make(config, config.lr)
""",
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.02 momentum=0.95 @train.py:6"],
    ),
    "a default that a caller overrides": (
        {"train.py": IMPORTS + "def make(lr=0.1):\n    return torch.optim.SGD(m, lr=lr)\nmake(0.5)\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.5 @train.py:5"],
    ),
    "a default that nobody overrides": (
        {"train.py": IMPORTS + "def make(lr=0.1):\n    return torch.optim.SGD(m, lr=lr)\nmake()\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 @train.py:5"],
    ),
    "what only a run knows": (
        {"train.py": IMPORTS + "def make(n):\n    lr = n.compute()\n    return torch.optim.SGD(m, lr=lr)\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=n.compute()? @train.py:6"],
    ),
    "two branches": (
        {
            "train.py": IMPORTS
            + """def make(n):
    if n:
        lr = 0.1
    else:
        lr = 0.2
    return torch.optim.SGD(m, lr=lr)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 or 0.2? @train.py:9"],
    ),
    "arithmetic": (
        {"train.py": IMPORTS + "BASE = 0.01\no = torch.optim.SGD(m, lr=BASE / 64, weight_decay=-(-5e-4))\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.00015625 weight_decay=0.0005 @train.py:5"],
    ),
    "powers are bounded": (
        {"train.py": IMPORTS + "o = torch.optim.SGD(m, lr=10 ** 10 ** 10)\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=10 ** 10 ** 10? @train.py:4"],
    ),
    "a circle of names ends": (
        {"train.py": IMPORTS + "def f(a):\n    return torch.optim.SGD(m, lr=a)\ndef g(a):\n    f(g(a))\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=a? @train.py:5"],
    ),
    "parameter groups": (
        {
            "train.py": IMPORTS
            + """
groups = [{"params": a, "weight_decay": 0.1}, {"params": b, "weight_decay": 0.0}]
o = torch.optim.AdamW(groups, lr=1e-3)
"""
        },
        ChecklistTopic.OPTIMIZER,
        [
            "AdamW lr=0.001 weight_decay of a parameter group=0.1 weight_decay of a parameter group=0 @train.py:6",
        ],
    ),
    "YAML": (
        {"train.py": IMPORTS + "o = torch.optim.SGD(m, lr=cfg['base_lr'], momentum=cfg.SOLVER.MOMENTUM)\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.03 momentum=0.8 @train.py:4"],
    ),
    "tests and demonstrations are left out": (
        {
            "tests/test_train.py": IMPORTS + "o = torch.optim.SGD(m, lr=0.1)\n",
            "demo.py": IMPORTS + "o = torch.optim.SGD(m, lr=0.1)\n",
        },
        ChecklistTopic.OPTIMIZER,
        [],
    ),
    "another library's SGD": (
        {"train.py": "from mine import optim\no = optim.SGD(m, lr=0.1)\n"},
        ChecklistTopic.OPTIMIZER,
        [],
    ),
    "torch's schedulers": (
        {"train.py": IMPORTS + "s = torch.optim.lr_scheduler.MultiStepLR(o, [30, 60], gamma=0.1)\n"},
        ChecklistTopic.LEARNING_RATE,
        ["MultiStepLR milestones=(30, 60) gamma=0.1 @train.py:4"],
    ),
    "a schedule by hand": (
        {
            "train.py": """
import math
warmup_iters = 100
def get_lr(step):
    if step < warmup_iters:
        return 0.1 * step / warmup_iters
    return 0.05 * (1 + math.cos(math.pi * step / 1000))
for group in optimizer.param_groups:
    group["lr"] = get_lr(3)
"""
        },
        ChecklistTopic.LEARNING_RATE,
        ["settings of the rate warmup_iters=100 @train.py:3", "cosine decay, warm-up @train.py:4"],
    ),
    "cosines of something else": (
        {"train.py": "import math\ndef rotate(x):\n    return math.cos(math.pi * x)\nrotate(1)\n"},
        ChecklistTopic.LEARNING_RATE,
        [],
    ),
    "a schedule by name": (
        {
            "schedule.py": """
import math
def poly(step): return (1 - step) ** 0.9
def cos_lr(step): return math.cos(math.pi * step)
class Schedule:
    def __init__(self, name):
        if name == "poly":
            self.f = poly
        elif name == "cosine":
            self.f = cos_lr
""",
            "config.py": "class Config:\n    scheduler = 'cosine'\n",
        },
        ChecklistTopic.LEARNING_RATE,
        ["cosine decay scheduler=cosine @schedule.py:4"],
    ),
    "lengths and batches": (
        {
            "train.py": """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=90)
p.add_argument("-b", "--batch-size", default=256, type=int)
p.add_argument("--resume", default="")
iter = 0
"""
        },
        ChecklistTopic.TRAINING,
        ["length of training epochs=90 @train.py:4", "batch size batch_size=256 @train.py:5"],
    ),
    "lengths that nobody sets": ({"train.py": "epochs = None\nbatch_size = len(x)\n"}, ChecklistTopic.TRAINING, []),
    "losses": (
        {
            "train.py": IMPORTS
            + """
criterion = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=255)
loss = criterion(x, y) + F.mse_loss(x, y, reduction="sum")
def dice_loss(a, b):
    return 1 - (a * b).sum()
dice_loss(x, y)
def log_loss_to_file(loss):
    return print(loss)
log_loss_to_file(loss)
"""
        },
        ChecklistTopic.LOSS,
        [
            "CrossEntropyLoss label_smoothing=0.1 ignore_index=255 @train.py:5",
            "mse_loss reduction=sum @train.py:6",
            "dice_loss (of this project) @train.py:7",
        ],
    ),
    "initialisation": (
        {
            "model.py": IMPORTS
            + """
def init_weights(m):
    nn.init.kaiming_normal_(m.weight, mode="fan_out")
    m.bias.data.zero_()
    m.cache.zero_()
"""
        },
        ChecklistTopic.INITIALISATION,
        ["kaiming_normal_ mode=fan_out @model.py:6", "zero_ of m.bias.data @model.py:7"],
    ),
    "a moving average": (
        {
            "ema.py": """
class Average:
    def __init__(self, model, decay=0.999):
        self.decay = decay
    def update(self, model):
        d = self.decay
        for name, value in model.state_dict().items():
            self.shadow[name] = d * self.shadow[name] + (1 - d) * value
""",
            "train.py": "from ema import Average\nkeep = Average(model, 0.9995)\n",
        },
        ChecklistTopic.AVERAGING,
        ["exponential moving average in Average decay=0.9995 @ema.py:2"],
    ),
    "an average of numbers": (
        {"meter.py": "class Meter:\n    def update(self, x):\n        self.v = 0.9 * self.v + (1 - 0.9) * x\n"},
        ChecklistTopic.AVERAGING,
        [],
    ),
    "mixed precision": (
        {
            "train.py": IMPORTS
            + """
use_amp = True
scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
with torch.autocast("cuda", dtype=torch.float16):
    pass
"""
        },
        ChecklistTopic.PRECISION,
        [
            "switch use_amp=True @train.py:5",
            "GradScaler enabled=True @train.py:6",
            "autocast device_type=cuda dtype=torch.float16 @train.py:7",
        ],
    ),
    "no mixed precision": ({"train.py": IMPORTS + "half = 0.5\nx = x * half\n"}, ChecklistTopic.PRECISION, []),
    "clipping": (
        {"train.py": IMPORTS + "grad_clip = 1.0\nnn.utils.clip_grad_norm_(m.parameters(), grad_clip)\n"},
        ChecklistTopic.CLIPPING,
        ["clip_grad_norm_ max_norm=1.0 @train.py:5"],
    ),
    "augmentation": (
        {
            "data.py": """
from torchvision import transforms as T
t = T.Compose([T.RandomResizedCrop(224), T.RandomHorizontalFlip(p=0.3), T.ToTensor(), T.Normalize(0, 1)])
"""
        },
        ChecklistTopic.AUGMENTATION,
        ["RandomHorizontalFlip p=0.3 @data.py:3", "RandomResizedCrop size=224 @data.py:3"],
    ),
    "the project's own augmentation": (
        {
            "data.py": """
class MosaicDataset:
    def __init__(self, mosaic_prob=0.8):
        pass
def mixup(a, b): return a
MosaicDataset()
mixup(1, 2)
def never_used_cutmix(a): return a
"""
        },
        ChecklistTopic.AUGMENTATION,
        ["Mosaic mosaic_prob=0.8 @data.py:2", "MixUp @data.py:5"],
    ),
    "accumulation": (
        {
            "train.py": IMPORTS
            + "for i, x in enumerate(loader):\n    if (i + 1) % 4 == 0:\n        optimizer.step()\n"
            + "    if i % 100 == 0:\n        print(i)\n"
        },
        ChecklistTopic.TRICKS,
        ["gradient accumulation by hand steps=4 @train.py:5"],
    ),
    "a decoupled head without anchors": (
        {
            "head.py": IMPORTS
            + """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.cls_convs = nn.ModuleList()
        self.reg_convs = nn.ModuleList()
    def forward(self, x):
        grids, strides = self.grid(x)
        return (x + grids) * strides
head = Head()
"""
        },
        ChecklistTopic.STRUCTURE_POINTS,
        ["anchor-free @head.py:5", "decoupled head @head.py:5"],
    ),
    "a head with anchors": (
        {
            "head.py": IMPORTS
            + """
class Head(nn.Module):
    def __init__(self, anchors):
        super().__init__()
        self.anchors = anchors
        self.cls_subnet = nn.Sequential()
        self.bbox_subnet = nn.Sequential()
    def forward(self, x, grids, strides):
        return (x + grids) * strides
head = Head([1])
"""
        },
        ChecklistTopic.STRUCTURE_POINTS,
        ["decoupled head @head.py:5"],
    ),
    "left over initialisation": (
        {
            "model.py": IMPORTS
            + """
def init(m):
    nn.init.constant(m.bias, 0)
def left(m):
    nn.init.constant(m.bias, 1)
""",
            "train.py": "from model import init, left\nfor epoch in range(3):\n    init(net)\n",
        },
        ChecklistTopic.INITIALISATION,
        ["constant val=0 @model.py:6"],
    ),
    "written lengths": (
        {
            "train.py": IMPORTS
            + """
from torch.utils.data import DataLoader
trainloader = DataLoader(data, batch_size=128)
testloader = DataLoader(data, batch_size=100)
def evaluate(data):
    for x in DataLoader(data, 50):
        pass
for epoch in range(start, start + 200):
    pass
for epoch in range(epochs):
    pass
"""
        },
        ChecklistTopic.TRAINING,
        ["batch size batch_size=128 @train.py:6", "length of training epochs=200 @train.py:11"],
    ),
    "blocks that are handed in": (
        {
            "net.py": IMPORTS
            + """
class PreActBlock(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv2d(n, n, 1)
class Net(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 1, bias=False)
        self.layer = self.make(block)
    def make(self, block):
        return block(3)
net = Net(PreActBlock)
"""
        },
        ChecklistTopic.STRUCTURE,
        ["Net parameters=21 conv: Conv2d=9 layer: PreActBlock=12 @net.py:9"],
    ),
    "residual blocks": (
        {
            "net.py": IMPORTS
            + """
class Bottleneck(nn.Module):
    def forward(self, x):
        return torch.cat([x, x], 1)
class BasicBlock(nn.Module):
    def forward(self, x):
        return x + x
layers = Bottleneck(), BasicBlock()
"""
        },
        ChecklistTopic.STRUCTURE_POINTS,
        ["residual blocks @net.py:8"],
    ),
    "parameter groups are no settings": (
        {
            "model.py": IMPORTS
            + """
def make(config, a, b):
    groups = [{"params": a, "weight_decay": config.weight_decay}, {"params": b, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.1)
""",
            "trainer.py": "C.weight_decay = 0.1\n",
        },
        ChecklistTopic.OPTIMIZER,
        [
            "AdamW lr=0.1 weight_decay of a parameter group=0.1 weight_decay of a parameter group=0 @model.py:7",
        ],
    ),
    "models and parts": (
        {
            "net.py": IMPORTS
            + """
class Darknet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Darknet()
net = Net()
"""
        },
        ChecklistTopic.STRUCTURE,
        [
            "backbone: Darknet parameters=32 conv: Conv2d=32 @net.py:5",
            "Net parameters=32 backbone: Darknet=32 @net.py:9",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_entries(name: str) -> None:
    files, topic, expected = CASES[name]
    configs = {"config.yaml": "base_lr: 0.03\nSOLVER:\n  MOMENTUM: 0.8\n"} if name == "YAML" else {}
    assert lines(recipe_of(files, configs=configs).entries, topic) == expected


def test_places_of_values() -> None:
    files = {
        "options.py": "def add(p):\n    p.add_argument('--lr', default=0.3)\n",
        "train.py": IMPORTS + "o = torch.optim.SGD(m, lr=args.lr)\n",
    }
    (entry,) = (one for one in recipe_of(files).entries if one.topic is ChecklistTopic.OPTIMIZER)
    assert [str(detail.place) for detail in entry.details] == ["options.py:2"]


def test_a_documented_command_says_the_batch_of_each_device() -> None:
    files = {
        "train.py": """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("-b", "--batch-size", type=int, default=32)
        p.add_argument("-d", "--devices", type=int)
        batch_size = args.batch_size // get_world_size()
        """
    }
    prose = "Train it:\n\n    python train.py -d 4 -b 32 --fp16\n    python eval.py -b 1\n"
    found = lines(recipe_of(files, prose).entries, ChecklistTopic.TRAINING)
    assert "batch size batch_size=32 devices=4 batch size on each device=8 @README.md:3" in found
    assert not any("README.md:4" in line for line in found)


def test_code_that_does_not_parse_loses_only_its_broken_part() -> None:
    files = {
        "train.py": IMPORTS + "o = torch.optim.SGD(m, lr=0.1)\ndef broken(:\n    pass\n",
        "bad.py": "\x00(",
    }
    assert lines(recipe_of(files).entries, ChecklistTopic.OPTIMIZER) == ["SGD lr=0.1 @train.py:4"]


@pytest.mark.parametrize(
    "text", ["", "a: [", "- 1\n- {x: 2}\n", "a: &a {b: *a}\n", "? [1]\n: 2\n", "!!python/x y"]
)
def test_configuration_of_any_shape(text: str) -> None:
    recipe = recipe_of({"train.py": "x = cfg.lr\n"}, configs={"c.yaml": text, "c.json": text})
    assert recipe.problems == ()


def test_aliases_that_multiply_cost_nothing() -> None:
    rows = ["a0: &a0 [1, 1]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    recipe = recipe_of(
        {"train.py": "x = 1\n"}, configs={"c.yaml": "\n".join([*rows, "epochs: 7\n", "x: .inf\n"])}
    )
    assert lines(recipe.entries, ChecklistTopic.TRAINING) == ["length of training epochs=7 @c.yaml:13"]


def test_an_empty_project() -> None:
    recipe = recipe_of({})
    assert recipe.entries == ()
    assert recipe.order == ()
    assert recipe.problems == ()


def test_order_of_porting() -> None:
    files = {
        "train.py": "from net.model import Net\nimport helper\n",
        "helper.py": "import torch\n",
        "net/__init__.py": "",
        "net/model.py": "from . import blocks\nfrom .head import Head\n",
        "net/blocks.py": "from .head import Head\n",
        "net/head.py": "from .blocks import Block\n",
    }
    order = recipe_of(files).order
    assert [step.path for step in order][-1] == "train.py"
    together = {step.path: step.together for step in order}
    assert together["net/head.py"] == ("net/blocks.py",)
    level = {step.path: step.level for step in order}
    assert level["net/blocks.py"] == level["net/head.py"] < level["net/model.py"] < level["train.py"]
