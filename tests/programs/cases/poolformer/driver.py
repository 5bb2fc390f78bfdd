import argparse

import numpy as np
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2, optimizer_kwargs
from timm.scheduler import create_scheduler
from timm.utils import ModelEmaV2

from models.poolformer import LayerNormChannel, PoolFormer
from train import parser, train_one_epoch, validate

CLASSES = 10
WIDTHS = {"layers": [1, 2, 1, 1], "embed_dims": [8, 16, 16, 24], "mlp_ratios": [2, 2, 2, 2]}


def pictures(seed, size=4):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 64, 64).astype("float32"))


def batches(number):
    rng = np.random.RandomState(3)
    return [(pictures(seed), torch.from_numpy(rng.randint(0, CLASSES, 4))) for seed in range(number)]


def build():
    downsamples = [True, True, True, True]
    pool = PoolFormer(**WIDTHS, downsamples=downsamples, num_classes=CLASSES, layer_scale_init_value=0.1)
    norm = PoolFormer(
        **WIDTHS,
        downsamples=downsamples,
        num_classes=CLASSES,
        norm_layer=LayerNormChannel,
        use_layer_scale=False,
    )
    features = PoolFormer(**WIDTHS, downsamples=downsamples, fork_feat=True)
    return pool, norm, features


def forward(*nets):
    outputs = {}
    for name, net in zip(("pool", "norm"), nets):
        net.eval()
        outputs[name] = lambda net=net: net(pictures(7))
    nets[2].eval()
    return {**outputs, "features": lambda: nets[2](pictures(8))}


def trained(net, *more):
    args = parser.parse_args(
        ["data", "--batch-size", "4", "--lr", "1e-3", "--epochs", "8", "--clip-grad", "1", *more]
    )
    args.prefetcher, args.distributed, args.local_rank, args.world_size = False, False, 0, 1
    optimizer = create_optimizer_v2(net, **optimizer_kwargs(cfg=args))
    scheduler, _ = create_scheduler(args, optimizer)
    ema = ModelEmaV2(net, decay=0.9)
    loss = LabelSmoothingCrossEntropy(smoothing=args.smoothing)
    losses = []
    for epoch in range(5, 7):
        scheduler.step(epoch)
        losses.append(
            train_one_epoch(
                epoch, net, batches(3), optimizer, loss, args, lr_scheduler=scheduler, model_ema=ema
            )["loss"]
        )  # fmt: skip
    scores = validate(net, batches(2), torch.nn.CrossEntropyLoss(), args)
    return {
        "losses": losses,
        "scores": list(scores.values()),
        "head": net.head.weight,
        "first": net.patch_embed.proj.weight,
        "ema": ema.module.head.weight,
        "rate": optimizer.param_groups[0]["lr"],
    }


def train(pool, norm, features):
    return {
        "pool": lambda: list(trained(pool).values()),
        "norm": lambda: list(trained(norm, "--opt", "momentum", "--weight-decay", "1e-4").values()),
    }
