import math
import os
import tempfile

import numpy as np
import torch
from configs.mnist import config
from meanflow import MeanFlow, Normalizer, adaptive_l2_loss
from models.dit import MFDiT, get_2d_sincos_pos_embed
from PIL import Image
from torch.utils.data import DataLoader, Dataset

from data import build_dataset, center_crop_arr, cycle

SIZES = {"input_size": 8, "patch_size": 2, "dim": 32, "depth": 2, "num_heads": 4}


def build():
    return MFDiT(in_channels=1, num_classes=10, max_cfg=7.5, **SIZES), MFDiT(
        in_channels=4, num_classes=None, **SIZES
    )


def batch(seed, channels, count=4):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.rand(count, channels, 8, 8).astype("float32"))
    times = np.sort(rng.rand(count, 2).astype("float32"), 1)
    labels = torch.from_numpy(rng.randint(0, 10, count))
    return images, torch.from_numpy(times[:, 1].copy()), torch.from_numpy(times[:, 0].copy()), labels


def pictures():
    """A folder of pictures, as the configuration for ImageNet loads it."""
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(0)
    for name in ("cat", "dog"):
        os.makedirs(os.path.join(folder, name))
        for number in range(2):
            picture = np.kron(rng.randint(0, 255, (5, 6, 3)), np.ones((6, 6, 1))).astype("uint8")
            Image.fromarray(picture).save(os.path.join(folder, name, f"{number}.png"))
    dataset = build_dataset({"dataset": "imagenet", "data_root": folder, "image_size": 12})
    cropped = center_crop_arr(
        Image.fromarray(np.random.RandomState(1).randint(0, 255, (50, 90, 3)).astype("uint8")), 16
    )
    images = [dataset[index][0].abs().sum() for index in range(4)]  # which flips leave as it is
    return [
        torch.stack(images),
        np.array([label for _, label in dataset]),
        np.asarray(cropped).astype("float32"),
    ]


def forward(labelled, free):
    labelled.eval()
    free.eval()
    images, t, r, y = batch(1, 1)
    latents = batch(2, 4)[0]

    def normalised():
        latent = Normalizer.from_list(["mean_std", [0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 0.5, 4.0]])
        plain = Normalizer.from_list(["minmax", None, None])
        return [
            latent.norm(latents),
            latent.unnorm(latents),
            plain.norm(images),
            plain.unnorm(images * 3 - 1),
        ]

    return {
        "labelled": lambda: list(labelled(images, t, r, y=y, w=t * 5)),
        "free": lambda: free(latents, t, r, return_v=False),
        "loss": lambda: adaptive_l2_loss(images - 0.4, gamma=0.5),
        "normalised": normalised,
        "places": lambda: get_2d_sincos_pos_embed(16, 4, cls_token=True, extra_tokens=1),
        "pictures": pictures,
    }


class Images(Dataset):
    def __init__(self, channels):
        self.images, _, _, self.labels = batch(7, channels, 8)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def trained(model, settings, labelled):
    """What the script's main block does, without the library that spreads it over GPUs."""
    np.random.seed(5)
    flow = MeanFlow(**settings)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    warmup, total, least = 1, 4, 0.1

    def lr_lambda(step):
        if step < warmup:
            return max(step, 1) / warmup
        progress = (step - warmup) / max(total - warmup, 1)
        return least + (1.0 - least) * 0.5 * (1.0 + math.cos(math.pi * progress))

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
    loader = cycle(
        DataLoader(Images(settings["channels"]), batch_size=4, shuffle=False, drop_last=True, num_workers=0)
    )
    shown = []
    model.train()
    for _ in range(total):
        x, c = next(loader)
        loss, mse_val = flow.loss(model, x, c if labelled else None)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), config["grad_clip"])
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        shown += [
            loss.item(),
            mse_val["fm_loss"].item(),
            mse_val["mf_v_mse"].item(),
            norm.item(),
            optimizer.param_groups[0]["lr"],
        ]
    return [
        np.array(shown),
        model.blocks[0].attn.qkv.weight,
        model.pos_embed,
        model.final_layer_u.linear.weight,
    ]


def train(labelled, free):
    shared = {"image_size": 8, "time_dist": ["lognorm", -0.4, 1.0]}
    first = {**shared, "channels": 1, "num_classes": 10, "mode": "i-meanflow", "cfg_scale": [1.0, 7.5]}
    second = {
        **shared,
        "channels": 4,
        "num_classes": None,
        "mode": "meanflow",
        "cfg_scale": None,
        "adaptive_l2_gamma": 0.3,
    }
    third = {
        **shared,
        "channels": 1,
        "num_classes": 10,
        "mode": "meanflow",
        "cfg_scale": 2.0,
        "time_dist": ["uniform"],
    }
    return {
        "labelled": lambda: trained(labelled, first, True),
        "free": lambda: trained(free, second, False),
        "fixed": lambda: trained(labelled, third, True),
    }


def init():
    net = MFDiT(in_channels=1, num_classes=10, input_size=8, patch_size=2, dim=128, depth=1, num_heads=4)
    return {
        "patches": net.x_embedder.proj.weight,
        "places": net.pos_embed,
        "labels": net.y_embedder.embedding.weight,
        "times": net.t_embedder.mlp[0].weight,
        "qkv": net.blocks[0].attn.qkv.weight,
        "zero": net.final_layer_v.linear.weight,
    }
