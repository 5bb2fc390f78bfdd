import argparse

import numpy as np
import torch

from datasets.ray_utils import get_ndc_rays, get_rays
from losses import loss_dict
from metrics import mse, psnr
from models.nerf import Embedding, NeRF
from models.rendering import render_rays
from utils import get_learning_rate, get_optimizer, get_scheduler

hparams = argparse.Namespace(
    optimizer="adam", lr=5e-4, momentum=0.9, weight_decay=0.0, lr_scheduler="steplr", decay_step=[3], decay_gamma=0.5,
    num_epochs=4, poly_exp=0.9, warmup_epochs=2, warmup_multiplier=2.0,
)  # fmt: skip
embeddings = [Embedding(3, 10), Embedding(3, 4)]


def build():
    return NeRF(D=4, W=32, skips=[2]), NeRF(D=4, W=32, skips=[2])


def ray_directions(rows, columns, focal):
    i, j = np.meshgrid(np.arange(columns), np.arange(rows))
    directions = np.stack([(i - columns / 2) / focal, -(j - rows / 2) / focal, -np.ones_like(i)], -1)
    return torch.from_numpy(directions.astype("float32"))


def rays(seed=0):
    pose = np.concatenate([np.eye(3), [[0.1], [0.2], [4.0]]], 1) + 0.01 * np.random.RandomState(seed).randn(
        3, 4
    )
    origins, directions = get_rays(ray_directions(4, 5, 6.0), torch.from_numpy(pose.astype("float32")))
    near, far = 2.0 * torch.ones_like(origins[:, :1]), 6.0 * torch.ones_like(origins[:, :1])
    return torch.cat([origins, directions, near, far], 1)


def colors(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(20, 3).astype("float32"))


def render(models, batch, **settings):
    return render_rays(
        list(models), embeddings, batch, N_samples=8, noise_std=0, N_importance=8, chunk=64, **settings
    )


def forward(*models):
    batch = rays()
    results = {}
    for name in ["rgb_coarse", "depth_coarse", "opacity_coarse", "rgb_fine", "depth_fine", "opacity_fine"]:
        results[name] = lambda name=name: render(models, batch, white_back=True)[name]
    return {
        "embedded": embeddings[0](batch[:, :3]),
        **results,
        "disparity": lambda: render(models, batch, use_disp=True)["rgb_fine"],
        "test": lambda: render(models, batch, test_time=True)["opacity_coarse"],
        "sigma": lambda: models[0](embeddings[0](batch[:, :3]), sigma_only=True),
        "ndc": lambda: get_ndc_rays(4, 5, 6.0, 1.0, batch[:, :3], batch[:, 3:6]),
        "psnr": lambda: psnr(colors(1), colors(2), colors(3)[:, 0] > 0.5),
        "mse": lambda: mse(colors(1), colors(2), reduction="none"),
    }


def trained(models, **changes):
    settings = argparse.Namespace(**{**vars(hparams), **changes})
    loss_function = loss_dict["mse"]()
    optimizer = get_optimizer(settings, models)
    scheduler = get_scheduler(settings, optimizer)
    losses, rates = [], []
    for step in range(4):
        batch, rgbs = rays(step), colors(step)
        results = render(models, batch)
        loss = loss_function(results, rgbs)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        rates.append(get_learning_rate(optimizer))
        scheduler.step()
    return losses + rates


def fresh_copy(models):
    copies = build()
    for copy, model in zip(copies, models):
        copy.load_state_dict(model.state_dict())
    return copies


def train(*models):
    others = [fresh_copy(models) for _ in range(3)]
    return {
        "adam": lambda: trained(models),
        "adam_weight": lambda: models[1].rgb[0].weight,
        "radam": lambda: trained(others[0], optimizer="radam", lr_scheduler="cosine"),
        "radam_weight": lambda: others[0][1].rgb[0].weight,
        "ranger": lambda: trained(others[1], optimizer="ranger", lr_scheduler="cosine"),
        "ranger_weight": lambda: others[1][1].rgb[0].weight,
        "sgd": lambda: trained(others[2], optimizer="sgd", lr=0.1, warmup_epochs=0),
        "sgd_weight": lambda: others[2][1].rgb[0].weight,
    }
