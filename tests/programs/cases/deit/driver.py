import argparse
from functools import partial

import numpy as np
import torch
import torch.nn as nn
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.optim import create_optimizer
from timm.scheduler import create_scheduler
from timm.utils import ModelEma, NativeScaler

import cait_models
import models
import models_v2
import resmlp_models
from engine import evaluate, train_one_epoch
from losses import DistillationLoss
from main import get_args_parser

CLASSES = 10
SMALL = {"img_size": 32, "patch_size": 8, "embed_dim": 24, "depth": 2, "num_classes": CLASSES}
NORM = partial(nn.LayerNorm, eps=1e-6)


def pictures(seed, size=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 32, 32).astype("float32"))


def batches(number, size=4):
    rng = np.random.RandomState(3)
    return [(pictures(seed, size), torch.from_numpy(rng.randint(0, CLASSES, size))) for seed in range(number)]


def build():
    deit = models.DistilledVisionTransformer(
        **SMALL, num_heads=3, mlp_ratio=2, qkv_bias=True, norm_layer=NORM
    )
    second = models_v2.vit_models(
        **SMALL, num_heads=3, mlp_ratio=2, qkv_bias=True, norm_layer=NORM,
        block_layers=models_v2.Layer_scale_init_Block,
    )  # fmt: skip
    parallel = models_v2.vit_models(
        **SMALL,
        num_heads=3,
        mlp_ratio=2,
        qkv_bias=True,
        norm_layer=NORM,
        block_layers=models_v2.Block_paralx2,
    )
    cait = cait_models.cait_models(
        **SMALL, num_heads=3, mlp_ratio=2, qkv_bias=True, norm_layer=NORM, init_scale=1e-1, depth_token_only=1
    )
    resmlp = resmlp_models.resmlp_models(**SMALL, init_scale=0.1)
    return deit, second, parallel, cait, resmlp


def forward(*nets):
    outputs = {}
    for name, net in zip(("deit", "second", "parallel", "cait", "resmlp"), nets):
        net.eval()
        outputs[name] = lambda net=net: net(pictures(7))
    return outputs


def options(*more):
    parser = argparse.ArgumentParser("DeiT", parents=[get_args_parser()])
    return parser.parse_args(["--batch-size", "4", "--epochs", "8", "--lr", "1e-3", "--device", "cpu", *more])


def trained(net, criterion, args, mixup=None):
    optimizer = create_optimizer(args, net)
    scheduler, _ = create_scheduler(args, optimizer)
    ema = ModelEma(net, decay=0.9)
    np.random.seed(0)
    stats = []
    for epoch in range(5, 7):
        scheduler.step(epoch)
        stats.append(
            train_one_epoch(
                net, criterion, batches(3), optimizer, torch.device("cpu"), epoch, NativeScaler(), 1.0, ema, mixup,
                args=args,
            )
        )  # fmt: skip
    scores = evaluate(batches(2), net, torch.device("cpu"))
    return {
        "losses": [one["loss"] for one in stats],
        "rates": [one["lr"] for one in stats],
        "scores": list(scores.values()),
        "head": net.head.weight,
        "position": net.pos_embed,
        "ema": ema.ema.head.weight,
    }


def train(deit, second, *others):
    teacher = others[0].eval()
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=CLASSES)
    soft = DistillationLoss(SoftTargetCrossEntropy(), teacher, "soft", 0.5, 2.0)

    def distilled():
        return list(trained(deit, soft, options("--drop-path", "0"), mixup).values())

    def cosub():
        args = options("--cosub", "--bce-loss", "--opt", "sgd", "--drop-path", "0")
        return list(trained(second, None, args, mixup).values())

    return {"distilled": distilled, "cosub": cosub}
