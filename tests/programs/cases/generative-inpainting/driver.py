import os

import numpy as np
import torch
from model.networks import ContextualAttention, Conv2dBlock
from trainer import Trainer
from utils.tools import (
    extract_image_patches,
    get_config,
    local_patch,
    mask_image,
    random_bbox,
    reduce_mean,
    reduce_std,
    spatial_discounting_mask,
)

here = os.path.dirname(os.path.abspath(__file__))
config = get_config(os.path.join(here, "configs", "config.yaml"))
config.update(
    cuda=False, gpu_ids=None, netG={"input_dim": 3, "ngf": 4}, netD={"input_dim": 3, "ndf": 2}, n_critic=2, lr=0.001,
    mosaic_unit_size=8,
)  # fmt: skip


def build():
    trainer = Trainer(config)
    blocks = torch.nn.ModuleList(
        [
            Conv2dBlock(4, 6, 3, 1, conv_padding=1, weight_norm="wn", activation="selu"),
            Conv2dBlock(4, 6, 3, 2, padding=1, norm="in", activation="prelu", pad_type="reflect"),
            Conv2dBlock(4, 6, 3, 2, padding=1, norm="bn", activation="tanh", pad_type="replicate", transpose=True),
        ]
    )
    return trainer, blocks


def pictures(seed, count=2):
    rng = np.random.RandomState(seed)
    small = rng.rand(count, 3, 16, 16) * 2 - 1
    return torch.from_numpy(np.kron(small, np.ones((1, 1, 16, 16))).astype("float32"))


def batch(seed, **settings):
    made = {**config, **settings}
    ground_truth = pictures(seed)
    np.random.seed(seed)
    bboxes = random_bbox(made, batch_size=ground_truth.size(0))
    x, mask = mask_image(ground_truth, bboxes, made)
    return x, bboxes, mask, ground_truth


def attended():
    rng = np.random.RandomState(4)
    f = torch.from_numpy(rng.randn(2, 6, 16, 16).astype("float32"))
    b = torch.from_numpy(rng.randn(2, 6, 16, 16).astype("float32"))
    attention = ContextualAttention(ksize=3, stride=1, rate=2, fuse_k=3, softmax_scale=10, fuse=True, use_cuda=False)
    y, flow = attention(f, b)
    return [y, flow]


def forward(trainer, blocks):
    blocks.eval()
    trainer.eval()
    x, bboxes, mask, ground_truth = batch(0)
    features = torch.from_numpy(np.random.RandomState(2).randn(2, 4, 9, 9).astype("float32"))
    return {
        "inference": lambda: list(trainer.inference(x, mask)),
        "localD": lambda: trainer.localD(local_patch(ground_truth, bboxes)),
        "globalD": lambda: trainer.globalD(ground_truth),
        "mosaic": lambda: list(batch(1, mask_type="mosaic", mask_batch_same=False)),
        "attended": attended,
        "discounting": lambda: spatial_discounting_mask(config),
        "patches": lambda: extract_image_patches(features, [3, 2], [2, 1], [1, 2]),
        "means": lambda: [reduce_mean(features, axis=[1, 2]), reduce_mean(features), reduce_std(features, axis=[3])],
        "blocks": lambda: [block(features) for block in blocks],
        "penalty": lambda: trainer.calc_gradient_penalty(trainer.globalD, ground_truth, x),
    }


def train(trainer, blocks):
    # The steps of train.py; today's torch refuses to go back through weights that were stepped in between.
    kept = {}
    for iteration in range(1, 4):
        x, bboxes, mask, ground_truth = batch(10 + iteration)
        compute_g_loss = iteration % config["n_critic"] == 0
        losses, inpainted_result, offset_flow = trainer(x, bboxes, mask, ground_truth, compute_g_loss)
        for k in losses.keys():
            if not losses[k].dim() == 0:
                losses[k] = torch.mean(losses[k])

        if compute_g_loss:
            trainer.optimizer_g.zero_grad()
            losses["g"] = (
                losses["l1"] * config["l1_loss_alpha"]
                + losses["ae"] * config["ae_loss_alpha"]
                + losses["wgan_g"] * config["gan_loss_alpha"]
            )
            losses["g"].backward()

        trainer.optimizer_d.zero_grad()
        losses["d"] = losses["wgan_d"] + losses["wgan_gp"] * config["wgan_gp_lambda"]
        losses["d"].backward()
        trainer.optimizer_d.step()
        if compute_g_loss:
            trainer.optimizer_g.step()
        for k in ("l1", "ae", "wgan_g", "wgan_d", "wgan_gp", "g", "d"):
            kept.setdefault(k, []).append(float(losses.get(k, 0.0)))
    os.makedirs("checkpoints", exist_ok=True)
    trainer.save_model("checkpoints", 3)
    again = Trainer(config)
    iteration = again.resume("checkpoints", iteration=3)
    return {
        **kept,
        "iteration": iteration,
        "generator": again.netG.fine_generator.allconv17.conv.weight,
        "attention": again.netG.fine_generator.pmconv5.conv.weight,
        "local": again.localD.linear.weight,
        "global": trainer.globalD.dis_conv_module.conv2.conv.weight,
        "rates": [again.optimizer_d.param_groups[0]["lr"], float(len(again.optimizer_g.state_dict()["state"]))],
    }


def init():
    torch.manual_seed(0)
    trainer = Trainer(config)
    return {"local": trainer.localD.linear.weight, "conv": trainer.netG.coarse_generator.conv9_atrous.conv.weight}
