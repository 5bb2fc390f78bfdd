import argparse
import os
import sys

import numpy as np
import timm.models.layers
import torch
import torch.nn as nn
import torch.optim as optim

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


class DropPath(nn.Module):
    """Stands for timm's."""

    def __init__(self, drop_prob=None):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        if not self.training or not self.drop_prob:
            return x
        keep = torch.rand(x.shape[0], 1, 1, device=x.device) >= self.drop_prob
        return x * keep.to(x.dtype) / (1 - self.drop_prob)


timm.models.layers.DropPath = DropPath
timm.models.layers.to_2tuple = lambda x: x if isinstance(x, tuple) else (x, x)
timm.models.layers.trunc_normal_ = nn.init.trunc_normal_

import utils  # noqa: E402
from losses import CharbonnierLoss, TVLoss, tv_loss  # noqa: E402
from model import SepConv2d, UNet, Uformer, eca_layer, eca_layer_1d  # noqa: E402
from options import Options  # noqa: E402
from utils.antialias import Downsample as BlurPool  # noqa: E402
from utils.antialias import Downsample1D  # noqa: E402
from utils.dataset_utils import Augment_RGB_torch  # noqa: E402
from warmup_scheduler import GradualWarmupScheduler  # noqa: E402

opt = Options().init(argparse.ArgumentParser()).parse_args(
    ["--arch", "Uformer_T", "--train_ps", "32", "--nepoch", "4", "--warmup", "--warmup_epochs", "1"]
)


class NativeScaler:
    """Stands for timm's."""

    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters=None):
        self._scaler.scale(loss).backward()
        self._scaler.step(optimizer)
        self._scaler.update()


def uformer(**kwargs):
    return Uformer(
        img_size=32, embed_dim=4, depths=[1, 1, 2, 1, 1, 1, 2, 1, 1], num_heads=[1, 2, 2, 2, 2, 2, 2, 2, 2], win_size=4,
        drop_path_rate=0.0, **kwargs,
    )  # fmt: skip


def build():
    return (
        uformer(token_projection="linear", token_mlp="leff", modulator=True),
        uformer(token_projection="linear", token_mlp="ffn", cross_modulator=True),
        UNet(dim=4),
        nn.ModuleList([eca_layer(6), eca_layer_1d(6), SepConv2d(6, 4, 3, padding=1)]),
    )


def images(seed, size=32, count=2):
    rng = np.random.RandomState(seed)
    clean = rng.rand(count, 3, size, size).astype("float32")
    noisy = np.clip(clean + 0.1 * rng.randn(*clean.shape), 0, 1).astype("float32")
    return torch.from_numpy(clean), torch.from_numpy(noisy)


def augmented():
    augment = Augment_RGB_torch()
    picture = images(8, 6)[0][0]
    names = [name for name in dir(augment) if name.startswith("transform")]
    return [getattr(augment, name)(picture) for name in names]


def forward(net, crossed, unet, parts):
    for each in (net, crossed, unet, parts):
        each.eval()
    clean, noisy = images(0)
    mask = torch.from_numpy((np.random.RandomState(4).rand(1, 1, 32, 32) < 0.3).astype("float32"))
    features = torch.from_numpy(np.random.RandomState(5).randn(2, 6, 8, 8).astype("float32"))
    outputs = {
        "net": lambda: net(noisy),
        "masked": lambda: net(noisy, mask),
        "crossed": lambda: crossed(noisy),
        "unet": lambda: unet(noisy),
        "eca": lambda: parts[0](features),
        "eca_1d": lambda: parts[1](features.flatten(2).transpose(1, 2)),
        "separable": lambda: parts[2](features),
        "charbonnier": lambda: CharbonnierLoss()(clean, noisy),
        "tv": lambda: [TVLoss(0.5)(noisy), tv_loss(noisy)],
        "psnr": lambda: [utils.batch_PSNR(noisy, clean), utils.batch_PSNR(noisy, clean, False)],
        "augmented": augmented,
        "ssim": lambda: utils.calculate_ssim(clean[0].permute(1, 2, 0).numpy() * 255, noisy[0].permute(1, 2, 0).numpy() * 255, 2),
        "flops": lambda: net.flops(),
        "arch": lambda: sum(p.numel() for p in utils.get_arch(opt).parameters()),
    }  # fmt: skip
    for filt in (1, 3, 4, 5):
        outputs[f"blurred_{filt}"] = lambda filt=filt: BlurPool(filt_size=filt, channels=6)(features)
    outputs["blurred_1d"] = lambda: Downsample1D(filt_size=3, channels=6)(features.flatten(2))
    return outputs


def trained(net, epochs=3, steps=2):
    optimizer = optim.AdamW(net.parameters(), lr=opt.lr_initial, betas=(0.9, 0.999), eps=1e-8, weight_decay=opt.weight_decay)
    net = torch.nn.DataParallel(net)
    scheduler_cosine = optim.lr_scheduler.CosineAnnealingLR(optimizer, opt.nepoch - opt.warmup_epochs, eta_min=1e-6)
    scheduler = GradualWarmupScheduler(
        optimizer, multiplier=1, total_epoch=opt.warmup_epochs, after_scheduler=scheduler_cosine
    )
    scheduler.step()
    criterion = CharbonnierLoss()
    loss_scaler = NativeScaler()
    losses, rates = [], []
    net.train()
    for epoch in range(1, epochs + 1):
        epoch_loss = 0
        for i in range(steps):
            optimizer.zero_grad()
            target, input_ = images(10 * epoch + i)
            with torch.cuda.amp.autocast():
                restored = net(input_)
                loss = criterion(restored, target)
            loss_scaler(loss, optimizer, parameters=net.parameters())
            epoch_loss += loss.item()
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
        losses.append(epoch_loss)
        torch.save(
            {"epoch": epoch, "state_dict": net.state_dict(), "optimizer": optimizer.state_dict()}, "model_latest.pth"
        )
    return losses, rates, optimizer


def train(net, crossed, unet, parts):
    losses, rates, optimizer = trained(net)
    again = uformer(token_projection="linear", token_mlp="leff", modulator=True)
    utils.load_checkpoint(again, "model_latest.pth")
    lr = utils.load_optim(optimizer, "model_latest.pth")
    epoch = utils.load_start_epoch("model_latest.pth")
    utils.freeze(unet)
    frozen = utils.is_frozen(unet)
    utils.unfreeze(unet)
    unet_losses, _, _ = trained(unet, epochs=2)
    return {
        "losses": losses,
        "rates": rates,
        "resumed": [lr, epoch, float(frozen)],
        "unet_losses": unet_losses,
        "modulator": again.decoderlayer_0.blocks[0].modulator.weight,
        "bias_table": again.encoderlayer_2.blocks[1].attn.relative_position_bias_table,
        "output": again.output_proj.proj[0].weight,
        "unet": unet.ConvBlock5.block[0].weight,
    }


def init():
    torch.manual_seed(0)
    net = Uformer(img_size=64, embed_dim=16, depths=[1] * 9, num_heads=[4] * 9, win_size=8, modulator=True)
    return {
        "table": net.encoderlayer_0.blocks[0].attn.relative_position_bias_table,
        "qkv": net.encoderlayer_3.blocks[0].attn.qkv.to_kv.weight,
        "modulator": net.decoderlayer_0.blocks[0].modulator.weight,
    }
