from copy import deepcopy

import numpy as np
import timm.models.vision_transformer
import torch
import torch.nn as nn


class PatchEmbed(nn.Module):
    """Stands for timm's."""

    def __init__(self, img_size, patch_size, in_chans, embed_dim, bias=True):
        super().__init__()
        self.patch_size = (patch_size, patch_size)
        self.num_patches = (img_size // patch_size) ** 2
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size, bias=bias)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class Attention(nn.Module):
    """Stands for timm's."""

    def __init__(self, dim, num_heads=8, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4).unbind(0)
        x = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        return self.proj(x.transpose(1, 2).reshape(B, N, C))


class Mlp(nn.Module):
    """Stands for timm's."""

    def __init__(self, in_features, hidden_features=None, act_layer=nn.GELU, drop=0.0):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = act_layer()
        self.drop = nn.Dropout(drop)
        self.fc2 = nn.Linear(hidden_features, in_features)

    def forward(self, x):
        return self.fc2(self.drop(self.act(self.fc1(x))))


timm.models.vision_transformer.PatchEmbed = PatchEmbed
timm.models.vision_transformer.Attention = Attention
timm.models.vision_transformer.Mlp = Mlp

from diffusion import create_diffusion
from diffusion.timestep_sampler import create_named_schedule_sampler
from models import DiT
from train import requires_grad, update_ema


def build():
    return DiT(input_size=8, patch_size=2, in_channels=4, hidden_size=32, depth=2, num_heads=4, num_classes=10)


def batch(seed, size=4):
    rng = np.random.RandomState(seed)
    x = torch.from_numpy(rng.uniform(-1, 1, (size, 4, 8, 8)).astype("float32"))
    noise = torch.from_numpy(rng.randn(size, 4, 8, 8).astype("float32"))
    return x, noise, torch.from_numpy(rng.randint(0, 10, size).astype("int64"))


def init():
    torch.manual_seed(1)
    model = DiT(input_size=8, hidden_size=64, depth=2, num_heads=4, num_classes=100)
    return {
        "patch": model.x_embedder.proj.weight,
        "table": model.y_embedder.embedding_table.weight,
        "t": model.t_embedder.mlp[0].weight,
        "qkv": model.blocks[0].attn.qkv.weight,
    }


def forward(model):
    model.eval()
    x, noise, y = batch(0)
    t = torch.tensor([0, 20, 500, 999])
    process = create_diffusion(timestep_respacing="")
    ids = torch.tensor([1, 0, 0, 1])

    def sample():
        """As sample.main does it, with DDIM, which draws nothing."""
        diffusion = create_diffusion("ddim4")
        z = torch.cat([noise, noise], 0)
        y_null = torch.tensor([10] * len(y), device="cpu")
        model_kwargs = dict(y=torch.cat([y, y_null], 0), cfg_scale=4.0)
        with torch.no_grad():
            samples = diffusion.ddim_sample_loop(
                model.forward_with_cfg, z.shape, z, clip_denoised=False, model_kwargs=model_kwargs,
                progress=False, device="cpu",
            )  # fmt: skip
        samples, _ = samples.chunk(2, dim=0)
        return samples

    def bits():
        with torch.no_grad():
            return process._vb_terms_bpd(model, x, process.q_sample(x, t, noise), t, model_kwargs=dict(y=y))["output"]

    return {
        "model": model(x, t, y),
        "cfg": lambda: model.forward_with_cfg(x, t, y, 1.5),
        "dropped": lambda: model.y_embedder(y, False, force_drop_ids=ids),
        "position": model.pos_embed,
        "posterior": process.q_posterior_mean_variance(x, noise, t)[0],
        "prior": lambda: process._prior_bpd(x),
        "bits": bits,
        "sample": sample,
    }


def train(model):
    """The steps of train.main, which itself wants a GPU."""
    np.random.seed(2)
    ema = deepcopy(model)
    requires_grad(ema, False)
    diffusion = create_diffusion(timestep_respacing="")
    sampler = create_named_schedule_sampler("uniform", diffusion)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0)
    update_ema(ema, model, decay=0)
    model.train()
    ema.eval()
    model.y_embedder.dropout_prob = 0  # it draws
    losses = []
    for step in range(4):
        x, noise, y = batch(step)
        t, weights = sampler.sample(x.shape[0], "cpu")
        loss_dict = diffusion.training_losses(model, x, t, dict(y=y), noise=noise)
        loss = (loss_dict["loss"] * weights).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        update_ema(ema, model, decay=0.9)
        losses.append(loss.item())
    checkpoint = {"model": model.state_dict(), "ema": ema.state_dict(), "opt": opt.state_dict()}
    return {
        "losses": losses,
        "weight": model.blocks[0].attn.qkv.weight,
        "ema": checkpoint["ema"]["final_layer.linear.weight"],
        "position": model.pos_embed,
    }
