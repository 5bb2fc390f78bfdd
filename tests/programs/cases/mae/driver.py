import argparse
from functools import partial

import numpy as np
import timm.models.vision_transformer
import torch
import torch.nn as nn


class PatchEmbed(nn.Module):
    """Stands for timm's."""

    def __init__(self, img_size, patch_size, in_chans, embed_dim):
        super().__init__()
        self.patch_size = (patch_size, patch_size)
        self.num_patches = (img_size // patch_size) ** 2
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class Block(nn.Module):
    """Stands for timm's."""

    def __init__(self, dim, num_heads, mlp_ratio, qkv_bias, qk_scale, norm_layer):
        super().__init__()
        self.num_heads = num_heads
        self.norm1 = norm_layer(dim)
        self.qkv = nn.Linear(dim, 3 * dim, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)
        self.norm2 = norm_layer(dim)
        self.mlp = nn.Sequential(
            nn.Linear(dim, int(dim * mlp_ratio)), nn.GELU(), nn.Linear(int(dim * mlp_ratio), dim)
        )

    def forward(self, x):
        B, N, C = x.shape
        qkv = (
            self.qkv(self.norm1(x))
            .reshape(B, N, 3, self.num_heads, C // self.num_heads)
            .permute(2, 0, 3, 1, 4)
        )
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * (C // self.num_heads) ** -0.5
        x = x + self.proj((attn.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, N, C))
        return x + self.mlp(self.norm2(x))


timm.models.vision_transformer.PatchEmbed = PatchEmbed
timm.models.vision_transformer.Block = Block

import engine_finetune
import engine_pretrain
import models_mae
from util.lars import LARS
from util.lr_decay import param_groups_lrd
from util.misc import NativeScalerWithGradNormCount as NativeScaler

args = argparse.Namespace(
    accum_iter=2, mask_ratio=0.5, lr=1e-3, min_lr=1e-5, warmup_epochs=1, epochs=4, weight_decay=0.05
)


def build():
    mae = models_mae.MaskedAutoencoderViT(
        img_size=32, patch_size=8, embed_dim=32, depth=2, num_heads=4, decoder_embed_dim=16, decoder_depth=1,
        decoder_num_heads=2, mlp_ratio=2, norm_layer=partial(nn.LayerNorm, eps=1e-6), norm_pix_loss=True,
    )  # fmt: skip
    # What main_linprobe puts in place of a classifier's head.
    head = nn.Sequential(
        nn.Flatten(), nn.BatchNorm1d(3 * 32 * 32, affine=False, eps=1e-6), nn.Linear(3 * 32 * 32, 5)
    )
    return mae, head


def init():
    torch.manual_seed(1)
    mae = models_mae.MaskedAutoencoderViT(
        img_size=32, patch_size=8, embed_dim=256, depth=1, num_heads=4, decoder_embed_dim=256, decoder_depth=1,
        decoder_num_heads=4, mlp_ratio=2,
    )  # fmt: skip
    return {
        "patch_embed": mae.patch_embed.proj.weight,
        "pos_embed": mae.pos_embed,
        "cls_token": mae.cls_token,
        "mlp": mae.blocks[0].mlp[0].weight,
    }


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(4, 3, 32, 32).astype("float32"))


def forward(mae, head):
    mae.eval()
    head.eval()
    loss, pred, mask = mae(images(0), mask_ratio=0.5)
    latent, _, ids_restore = mae.forward_encoder(images(1), 0.25)
    return {
        "loss": loss,
        "pred": pred,
        "mask": mask,
        "latent": latent,
        "restored": mae.unpatchify(mae.forward_decoder(latent, ids_restore)),
        "patches": mae.patchify(images(2)),
        "head": head(images(3)),
    }


def train(mae, head):
    device = torch.device("cpu")
    groups = param_groups_lrd(mae, args.weight_decay, no_weight_decay_list=["cls_token"], layer_decay=0.75)
    optimizer = torch.optim.AdamW(groups, lr=args.lr, betas=(0.9, 0.95))
    scaler = NativeScaler()
    losses, rates = [], []
    for epoch in range(2):
        loader = [(images(10 * epoch + step), None) for step in range(4)]
        stats = engine_pretrain.train_one_epoch(mae, loader, optimizer, device, epoch, scaler, args=args)
        losses.append(stats["loss"])
        rates.extend(group["lr"] for group in optimizer.param_groups)

    optimizer = LARS(head.parameters(), lr=0.1, weight_decay=0.01)
    scaler = NativeScaler()
    head_losses = []
    for epoch in range(2):
        loader = [(images(20 + epoch + step), torch.tensor([0, 4, 2, 1])) for step in range(2)]
        stats = engine_finetune.train_one_epoch(
            head, nn.CrossEntropyLoss(), loader, optimizer, device, epoch, scaler, max_norm=None, args=args
        )
        head_losses.append(stats["loss"])
    return {
        "losses": losses,
        "rates": rates,
        "head_losses": head_losses,
        "qkv": mae.blocks[0].qkv.weight,
        "mask_token": mae.mask_token,
        "head_weight": head[2].weight,
    }
