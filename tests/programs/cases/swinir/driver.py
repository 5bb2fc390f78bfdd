import timm.models.layers
import numpy as np
import torch
import torch.nn as nn

timm.models.layers.to_2tuple = lambda x: tuple(x) if isinstance(x, (tuple, list)) else (x, x)
timm.models.layers.trunc_normal_ = nn.init.trunc_normal_

from models.network_swinir import SwinIR  # noqa: E402
from utils import util_calculate_psnr_ssim as measures  # noqa: E402

small = {"window_size": 4, "img_range": 1.0, "depths": [2, 2], "embed_dim": 12, "num_heads": [2, 2], "mlp_ratio": 2}


def build():
    return (
        SwinIR(upscale=2, img_size=8, drop_path_rate=0.0, upsampler="pixelshuffle", resi_connection="1conv", **small),
        SwinIR(upscale=2, img_size=8, drop_path_rate=0.0, upsampler="pixelshuffledirect", ape=True, **small),
        SwinIR(upscale=4, img_size=8, drop_path_rate=0.0, upsampler="nearest+conv", resi_connection="3conv", **small),
        SwinIR(upscale=1, in_chans=1, img_size=8, drop_path_rate=0.0, upsampler="", use_checkpoint=True, **small),
    )


def images(seed, channels=3, size=8):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, channels, size, size).astype("float32"))


def init():
    torch.manual_seed(1)
    net = build()[0]
    return {
        "qkv": net.layers[0].residual_group.blocks[0].attn.qkv.weight,
        "table": net.layers[0].residual_group.blocks[1].attn.relative_position_bias_table,
    }


def forward(classical, light, real, gray):
    for net in (classical, light, real, gray):
        net.eval()
    picture = np.random.RandomState(3).randint(0, 256, (24, 24, 3))
    return {
        "classical": lambda: classical(images(0)),
        "padded": lambda: classical(images(1, size=10)[:, :, :, :9]),
        "light": lambda: light(images(0)),
        "real": lambda: real(images(0)),
        "gray": lambda: gray(images(0, 1)),
        "psnr": lambda: measures.calculate_psnr(picture, 255 - picture, 2),
        "no_decay": len(classical.no_weight_decay() | classical.no_weight_decay_keywords()),
        "mask": lambda: classical.layers[0].residual_group.blocks[1].attn_mask,
    }


class Charbonnier(nn.Module):
    """The repository trains in KAIR, whose loss this is."""

    def __init__(self, eps=1e-9):
        super().__init__()
        self.eps = eps

    def forward(self, x, y):
        diff = x - y
        return torch.mean(torch.sqrt((diff * diff) + self.eps))


def fit(net, inputs, targets, criterion):
    net.train()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-4, weight_decay=0)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 2], gamma=0.5)
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = criterion(net(inputs[step]), targets[step])
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses, optimizer.param_groups[0]["lr"]


def train(classical, light, real, gray):
    inputs = [images(step) for step in range(3)]
    losses, rate = fit(classical, inputs, [images(10 + step, size=16) for step in range(3)], nn.L1Loss())
    light_losses, _ = fit(light, inputs, [images(10 + step, size=16) for step in range(3)], Charbonnier())
    gray_losses, _ = fit(gray, [images(s, 1) for s in range(3)], [images(20 + s, 1) for s in range(3)], Charbonnier())
    real_losses, _ = fit(real, inputs, [images(30 + step, size=32) for step in range(3)], nn.L1Loss())
    return {
        "losses": losses,
        "rate": rate,
        "light_losses": light_losses,
        "gray_losses": gray_losses,
        "real_losses": real_losses,
        "table": classical.layers[0].residual_group.blocks[1].attn.relative_position_bias_table,
        "qkv": classical.layers[1].residual_group.blocks[0].attn.qkv.weight,
        "last": classical.conv_last.weight,
        "position": light.absolute_pos_embed,
        "gray_first": gray.conv_first.weight,
        "real_up": real.conv_up1.weight,
    }
