import os
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "rtdetr_pytorch"))

import src.nn  # noqa: E402, F401
import src.optim  # noqa: E402, F401
import src.zoo  # noqa: E402, F401
from src.core import YAMLConfig  # noqa: E402
from src.solver.det_engine import train_one_epoch  # noqa: E402

SETTINGS = """
task: detection
model: RTDETR
criterion: SetCriterion
postprocessor: RTDETRPostProcessor
num_classes: 5
use_focal_loss: True

RTDETR:
  backbone: PResNet
  encoder: HybridEncoder
  decoder: RTDETRTransformer

PResNet:
  depth: 18
  variant: d
  freeze_at: {freeze}
  return_idx: [1, 2, 3]
  num_stages: 4
  freeze_norm: {norm}
  pretrained: False

HybridEncoder:
  in_channels: [128, 256, 512]
  feat_strides: [8, 16, 32]
  hidden_dim: 32
  use_encoder_idx: [2]
  num_encoder_layers: 1
  nhead: 4
  dim_feedforward: 48
  dropout: 0.
  enc_act: 'gelu'
  expansion: 0.5
  depth_mult: 0.34
  act: 'silu'
  eval_spatial_size: {size}

RTDETRTransformer:
  feat_channels: [32, 32, 32]
  feat_strides: [8, 16, 32]
  hidden_dim: 32
  nhead: 4
  dim_feedforward: 48
  num_levels: 3
  num_queries: 12
  num_decoder_layers: 2
  num_denoising: 10
  label_noise_ratio: 0.
  box_noise_scale: 0.
  eval_idx: -1
  learnt_init_query: {learnt}
  eval_spatial_size: {size}

RTDETRPostProcessor:
  num_top_queries: 6

SetCriterion:
  weight_dict: {{loss_vfl: 1, loss_bbox: 5, loss_giou: 2, loss_bce: 1}}
  losses: [{losses}, 'boxes', ]
  alpha: 0.75
  gamma: 2.0
  matcher:
    type: HungarianMatcher
    weight_dict: {{cost_class: 2, cost_bbox: 5, cost_giou: 2}}
    alpha: 0.25
    gamma: 2.0

use_ema: True
ema:
  type: ModelEMA
  decay: 0.99
  warmups: 20

clip_max_norm: 0.1

optimizer:
  type: AdamW
  params:
    -
      params: '^(?=.*backbone)(?=.*norm).*$'
      weight_decay: 0.
      lr: 0.00001
    -
      params: '^(?=.*encoder(?=.*bias|.*norm.*weight)).*$'
      weight_decay: 0.
  lr: 0.0001
  betas: [0.9, 0.999]
  weight_decay: 0.0001

lr_scheduler:
  type: MultiStepLR
  milestones: [1]
  gamma: 0.1
"""


def configured(size="[64, 64]", norm=True, freeze=0, learnt=False, losses="'vfl'"):
    path = os.path.join(tempfile.mkdtemp(), "config.yml")
    with open(path, "w") as f:
        f.write(SETTINGS.format(size=size, norm=norm, freeze=freeze, learnt=learnt, losses=losses))
    return YAMLConfig(path)


KINDS = ({}, {"size": "null", "norm": False, "freeze": -1, "learnt": True, "losses": "'bce'"})


def build():
    return tuple(configured(**kind).model for kind in KINDS)


def pictures(seed, size=64):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, size, size).astype("float32"))


def boxes(seed):
    rng, targets = np.random.RandomState(seed), []
    for number in (3, 1):
        centre, extent = rng.uniform(0.3, 0.7, (number, 2)), rng.uniform(0.1, 0.5, (number, 2))
        targets.append({
            "labels": torch.from_numpy(rng.randint(0, 5, number)),
            "boxes": torch.from_numpy(np.concatenate([centre, extent], 1).astype("float32")),
        })  # fmt: skip
    return targets


def forward(fixed, free):
    fixed.eval()
    free.eval()

    def found():
        outputs = fixed(pictures(1))
        kept = {name: value.detach().clone() for name, value in outputs.items() if name.startswith("pred")}
        results = configured().postprocessor(kept, torch.tensor([[64, 64], [48, 80]]))
        return [value for result in results for value in result.values()]

    def judged():
        criterion = configured().criterion
        losses = criterion(fixed(pictures(3)), boxes(3))
        return list(losses.values())

    return {
        "fixed": lambda: list(fixed(pictures(1)).values()),
        "free": lambda: list(free(pictures(2, 96)).values()),
        "found": found,
        "judged": judged,
    }


def trained(net, kind):
    config = configured(**kind)
    config._model = net
    optimizer, schedule, ema, criterion = config.optimizer, config.lr_scheduler, config.ema, config.criterion
    results = []
    for epoch in range(2):
        batches = [(pictures(10 * epoch + i), boxes(10 * epoch + i)) for i in range(2)]
        stats = train_one_epoch(
            net, criterion, batches, optimizer, torch.device("cpu"), epoch, config.clip_max_norm, print_freq=1, ema=ema
        )
        schedule.step()
        results += [stats[name] for name in sorted(stats) if name.startswith("loss") or name == "lr"]
    weights = dict(net.named_parameters())
    saved = ema.state_dict()
    return [
        results,
        weights["decoder.dec_score_head.1.weight"],
        weights["encoder.input_proj.0.0.weight"],
        weights["backbone.res_layers.2.blocks.0.branch2a.conv.weight"],
        saved["module"]["encoder.lateral_convs.0.conv.weight"],
        saved["updates"],
    ]


def train(fixed, free):
    return {"fixed": lambda: trained(fixed, KINDS[0]), "free": lambda: trained(free, KINDS[1])}


def init():
    net = configured().model
    return {
        "backbone": net.backbone.res_layers[2].blocks[0].branch2a.conv.weight,
        "projection": net.encoder.input_proj[2][0].weight,
        "attention": net.encoder.encoder[0].layers[0].self_attn.in_proj_weight,
        "offsets": net.decoder.decoder.layers[0].cross_attn.sampling_offsets.bias,
        "classes": net.decoder.denoising_class_embed.weight,
    }
