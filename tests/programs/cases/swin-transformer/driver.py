import argparse
import logging
import math
import os

import numpy as np
import torch

import timm.models.layers

timm.models.layers.to_2tuple = lambda x: tuple(x) if isinstance(x, (tuple, list)) else (x, x)

import main
from config import get_config
from models import build_model
from optimizer import build_optimizer
from utils import NativeScalerWithGradNormCount

os.environ["LOCAL_RANK"] = "0"
small = [
    "DATA.IMG_SIZE", 32, "MODEL.NUM_CLASSES", 10, "MODEL.DROP_PATH_RATE", 0.0, "MODEL.LABEL_SMOOTHING", 0.0,
    "AUG.MIXUP", 0.0, "TRAIN.BASE_LR", 1e-3, "TRAIN.CLIP_GRAD", 5.0, "AMP_ENABLE", False,
]
swin_config = get_config(argparse.Namespace(
    cfg="configs/swin/swin_tiny_patch4_window7_224.yaml",
    opts=[*small, "MODEL.SWIN.PATCH_SIZE", 2, "MODEL.SWIN.EMBED_DIM", 16, "MODEL.SWIN.DEPTHS", [2, 2],
          "MODEL.SWIN.NUM_HEADS", [2, 4], "MODEL.SWIN.WINDOW_SIZE", 4],
))
swinv2_config = get_config(argparse.Namespace(
    cfg="configs/swinv2/swinv2_tiny_patch4_window8_256.yaml",
    opts=[*small, "MODEL.SWINV2.PATCH_SIZE", 2, "MODEL.SWINV2.EMBED_DIM", 16, "MODEL.SWINV2.DEPTHS", [2, 2],
          "MODEL.SWINV2.NUM_HEADS", [2, 4], "MODEL.SWINV2.WINDOW_SIZE", 4, "TRAIN.ACCUMULATION_STEPS", 2],
))
main.logger = logging.getLogger("swin")


class Meter:
    """As timm's AverageMeter; all of them are kept."""

    made = []

    def __init__(self):
        self.values = []
        self.counts = []
        Meter.made.append(self)

    def update(self, value, count=1):
        self.values.append(float(value))
        self.counts.append(count)

    @property
    def val(self):
        return self.values[-1] if self.values else 0.0

    @property
    def avg(self):
        return sum(v * n for v, n in zip(self.values, self.counts)) / max(sum(self.counts), 1)


main.AverageMeter = Meter


class CosineSchedule:
    """As timm's CosineLRScheduler without a warm-up."""

    def __init__(self, optimizer, steps, lr_min):
        self.optimizer, self.steps, self.lr_min = optimizer, steps, lr_min
        self.base_values = [group["lr"] for group in optimizer.param_groups]

    def step_update(self, num_updates):
        for group, base in zip(self.optimizer.param_groups, self.base_values):
            part = 0.5 * (1 + math.cos(math.pi * num_updates / self.steps))
            group["lr"] = self.lr_min + (base - self.lr_min) * part


def build():
    return build_model(swin_config), build_model(swinv2_config)


def samples(seed):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(4, 3, 32, 32).astype("float32"))
    return images, torch.from_numpy(rng.randint(0, 10, 4))


def forward(swin, swinv2):
    swin.eval()
    swinv2.eval()
    images = samples(0)[0]
    with torch.no_grad():
        return {
            "features": swin.forward_features(images),
            "logits": swin(images),
            "v2_features": lambda: swinv2.forward_features(images),
            "v2_logits": lambda: swinv2(images),
        }


def trained(config, model, seed):
    optimizer = build_optimizer(config, model)
    data_loader = [samples(seed + step) for step in range(4)]
    lr_scheduler = CosineSchedule(optimizer, 4 * config.TRAIN.EPOCHS, config.TRAIN.MIN_LR)
    Meter.made.clear()
    main.train_one_epoch(
        config, model, torch.nn.CrossEntropyLoss(), data_loader, optimizer, 0, None, lr_scheduler,
        NativeScalerWithGradNormCount(),
    )
    _, loss_meter, norm_meter, _ = Meter.made
    return [*loss_meter.values, *norm_meter.values]


def train(swin, swinv2):
    return {
        "losses": trained(swin_config, swin, 10),
        "head": swin.head.weight,
        "bias_table": swin.layers[0].blocks[1].attn.relative_position_bias_table,
        "v2_losses": lambda: trained(swinv2_config, swinv2, 20),
        "v2_scale": lambda: swinv2.layers[0].blocks[0].attn.logit_scale,
    }
