import copy
import logging
import os
import sys
from types import SimpleNamespace

import numpy as np
import timm.utils
import torch
import torch.nn as nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class AverageMeter:
    """Stands for timm's."""

    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


timm.utils.AverageMeter = AverageMeter

import main as program  # noqa: E402
from example_pspnet import PPM  # noqa: E402
from repvgg import RepVGG, repvgg_model_convert  # noqa: E402
from repvggplus import RepVGGplus  # noqa: E402
from repvggplus_custom_L2 import RepVGGplus as RepVGGplusL2  # noqa: E402
from tools.insert_bn import (  # noqa: E402
    directly_insert_bn_without_init,
    switch_bnstat_to_convbn,
    switch_repvggblock_to_bnstat,
)
from train.optimizer import build_optimizer  # noqa: E402
from utils import WarmupCosineAnnealingLR, accuracy  # noqa: E402

WIDTH = [0.25, 0.125, 0.125, 0.0625]


def build():
    return (
        RepVGG([1, 2, 2, 1], num_classes=7, width_multiplier=WIDTH, override_groups_map={2: 2, 4: 4}, use_se=True),
        RepVGGplus([1, 2, 2, 1], num_classes=7, width_multiplier=WIDTH, use_post_se=True),
        RepVGGplusL2([1, 1, 2, 1], num_classes=7, width_multiplier=WIDTH, use_checkpoint=True),
        PPM(8, 4, (1, 2, 3, 6), nn.BatchNorm2d),
    )


def batch(seed, count=4):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(count, 3, 64, 64).astype("float32"))
    return images, torch.from_numpy(rng.randint(0, 7, count))


def deployed(net):
    made = repvgg_model_convert(net, save_path="deployed.pth")
    made.eval()
    again = RepVGG(
        [1, 2, 2, 1], num_classes=7, width_multiplier=WIDTH, override_groups_map={2: 2, 4: 4}, deploy=True, use_se=True
    )
    again.load_state_dict(torch.load("deployed.pth"))
    again.eval()
    images = batch(1)[0]
    return [made(images), again(images), len(list(made.state_dict()))]


def with_statistics(net):
    made = repvgg_model_convert(net)
    made.eval()
    switch_repvggblock_to_bnstat(made)
    with torch.no_grad():
        recorded = [made(batch(seed)[0]) for seed in (2, 3)]
    switch_bnstat_to_convbn(made)
    made.eval()
    return [*recorded, made(batch(4)[0]), made.stage2[1].rbr_reparam.bn.running_var]


def inserted(net):
    made = repvgg_model_convert(net)
    directly_insert_bn_without_init(made)
    made.eval()
    names = [name for name, _ in made.named_parameters()]
    return [made(batch(6)[0]).shape[1], len(names), sum(p.numel() for p in made.parameters()), "stage1.0.rbr_reparam.bn.bias" in names]


def plus_deployed(net):
    made = copy.deepcopy(net)
    made.switch_repvggplus_to_deploy()
    return [sum(p.numel() for p in made.parameters()), made.deploy, hasattr(made, "stage1_aux")]


def forward(net, plus, custom, ppm):
    for each in (net, plus, custom, ppm):
        each.eval()
    images, labels = batch(0)
    return {
        "net": lambda: net(images),
        "plus": lambda: list(plus(images).values()),
        "custom": lambda: custom(images)["main"],
        "ppm": lambda: ppm(torch.from_numpy(np.random.RandomState(5).randn(2, 8, 12, 12).astype("float32"))),
        "kernel": lambda: list(net.stage2[1].get_equivalent_kernel_bias()),
        "custom_L2": lambda: net.stage1[0].get_custom_L2(),
        "deployed": lambda: deployed(net),
        "plus_deployed": lambda: plus_deployed(plus),
        "with_statistics": lambda: with_statistics(net),
        "inserted": lambda: inserted(net),
        "accuracy": lambda: accuracy(net(images), labels, topk=(1, 5)),
    }


def config(**train):
    made = dict(
        BASE_LR=0.05, WEIGHT_DECAY=0.05, EPOCHS=2, WARMUP_EPOCHS=0, CLIP_GRAD=0.0, ACCUMULATION_STEPS=0, EMA_ALPHA=0.2,
        EMA_UPDATE_PERIOD=1, OPTIMIZER=SimpleNamespace(NAME="sgd", MOMENTUM=0.9, EPS=1e-8, BETAS=(0.9, 0.999)),
    )  # fmt: skip
    made.update(train)
    return SimpleNamespace(
        TRAIN=SimpleNamespace(**made), DATA=SimpleNamespace(BATCH_SIZE=4), AMP_OPT_LEVEL="O0", PRINT_FREQ=2, LOCAL_RANK=0
    )


class Steps:
    """Stands for the scheduler that goes by steps, as the program calls it."""

    def __init__(self, optimizer):
        self.rates = []
        self.optimizer = optimizer

    def step_update(self, number):
        for group in self.optimizer.param_groups:
            group["lr"] = group["lr"] * 0.9
        self.rates.append(self.optimizer.param_groups[0]["lr"])


def program_train(net, made, norms):
    program.logger = logging.getLogger("program")
    program.get_grad_norm = lambda parameters, own=program.get_grad_norm: norms.append(own(parameters)) or norms[-1]
    optimizer = build_optimizer(made, net)
    steps = Steps(optimizer)
    program.train_one_epoch(
        made, net, nn.CrossEntropyLoss(), [batch(seed) for seed in (10, 11, 12, 13)], optimizer, 0, None, steps
    )
    return steps.rates


def train(net, plus, custom, ppm):
    norms = []
    rates = program_train(plus, config(), norms)
    rates += program_train(net, config(ACCUMULATION_STEPS=2, CLIP_GRAD=5.0), norms)
    optimizer = torch.optim.SGD(custom.parameters(), lr=0.01, momentum=0.9)
    scheduler = WarmupCosineAnnealingLR(optimizer, T_cosine_max=4, warmup=1)
    custom.train()
    losses = []
    for seed in (20, 21, 22):
        images, labels = batch(seed)
        outputs = custom(images)
        loss = 0
        for name, pred in outputs.items():
            if name == "L2":
                loss = loss + 1e-3 * 0.5 * pred
            else:
                loss = loss + nn.functional.cross_entropy(pred, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
        rates.append(optimizer.param_groups[0]["lr"])
    return {
        "norms": norms,
        "rates": rates,
        "losses": losses,
        "plus": plus.stage1.blocks[0].rbr_dense.conv.weight,
        "plus_identity": plus.stage3_second.blocks[0].rbr_identity.weight,
        "net": net.stage2[1].rbr_1x1.bn.running_mean,
        "linear": net.linear.weight,
        "custom": custom.linear.weight,
    }


def init():
    torch.manual_seed(0)
    net = RepVGG([1, 1, 1, 1], num_classes=100, width_multiplier=[1, 1, 1, 0.5])
    return {"linear": net.linear.weight, "dense": net.stage3[0].rbr_dense.conv.weight}
