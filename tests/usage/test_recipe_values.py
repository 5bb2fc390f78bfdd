"""Where values of the checklist come from, where it must say that they are not known, and what formulas show."""

from __future__ import annotations

import pytest

from mindport.usage.recipe.entry import ChecklistTopic
from usage.recipes import IMPORTS, lines, recipe_of

OPTIONS = "import argparse\np = argparse.ArgumentParser()\n"

# name: (files, topic, expected lines)
CASES: dict[str, tuple[dict[str, str], ChecklistTopic, list[str]]] = {
    "an option of None that is given a value later": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--lr", default=None)
args = p.parse_args()
if args.lr is None:
    args.lr = 0.1 * count()
o = torch.optim.SGD(m, lr=args.lr)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=args.lr? @train.py:10"],
    ),
    "what a script makes of the text of an option": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--gpus", default="0,1")
args = p.parse_args()
args.gpus = [int(one) for one in args.gpus.split(",")]
o = torch.optim.SGD(m, lr=0.1 * len(args.gpus))
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 @train.py:9"],
    ),
    "what is not understood of the text of an option": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--gpus", default="0,1")
args = p.parse_args()
args.gpus = visible(args.gpus)
o = torch.optim.SGD(m, lr=0.1 * len(args.gpus))
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 * len(args.gpus)? @train.py:9"],
    ),
    "a name that is scaled": (
        {
            "train.py": IMPORTS
            + """
def make(size):
    lr = 0.1
    lr *= size
    return torch.optim.SGD(m, lr=lr)
make(count())
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=lr? @train.py:8"],
    ),
    "a constant of another file under another name": (
        {
            "config.py": "RATE = 0.1\nOTHER = 0.2\n",
            "old.py": "RATE = 0.3\n",
            "train.py": IMPORTS + "from config import RATE as R\no = torch.optim.SGD(m, lr=R * 2)\n",
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 @train.py:5"],
    ),
    "what Python's functions and branches give": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """import math
p.add_argument("--data", default="cifar")
args = p.parse_args()
o = torch.optim.SGD(
    m,
    lr=0.1 if args.data.startswith("cifar") else 0.01,
    momentum=max(0.5, 1 - 1 / math.sqrt(100)),
    weight_decay=1e-4 if torch.cuda.is_available() else 0,
)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 momentum=0.9 weight_decay=0.0001 if torch.cuda.is_available() else 0? @train.py:9"],
    ),
    "one of several tables": (
        {
            "train.py": IMPORTS
            + """
def make(name):
    config = {"small": dict(rate=0.1), "large": dict(rate=0.2)}[name]
    return torch.optim.SGD(m, lr=config.rate)
make(chosen())
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=config.rate? @train.py:7"],
    ),
    "a key of a table that nobody knows, whose own value is none": (
        {
            "train.py": IMPORTS
            + """
def make(config=None):
    return torch.optim.SGD(m, lr=config.get("rate", 0.1) * 2, betas=tuple(config.get("betas", (0.9, 0.99))))
make()
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 betas=(0.9, 0.99) @train.py:6"],
    ),
    "an attribute that one branch takes from another object": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--lr", default=0.1)
class Run:
    def __init__(self, config):
        if config.fast:
            self.lr = 1.0
        else:
            self.lr = config.lr
    def make(self):
        return torch.optim.SGD(m, lr=self.lr)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.1 @train.py:14"],
    ),
    "a constant for where no file says another value": (
        {
            "train.py": IMPORTS
            + """
if "lr" in config:
    lr = config.lr
else:
    lr = 0.1
o = torch.optim.SGD(m, lr=config.lr)
""",
            "options.py": "p.add_argument('--lr', default=0.2)\n",
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 @train.py:9"],
    ),
    "a table for a known key": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--lr", default=None)
p.add_argument("--data", default="VOC")
args = p.parse_args()
def main():
    if args.lr is None:
        rates = {"coco": 0.1, "voc": 0.007}
        args.lr = rates[args.data.lower()]
    torch.optim.SGD(m, lr=args.lr)
"""
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.007 @train.py:13"],
    ),
    "a table for a key that nobody knows": (
        {
            "train.py": IMPORTS
            + "def make(data):\n    rates = {'a': 0.1, 'b': 0.2}\n    torch.optim.SGD(m, lr=rates[data])\n"
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=rates[data]? @train.py:6"],
    ),
    "a condition that decides between two values": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--sync-bn", default=None)
args = p.parse_args()
if args.gpus > 1:
    args.sync_bn = True
else:
    args.sync_bn = False
"""
        },
        ChecklistTopic.TRICKS,
        [],
    ),
    "a condition with one value": (
        {
            "train.py": IMPORTS
            + OPTIONS
            + """p.add_argument("--sync-bn", default=None)
args = p.parse_args()
if args.sync_bn is None:
    args.sync_bn = True
"""
        },
        ChecklistTopic.TRICKS,
        ["synchronised batch normalisation sync_bn=True @train.py:9"],
    ),
    "a default that every call replaces by what nobody knows": (
        {"train.py": IMPORTS + "def make(rate=0.1):\n    torch.optim.SGD(m, lr=rate)\nmake(find())\n"},
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=rate? @train.py:5"],
    ),
    "calls that give different values": (
        {
            "train.py": IMPORTS
            + "def make(rate=0.1):\n    torch.optim.SGD(m, lr=rate)\nmake(0.2)\nmake(0.3)\nmake()\n"
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 or 0.3 or 0.1? @train.py:5"],
    ),
    "calls that give the same value": (
        {
            "train.py": IMPORTS
            + "def make(rate):\n    torch.optim.SGD(m, lr=rate)\nmake(0.2)\nmake(rate=0.2)\n"
        },
        ChecklistTopic.OPTIMIZER,
        ["SGD lr=0.2 @train.py:5"],
    ),
    "an object of settings": (
        {
            "hparams.py": "def create():\n    return HParams(learning_rate=0.002, epochs=7)\n",
            "train.py": IMPORTS + "o = torch.optim.Adam(m, lr=hparams.learning_rate)\n",
        },
        ChecklistTopic.OPTIMIZER,
        ["Adam lr=0.002 @train.py:4"],
    ),
    "what the function of a script sets": (
        {
            "train.py": """
def train():
    max_training_timesteps = int(3e6)
    time_steps = 0
    num_epochs = 1
    while time_steps < max_training_timesteps:
        num_epochs += 1
if __name__ == '__main__':
    train()
"""
        },
        ChecklistTopic.TRAINING,
        ["length of training max_training_timesteps=3000000 @train.py:3"],
    ),
    "what another function sets": (
        {"tool.py": "def train():\n    max_epochs = 7\n", "train.py": "def other():\n    max_epochs = 8\n"},
        ChecklistTopic.TRAINING,
        [],
    ),
    "parameters of functions that do not train": (
        {
            "audio.py": "def reconstruct(x, n_iters=30):\n    pass\n",
            "train.py": "def val(net, max_iter=100):\n    pass\ndef fit(net, epochs=9):\n    pass\n",
        },
        ChecklistTopic.TRAINING,
        ["length of training epochs=9 @train.py:3"],
    ),
    "steps with an environment, and between two updates": (
        {
            "train.py": OPTIONS + 'p.add_argument("--num_steps", default=1000001)\n',
            "other.py": "",
        },
        ChecklistTopic.TRAINING,
        ["length of training num_steps=1000001 @train.py:3"],
    ),
    "steps between two updates": (
        {"train.py": OPTIONS + 'p.add_argument("--num-steps", default=128)\n'},
        ChecklistTopic.TRAINING,
        [],
    ),
    "losses that are kept and never called": (
        {
            "net.py": IMPORTS
            + """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first_loss = nn.MSELoss()
        self.second_loss = nn.L1Loss()
    def forward(self, x, y):
        return self.second_loss(x, y)
"""
        },
        ChecklistTopic.LOSS,
        ["L1Loss @net.py:9"],
    ),
    "losses of other libraries": (
        {
            "mine.py": "class OwnLoss:\n    pass\n",
            "train.py": "from warpctc import CTCLoss\nfrom mine import OwnLoss\nc = CTCLoss()\nd = OwnLoss()\n",
        },
        ChecklistTopic.LOSS,
        ["CTCLoss of warpctc @train.py:3"],
    ),
    "a loss that a method hands out": (
        {
            "loss.py": IMPORTS
            + """
class Losses:
    def build(self):
        return self.focal_loss
    def focal_loss(self, x):
        return x
    def dice_loss(self, x):
        return x
"""
        },
        ChecklistTopic.LOSS,
        ["focal_loss (of this project) @loss.py:8"],
    ),
    "a schedule that a branch computes": (
        {
            "schedule.py": """
import math
class Schedule:
    def __call__(self, mode, t):
        if mode == "cos":
            lr = 0.5 * self.lr * (1 + math.cos(t * math.pi))
        elif mode == "poly":
            lr = self.lr * pow(1 - t / self.n, 0.9)
""",
            "train.py": OPTIONS + 'p.add_argument("--lr-scheduler", default="poly")\n',
        },
        ChecklistTopic.LEARNING_RATE,
        ["polynomial decay lr_scheduler=poly @schedule.py:8"],
    ),
    "whole periods": (
        {
            "train.py": """
def adjust(optimizer, epoch):
    lr = 0.1 * (0.1 ** (epoch // 30))
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr
adjust(o, 1)
"""
        },
        ChecklistTopic.LEARNING_RATE,
        ["decay in steps @train.py:2"],
    ),
    "thresholds and a warm-up in the loop": (
        {
            "train.py": """
for step in range(9):
    lr = params["rate"]
    if step < params["burn_in"]:
        lr *= step / params["burn_in"]
    else:
        for threshold, factor in params["steps"]:
            if step > threshold:
                lr *= factor
    for g in optimizer.param_groups:
        g["lr"] = lr
"""
        },
        ChecklistTopic.LEARNING_RATE,
        ["decay in steps, warm-up @train.py:11"],
    ),
    "a rate of unknown making": (
        {"train.py": "lr = find()\nfor g in optimizer.param_groups:\n    g['lr'] = lr\n"},
        ChecklistTopic.LEARNING_RATE,
        ["set by hand lr=find()? @train.py:3"],
    ),
    "a root of the steps": (
        {
            "optim.py": """
class Noam:
    def lr_scale(self):
        return self.d ** -0.5 * min(self.n_steps ** (-0.5), self.n_steps * self.n_warmup_steps ** (-1.5))
Noam().lr_scale()
"""
        },
        ChecklistTopic.LEARNING_RATE,
        ["inverse square root decay, warm-up @optim.py:3"],
    ),
    "roots and powers of something else": (
        {
            "net.py": "def scale(q, d):\n    return q * d ** -0.5 + (1 - q) ** 2 + 2 ** (d // 2)\nscale(1, 2)\n"
        },
        ChecklistTopic.LEARNING_RATE,
        [],
    ),
    "imgaug": (
        {
            "data.py": """
import imgaug.augmenters as iaa
from imgaug.augmentables.bbs import BoundingBox
t = iaa.Sequential([iaa.Fliplr(0.5), iaa.Affine(rotate=(-5, 5)), iaa.PadToAspectRatio(1.0)])
b = BoundingBox(1, 2)
"""
        },
        ChecklistTopic.AUGMENTATION,
        ["Affine of imgaug rotate=(-5, 5) @data.py:4", "Fliplr of imgaug argument=0.5 @data.py:4"],
    ),
    "a policy that is clipped and rewarded for entropy": (
        {
            "train.py": """
class PPO:
    def step(self):
        loss = policy + 0.5 * value - 0.01 * entropy
def train():
    eps_clip = 0.2
    K_epochs = 80
    PPO()
""",
        },
        ChecklistTopic.TRICKS,
        [
            "clipped policy objective (PPO) eps_clip=0.2 K_epochs=80 @train.py:2",
            "entropy bonus coefficient=0.01 @train.py:4",
        ],
    ),
    "epochs of something else, and entropy that is the loss": (
        {"train.py": "K_epochs = 80\nloss = a - 0.5 * cross_entropy\n"},
        ChecklistTopic.TRICKS,
        [],
    ),
    "networks that functions make": (
        {
            "net.py": IMPORTS
            + """
class Small(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv2d(3, n, 1)
class Large(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv2d(3, n, 3)
def small(n):
    model = Small(n)
    return model
def build_backbone(name, n):
    if name == "small":
        return small(n)
    return Large(n)
class Net(nn.Module):
    def __init__(self, name, n):
        super().__init__()
        self.features = build_backbone(name, n)
        self.backbone = build_backbone(name, n)
""",
            "train.py": "from net import Net\nnet = Net(find(), find())\n",
        },
        ChecklistTopic.STRUCTURE,
        ["backbone: Small @net.py:5", "backbone: Large @net.py:9", "Net @net.py:20"],
    ),
    "a module of a library that is built on torch": (
        {
            "net.py": IMPORTS
            + """
import pytorch_lightning as pl
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 1)
class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.part = Part()
class Data(pl.LightningDataModule):
    pass
net, data = Net(), Data()
"""
        },
        ChecklistTopic.STRUCTURE,
        ["Net parameters=32 part: Part=32 @net.py:10"],
    ),
    "noise in a network": (
        {"net.py": IMPORTS + "\nclass NoiseInjection(nn.Module):\n    pass\nn = NoiseInjection()\n"},
        ChecklistTopic.STRUCTURE_POINTS,
        ["noise injection @net.py:5"],
    ),
    "noise in sounds": (
        {"data.py": "class NoiseInjection:\n    pass\nn = NoiseInjection()\n"},
        ChecklistTopic.STRUCTURE_POINTS,
        [],
    ),
    "noise in sounds, as augmentation": (
        {"data.py": "class NoiseInjection:\n    pass\nn = NoiseInjection()\n"},
        ChecklistTopic.AUGMENTATION,
        ["random noise @data.py:1"],
    ),
    "heads and what only sounds like one": (
        {
            "net.py": IMPORTS
            + """
class Lookahead(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 3, 1)
class BoxHead(Lookahead):
    pass
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lookahead = Lookahead()
        self.boxes = BoxHead()
net = Net()
"""
        },
        ChecklistTopic.STRUCTURE,
        [
            "head: BoxHead parameters=12 conv: Conv1d=12 @net.py:9",
            "Net parameters=24 lookahead: Lookahead=12 boxes: BoxHead=12 @net.py:11",
        ],
    ),
    "a transform without parameters": (
        {
            "net.py": IMPORTS
            + """
class Fourier(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("basis", torch.ones(3))
class Mel(nn.Module):
    def __init__(self):
        super().__init__()
        self.fourier = Fourier()
mel = Mel()
"""
        },
        ChecklistTopic.STRUCTURE,
        [],
    ),
    "two files with classes of one name": (
        {
            "small.py": IMPORTS
            + """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(1, 1)
""",
            "large.py": IMPORTS
            + """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.two = nn.Linear(9, 9)
""",
            "net.py": IMPORTS
            + """
from large import Block
from small import Block as Small
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block()
        self.b = Small()
net = Net()
""",
        },
        ChecklistTopic.STRUCTURE,
        ["Net parameters=92 a: Block=90 b: Block=2 @net.py:7"],
    ),
    "a width that only the data tell, and layers of another one": (
        {
            "train.py": IMPORTS
            + """
class Layer(nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(fan_in, fan_out))
class Net(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.first = Layer(features, hidden)
        self.second = Layer(hidden, 7)
net = Net(data.shape[1], 16)
"""
        },
        ChecklistTopic.STRUCTURE,
        ["Net parameters=unknown? second: Layer=112 @train.py:9"],
    ),
    "a network that the package of an imported module imports": (
        {
            "train.py": IMPORTS + "from net.models.build import get\nfor _ in range(3):\n    get('Net')()\n",
            "net/__init__.py": "",
            "net/models/__init__.py": "from .resnet import *\n",
            "net/models/build.py": "KNOWN = {}\ndef get(name):\n    return KNOWN[name]\n",
            "net/models/resnet.py": IMPORTS
            + """from .build import KNOWN
@KNOWN.register
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 4)
""",
        },
        ChecklistTopic.STRUCTURE,
        ["Net @net/models/resnet.py:6"],
    ),
    "a table of blocks": (
        {
            "net.py": IMPORTS
            + """
class BasicBlock(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv = nn.Conv2d(n, n, 1)
class Net(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 1)
        self.layer = block(8)
TABLE = {18: (BasicBlock, [2, 2])}
def make(depth):
    block, layers = TABLE[depth]
    return Net(block)
make(18)
"""
        },
        ChecklistTopic.STRUCTURE,
        ["Net parameters=104 conv: Conv2d=32 layer: BasicBlock=72 @net.py:9"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_entries(name: str) -> None:
    files, topic, expected = CASES[name]
    assert lines(recipe_of(files).entries, topic) == expected
