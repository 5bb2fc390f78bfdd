import argparse
import os

import numpy as np
import torch
import torch.utils.data as data

from datasets import data_transform, inverse_data_transform
from functions import get_optimizer
from functions.losses import loss_registry
from main import dict2namespace
from models.diffusion import Model
from models.ema import EMAHelper
from runners.diffusion import Diffusion

config = dict2namespace(
    {
        "data": {
            "dataset": "CIFAR10", "image_size": 8, "channels": 3, "logit_transform": False,
            "uniform_dequantization": False, "gaussian_dequantization": False, "random_flip": True, "rescaled": True,
            "num_workers": 0,
        },
        "model": {
            "type": "simple", "in_channels": 3, "out_ch": 3, "ch": 32, "ch_mult": [1, 2], "num_res_blocks": 1,
            "attn_resolutions": [4], "dropout": 0.0, "var_type": "fixedlarge", "ema_rate": 0.9, "ema": True,
            "resamp_with_conv": True,
        },
        "diffusion": {
            "beta_schedule": "linear", "beta_start": 0.0001, "beta_end": 0.02, "num_diffusion_timesteps": 100,
        },
        "training": {"batch_size": 4, "n_epochs": 2, "snapshot_freq": 2},
        "sampling": {"batch_size": 2, "last_only": True},
        "optim": {
            "weight_decay": 0.0, "optimizer": "Adam", "lr": 0.0002, "beta1": 0.9, "amsgrad": False, "eps": 1e-8,
            "grad_clip": 1.0,
        },
    }
)  # fmt: skip
config.device = torch.device("cpu")
args = argparse.Namespace(sample_type="generalized", skip_type="uniform", timesteps=4, eta=0.0, log_path=".")


def build():
    return Model(config)


def init():
    torch.manual_seed(1)
    model = Model(config)
    return {"conv": model.mid.block_1.conv1.weight, "temb": model.temb.dense[1].weight}


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def images(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, 3, 8, 8).astype("float32"))


def quad(runner, model):
    runner.args = argparse.Namespace(**{**vars(args), "skip_type": "quad"})
    return runner.sample_image(numbers(4, 2, 3, 8, 8), model)


def forward(model):
    model.eval()
    runner = Diffusion(args, config, device=config.device)
    x = numbers(0, 2, 3, 8, 8)
    return {
        "betas": runner.betas,
        "logvar": runner.logvar,
        "noise": model(x, torch.tensor([3.0, 70.0])),
        "sampled": lambda: inverse_data_transform(config, runner.sample_image(x, model)),
        "sampled_quad": lambda: quad(runner, model),
    }


def train(model):
    """The loop of Diffusion.train, with noise and time steps that are made up here."""
    runner = Diffusion(args, config, device=config.device)
    dataset = data.TensorDataset(images(1, 8), torch.zeros(8))
    train_loader = data.DataLoader(
        dataset, batch_size=config.training.batch_size, shuffle=False, num_workers=config.data.num_workers
    )
    model = model.to(runner.device)
    model = torch.nn.DataParallel(model)

    optimizer = get_optimizer(config, model.parameters())

    ema_helper = EMAHelper(mu=config.model.ema_rate)
    ema_helper.register(model)

    losses = []
    start_epoch, step = 0, 0
    for epoch in range(start_epoch, config.training.n_epochs):
        for i, (x, y) in enumerate(train_loader):
            n = x.size(0)
            model.train()
            step += 1

            x = x.to(runner.device)
            x = data_transform(config, x)
            e = numbers(10 + step, *x.shape)
            b = runner.betas

            # antithetic sampling
            t = torch.from_numpy(np.random.RandomState(20 + step).randint(0, runner.num_timesteps, n // 2 + 1))
            t = torch.cat([t, runner.num_timesteps - t - 1], dim=0)[:n]
            loss = loss_registry[config.model.type](model, x, t, e, b)
            losses.append(loss.item())

            optimizer.zero_grad()
            loss.backward()

            try:
                torch.nn.utils.clip_grad_norm_(model.parameters(), config.optim.grad_clip)
            except Exception:
                pass
            optimizer.step()

            if config.model.ema:
                ema_helper.update(model)

            if step % config.training.snapshot_freq == 0 or step == 1:
                states = [
                    model.state_dict(),
                    optimizer.state_dict(),
                    epoch,
                    step,
                ]
                if config.model.ema:
                    states.append(ema_helper.state_dict())

                torch.save(states, os.path.join(args.log_path, "ckpt_{}.pth".format(step)))
                torch.save(states, os.path.join(args.log_path, "ckpt.pth"))

    averaged = Model(config)
    averaged = torch.nn.DataParallel(averaged)
    states = torch.load(os.path.join(args.log_path, "ckpt.pth"), map_location=config.device)
    averaged.load_state_dict(states[0], strict=True)
    ema_helper = EMAHelper(mu=config.model.ema_rate)
    ema_helper.register(averaged)
    ema_helper.load_state_dict(states[-1])
    ema_helper.ema(averaged)
    averaged.eval()
    return {
        "losses": losses,
        "conv_in": model.module.conv_in.weight,
        "averaged": averaged.module.conv_in.weight,
        "temb": model.module.temb.dense[0].weight,
        "sampled": runner.sample_image(numbers(5, 2, 3, 8, 8), averaged),
    }
