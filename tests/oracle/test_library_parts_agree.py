"""Parts of timm compute what timm computes: in torch, as mindport has them, and ported with a project that trains."""

import json

import numpy as np
import pytest
from running_programs import ported, printed_by

from mindport.registry.library_parts import parts_of
from mindport.rewrite.library_imports import LibraryImports
from mindport.rewrite.text_edits import with_edits

pytestmark = pytest.mark.oracle

# A program in the manner of DeiT and MAE: its own vision transformer, registered, trained by timm's engine parts.
PROGRAM = """import argparse
import json
from functools import partial

import numpy as np
import timm
import timm.optim.optim_factory as optim_factory
import torch
import torch.nn as nn
from PIL import Image
from timm.data import IMAGENET_DEFAULT_MEAN, Mixup, create_transform
from timm.data.transforms import RandomResizedCropAndInterpolation, ToNumpy, str_to_interp_mode
from timm.data.transforms import ToTensor as ToBytes
from timm.loss import LabelSmoothingCrossEntropy, SoftTargetCrossEntropy
from timm.models import create_model, register_model
from timm.models.vision_transformer import Attention, Block, LayerScale, PatchEmbed, VisionTransformer
from timm.layers import DropPath, LayerNorm2d, Mlp, lecun_normal_, make_divisible, to_2tuple, to_ntuple, trunc_normal_
from timm.optim import create_optimizer
from timm.scheduler import create_scheduler
from timm.utils import AverageMeter, ModelEma, ModelEmaV2, NativeScaler, accuracy, get_state_dict, unwrap_model

assert timm.__version__ >= "0.3"
found = []


class Distilled(VisionTransformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.dist_token = nn.Parameter(torch.zeros(1, 1, self.embed_dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, self.patch_embed.num_patches + 2, self.embed_dim))
        self.head_dist = nn.Linear(self.embed_dim, self.num_classes)
        trunc_normal_(self.pos_embed, std=0.02)
        self.head_dist.apply(self._init_weights)

    def forward_features(self, x):
        x = self.patch_embed(x)
        tokens = [token.expand(x.shape[0], -1, -1) for token in (self.cls_token, self.dist_token)]
        x = self.pos_drop(torch.cat((*tokens, x), dim=1) + self.pos_embed)
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        return x[:, 0], x[:, 1]

    def forward(self, x):
        x, other = self.forward_features(x)
        x, other = self.head(x), self.head_dist(other)
        return (x, other) if self.training else (x + other) / 2


@register_model
def distilled(pretrained=False, pretrained_cfg=None, pretrained_cfg_overlay=None, cache_dir=None, **kwargs):
    norm_layer = partial(nn.LayerNorm, eps=1e-6)
    return Distilled(
        img_size=16, patch_size=4, embed_dim=16, depth=2, num_heads=2, qkv_bias=True, norm_layer=norm_layer, **kwargs
    )


def set_weights(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.7 + p.numel()).reshape(p.shape) * 0.3)
    return net


def parse():
    parser = argparse.ArgumentParser()
    for name, value in (("opt", "momentum"), ("sched", "cosine")):
        parser.add_argument(f"--{name}", default=value)
    for name, value in (
        ("lr", 0.05), ("momentum", 0.9), ("weight-decay", 0.05), ("warmup-lr", 1e-3), ("min-lr", 1e-4),
        ("decay-rate", 0.1),
    ):
        parser.add_argument(f"--{name}", type=float, default=value)
    for name, value in (("epochs", 5), ("warmup-epochs", 2), ("cooldown-epochs", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args([])


def train_one_epoch(model, criterion, batches, optimizer, scaler, average, mixup):
    meter = AverageMeter()
    for samples, targets in batches:
        samples, targets = mixup(samples.clone(), targets)
        first, second = model(samples)
        loss = criterion(first, targets) + criterion(second, targets)
        optimizer.zero_grad()
        scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters(), create_graph=False)
        average.update(model)
        meter.update(loss.item(), samples.size(0))
    return meter.avg


def train():
    args = parse()
    model = set_weights(create_model("distilled", num_classes=5, drop_rate=0.0, drop_block_rate=None))
    average = ModelEma(model, decay=0.9)
    optimizer = create_optimizer(args, model)
    schedule, epochs = create_scheduler(args, optimizer)
    scaler, mixup = NativeScaler(), Mixup(0.8, 1.0, label_smoothing=0.1, num_classes=5)
    numbers = np.random.RandomState(1)
    batches = [
        (torch.from_numpy(numbers.randn(4, 3, 16, 16).astype("float32")), torch.from_numpy(numbers.randint(0, 5, 4)))
        for _ in range(2)
    ]
    found.append(epochs)
    np.random.seed(3)
    for epoch in range(3):
        model.train()
        criterion = SoftTargetCrossEntropy()
        found.append(train_one_epoch(model, criterion, batches, optimizer, scaler, average, mixup))
        schedule.step(epoch)
        found.append(float(optimizer.param_groups[0]["lr"]))
    model.eval()
    images, labels = batches[0]
    output = model(images)
    found.append(output.tolist())
    found.append([one.item() for one in accuracy(output, labels, topk=(1, 2))])
    found.append(LabelSmoothingCrossEntropy(0.2)(output, labels).item())
    found.append(get_state_dict(average)["head.weight"].sum().item())
    found.append(len(unwrap_model(average).state_dict()))
    found.append([len(group["params"]) for group in optim_factory.param_groups_weight_decay(model, 0.1)])


def mixing():
    images = torch.cos(torch.arange(4 * 2 * 7 * 9.0)).reshape(4, 2, 7, 9)
    labels = torch.tensor([0, 2, 1, 1])
    for mode in ("batch", "pair", "elem"):
        for options in ({}, {"mixup_alpha": 0.0}, {"cutmix_alpha": 0.0}, {"cutmix_minmax": (0.2, 0.9)}, {"prob": 0.5}):
            mixup = Mixup(**{"mixup_alpha": 0.8, "cutmix_alpha": 1.0, **options}, mode=mode, num_classes=3)
            np.random.seed(5)
            for _ in range(4):
                mixed, targets = mixup(images.clone(), labels)
                found.append(mixed.tolist())
                found.append(targets.tolist())


def layers():
    x = torch.cos(torch.arange(96.0)).reshape(2, 3, 4, 4)
    for net in (PatchEmbed(4, 2, 3, 8, norm_layer=nn.LayerNorm), LayerNorm2d(3), Mlp(3, 5, 4, use_conv=True)):
        found.append(set_weights(net)(x).detach().tolist())
    tokens = x.reshape(2, 6, 8)
    for net in (
        Attention(8, 2, qkv_bias=True), Block(8, 2, init_values=0.1, drop_path=0.5), LayerScale(8, 0.1), DropPath(0.3),
        VisionTransformer(img_size=4, patch_size=2, embed_dim=8, depth=1, num_heads=2, num_classes=0, class_token=True),
    ):
        set_weights(net).eval()
        found.append(net(x if isinstance(net, VisionTransformer) else tokens).detach().tolist())
    dropped = DropPath(0.5)(torch.ones(4000, 2))
    found.append(sorted(set(dropped.flatten().tolist())))
    found.append(round(dropped.mean().item()))
    weight = torch.empty(200, 64)
    lecun_normal_(weight)
    found.append(round(weight.std().item() * 8))
    found.append([make_divisible(37), make_divisible(10, 8), make_divisible(91, 16)])
    found.append([*to_2tuple(3), *to_2tuple([1, 2]), *to_ntuple(3)(7), *IMAGENET_DEFAULT_MEAN])
    net = ModelEmaV2(set_weights(nn.Linear(3, 2)), decay=0.5)
    net.update(nn.Linear(3, 2).requires_grad_(False).apply(lambda m: nn.init.ones_(m.weight)))
    found.append(net.module.weight.tolist())


def images():
    image = Image.fromarray(np.random.RandomState(0).randint(0, 255, (50, 60, 3)).astype("uint8"))
    for shown in (create_transform(32)(image), create_transform((3, 24, 24), crop_pct=1.0, mean=(0.5,) * 3)(image)):
        found.append([*shown.shape, round(float(shown.mean()), 2), round(float(shown.std()), 1)])
    for options in ({}, {"auto_augment": "rand-m9-mstd0.5-inc1", "re_prob": 1.0, "re_mode": "pixel"}):
        training = create_transform(32, is_training=True, interpolation="bicubic", **options)
        found.append([*training(image).shape, len(training.transforms)])
    piece = RandomResizedCropAndInterpolation(24, scale=(0.5, 1.0), interpolation="bicubic")(image)
    found.append([*piece.size, *ToNumpy()(piece).shape, float(ToBytes()(image).mean()), ToNumpy()(image).sum().item()])
    found.append([str_to_interp_mode(name) == str_to_interp_mode("bilinear") for name in ("bicubic", "bilinear")])


train()
mixing()
layers()
images()
print("FOUND " + json.dumps(found))
"""
# A program in the manner of timm's own training script, which many repositories have a copy of.
SCRIPT = """import argparse
import csv
import json
import os

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from timm.data import FastCollateMixup, create_dataset, create_loader, resolve_data_config
from timm.loss import *
from timm.models import create_model, load_checkpoint, model_parameters, register_model
from timm.models import resume_checkpoint, safe_model_name
from timm.optim import create_optimizer, create_optimizer_v2, optimizer_kwargs
from timm.scheduler import create_scheduler
from timm.utils import *

found = []
for label in range(3):
    os.makedirs(f"data/val/{label}", exist_ok=True)
    for number in range(2):
        picture = np.random.RandomState(label * 5 + number).randint(0, 255, (20, 24, 3)).astype("uint8")
        Image.fromarray(picture).save(f"data/val/{label}/{number}.png")


@register_model
def small(pretrained=False, pretrained_cfg=None, pretrained_cfg_overlay=None, cache_dir=None, num_classes=3, **kwargs):
    net = nn.Sequential(nn.Conv2d(3, 4, 3, 4, bias=False), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(64, num_classes))
    net.default_cfg = {"input_size": (3, 16, 16), "mean": (0.4,) * 3, "std": (0.3,) * 3, "crop_pct": 1.0}
    net.pretrained_cfg = net.default_cfg
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + p.numel()).reshape(p.shape) * 0.3)
    return net


def parse():
    parser = argparse.ArgumentParser()
    add_bool_arg(parser, "use-thing", default=True)
    parser.add_argument("--model", default="small")
    for name, value in (("opt", "adamw"), ("sched", "cosine")):
        parser.add_argument(f"--{name}", default=value)
    for name, value in (
        ("lr", 0.01), ("momentum", 0.9), ("weight-decay", 0.05), ("warmup-lr", 1e-3), ("min-lr", 1e-4),
        ("decay-rate", 0.1),
    ):
        parser.add_argument(f"--{name}", type=float, default=value)
    for name, value in (("epochs", 5), ("warmup-epochs", 0), ("cooldown-epochs", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args(["--no-use-thing"])


def train():
    setup_default_logging()
    random_seed(3, 1)
    found.append([float(np.random.rand()), natural_key("a10b")[1]])
    args = parse()
    found.append(args.use_thing)
    model = create_model(args.model, num_classes=3, drop_block_rate=None)
    config = resolve_data_config({"interpolation": "bilinear"}, model=model)
    found.append([*config["input_size"], *config["mean"], *config["std"], config["crop_pct"]])
    dataset = create_dataset("", root="data", split="validation", is_training=False)
    loader = create_loader(
        dataset, input_size=config["input_size"], batch_size=4, is_training=False, use_prefetcher=False,
        interpolation=config["interpolation"], mean=config["mean"], std=config["std"], num_workers=0,
        crop_pct=config["crop_pct"], persistent_workers=False,
    )
    found.append([len(loader), len(loader.dataset)])
    optimizer = create_optimizer_v2(model, **optimizer_kwargs(cfg=args))
    found.append([len(group["params"]) for group in create_optimizer(args, model).param_groups])
    schedule, epochs = create_scheduler(args, optimizer)
    output = get_outdir("out", "train", safe_model_name("small-b"), inc=True)
    saver = CheckpointSaver(model, optimizer, args=args, checkpoint_dir=output, recovery_dir=output, max_history=2)
    losses = AverageMeter()
    for epoch in range(4):
        model.train()
        for number, (images, targets) in enumerate(loader):
            loss = LabelSmoothingCrossEntropy(0.1)(model(images), targets)
            optimizer.zero_grad()
            loss.backward()
            dispatch_clip_grad(model_parameters(model, exclude_head=False), value=1.0)
            optimizer.step()
            losses.update(loss.item(), images.size(0))
            saver.save_recovery(epoch, batch_idx=number)
        schedule.step(epoch + 1)
        best = saver.save_checkpoint(epoch, metric=[1.0, 3.0, 2.0, 0.5][epoch])
        update_summary(epoch, {"loss": losses.avg}, {"top1": 2.0}, f"{output}/summary.csv", write_header=epoch == 0)
        found.append([losses.avg, float(optimizer.param_groups[0]["lr"]), *best])
    with open(f"{output}/summary.csv") as file:
        found.append([float(row["train_loss"]) for row in csv.DictReader(file)])
    found.append([len([name for name in os.listdir(output) if name.startswith("checkpoint")])])
    kept = [value.sum().item() for value in model_parameters(model)]
    again = create_model("small")
    found.append(resume_checkpoint(again, f"{output}/last.pth.tar"))
    found.append([value.sum().item() for value in model_parameters(again)] == kept)
    load_checkpoint(again, f"{output}/model_best.pth.tar", use_ema=False)
    found.append([value.sum().item() for value in model_parameters(again, exclude_head=True)])


def losses():
    x = torch.cos(torch.arange(24.0)).reshape(6, 4)
    y = torch.tensor([0, 1, 2, 3, 1, 0])
    found.append(JsdCrossEntropy(num_splits=3, smoothing=0.1)(x, y).item())
    found.append(JsdCrossEntropy(num_splits=2, smoothing=0)(x, y).item())
    found.append(BinaryCrossEntropy(smoothing=0.2)(x, y).item())
    found.append(BinaryCrossEntropy(target_threshold=0.5)(x, SoftTargetCrossEntropy()(x, x) * 0 + x).item())
    np.random.seed(1)
    mixed = FastCollateMixup(0.8, 0.0, label_smoothing=0.1, num_classes=4)
    found.append(mixed([(np.full((3, 2, 2), n, "uint8"), n) for n in range(4)])[1].tolist())


train()
losses()
print("FOUND " + json.dumps(found))
"""
# Schedules in the manner of Swin Transformer and SimMIM: by updates, with classes of their own on timm's base.
SCHEDULES = """import argparse
import json
import math

import torch
import torch.nn as nn
from timm.scheduler import PolyLRScheduler, TanhLRScheduler, create_scheduler, create_scheduler_v2, scheduler_kwargs
from timm.scheduler.cosine_lr import CosineLRScheduler
from timm.scheduler.multistep_lr import MultiStepLRScheduler
from timm.scheduler.scheduler import Scheduler
from timm.scheduler.step_lr import StepLRScheduler

found = []


class LinearLRScheduler(Scheduler):
    def __init__(self, optimizer, t_initial, lr_min_rate, warmup_t=0, warmup_lr_init=0.0, t_in_epochs=True):
        super().__init__(optimizer, param_group_field="lr", noise_range_t=None, initialize=True)
        self.t_initial, self.lr_min_rate, self.t_in_epochs = t_initial, lr_min_rate, t_in_epochs
        self.warmup_t, self.warmup_lr_init = warmup_t, warmup_lr_init
        self.warmup_steps = [(v - warmup_lr_init) / warmup_t for v in self.base_values]
        super().update_groups(self.warmup_lr_init)

    def _get_lr(self, t):
        if t < self.warmup_t:
            return [self.warmup_lr_init + t * s for s in self.warmup_steps]
        t, total = t - self.warmup_t, self.t_initial - self.warmup_t
        return [v - v * (1 - self.lr_min_rate) * (t / total) for v in self.base_values]

    def get_epoch_values(self, epoch: int):
        return self._get_lr(epoch) if self.t_in_epochs else None

    def get_update_values(self, num_updates: int):
        return self._get_lr(num_updates) if not self.t_in_epochs else None


class Decay(Scheduler):
    def __init__(self, optimizer):
        super().__init__(optimizer, "weight_decay")

    def _get_lr(self, t):
        return [value * 0.5**t for value in self.base_values]


class Wave(CosineLRScheduler):
    def _get_lr(self, t):
        return [rate * 2 for rate in super()._get_lr(t)]


def optimizer():
    net = nn.Linear(2, 2)
    groups = [{"params": [net.weight], "lr_scale": 0.5}, {"params": [net.bias], "lr": 0.2, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.1, weight_decay=0.05)


def rates(made, times=range(14)):
    for time in times:
        made.step(time)
        found.append([float(group["lr"]) for group in made.optimizer.param_groups])
        made.step_update(time * 3)
        found.append([float(group["lr"]) for group in made.optimizer.param_groups])
    other = type(made).__new__(type(made))
    other.load_state_dict(made.state_dict())
    found.append(list(other.base_values))


warm = {"warmup_t": 3, "warmup_lr_init": 1e-3}
rates(LinearLRScheduler(optimizer(), 12, 0.01, 3, 1e-3, t_in_epochs=False))
rates(LinearLRScheduler(optimizer(), 12, 0.01, 3, 1e-3))
rates(CosineLRScheduler(optimizer(), t_initial=12, lr_min=1e-3, cycle_limit=1, t_in_epochs=False, **warm))
rates(CosineLRScheduler(optimizer(), 4, 1e-3, cycle_mul=2.0, cycle_decay=0.5, cycle_limit=2, k_decay=0.8))
rates(CosineLRScheduler(optimizer(), 4, cycle_decay=0.5, cycle_limit=3, warmup_prefix=True, **warm))
rates(Wave(optimizer(), 10, noise_range_t=None, noise_pct=0.67, noise_std=1.0, noise_seed=42))
rates(PolyLRScheduler(optimizer(), 10, power=0.9, lr_min=1e-3, **warm))
rates(TanhLRScheduler(optimizer(), 10, lr_min=1e-3, **warm))
rates(TanhLRScheduler(optimizer(), 10, lb=-4.0, ub=4.0, warmup_prefix=True, **warm))
rates(StepLRScheduler(optimizer(), decay_t=4, decay_rate=0.1, **warm))
rates(StepLRScheduler(optimizer(), 4, 0.1, warmup_prefix=False, t_in_epochs=False, **warm))
rates(MultiStepLRScheduler(optimizer(), decay_t=[4, 9], decay_rate=0.1, **warm))
found.append(CosineLRScheduler(optimizer(), 4, cycle_mul=2.0, cycle_limit=3).get_cycle_length())
made = Decay(optimizer())
made.step(2)
found.append([group["weight_decay"] for group in made.optimizer.param_groups])
for sched in ("cosine", "tanh", "step", "multistep", "poly"):
    args = argparse.Namespace(
        sched=sched, epochs=10, decay_epochs=3, decay_milestones=[2, 5], decay_rate=0.3, min_lr=1e-3, warmup_lr=1e-4,
        warmup_epochs=2, cooldown_epochs=4,
    )
    by_updates = {"sched_on_updates": True, "lr_cycle_limit": 2, "lr_cycle_decay": 0.5}
    for options in ({}, {"warmup_prefix": True}, by_updates):
        every = argparse.Namespace(**vars(args), **options)
        made, epochs = create_scheduler(every, optimizer(), updates_per_epoch=3)
        found.append(epochs)
        rates(made)
        found.append(create_scheduler_v2(optimizer(), **scheduler_kwargs(every), updates_per_epoch=2)[1])
print("FOUND " + json.dumps(found))
"""
WITH_TORCHVISION = """import runpy, sys
from mindport.probes.oracle.torchvision_import import import_torchvision
import_torchvision()
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def numbers(printed):
    """What a program found, as one list of numbers."""

    def flat(value):
        return [one for part in value for one in flat(part)] if isinstance(value, list) else [float(value)]

    line = next(line for line in printed.splitlines() if line.startswith("FOUND "))
    return np.array(flat(json.loads(line[6:])))


@pytest.fixture(scope="module", params=[PROGRAM, SCRIPT, SCHEDULES], ids=["engine", "script", "schedules"])
def program(request):
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory, program):
    made = tmp_path_factory.mktemp("project")
    (made / "main.py").write_text(program, "utf-8")
    return made


@pytest.fixture(scope="module")
def expected(folder):
    return numbers(printed_by(folder, "-c", WITH_TORCHVISION, "main.py"))


def test_in_torch(program, expected, tmp_path):
    """The text that a port begins with, which is torch still."""
    parts = parts_of("timm")
    imports = LibraryImports(program, parts)
    (tmp_path / "timm_parts.py").write_text(parts.source(imports.names), "utf-8")
    (tmp_path / "main.py").write_text(with_edits(program, imports.edits("")), "utf-8")
    found = numbers(printed_by(tmp_path, "-c", WITH_TORCHVISION, "main.py"))
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_ported(folder, expected, tmp_path):
    ported(folder, tmp_path / "port")
    assert "import torch\n" not in (tmp_path / "port/timm_parts.py").read_text("utf-8")
    found = numbers(printed_by(tmp_path / "port", "main.py"))
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-4)
