import argparse
import copy

import numpy as np
import torch
from PIL import Image

from models import SiT, get_2d_sincos_pos_embed
from train import center_crop_arr, requires_grad, update_ema
from train_utils import parse_ode_args, parse_sde_args, parse_transport_args
from transport import Sampler, create_transport
from transport.utils import EasyDict, log_state, mean_flat

SIZES = {"input_size": 8, "patch_size": 2, "hidden_size": 24, "depth": 2, "num_heads": 3, "num_classes": 5}


def build():
    return SiT(class_dropout_prob=0.0, **SIZES), SiT(**SIZES), SiT(learn_sigma=False, **SIZES)


def batch(seed, count=3):
    rng = np.random.RandomState(seed)
    latent, noise = (torch.from_numpy(rng.randn(count, 4, 8, 8).astype("float32")) for _ in range(2))
    times = torch.from_numpy(rng.uniform(0.1, 0.9, count).astype("float32"))
    return latent, noise, times, torch.from_numpy(rng.randint(0, 5, count))


def plans():
    """All paths, forms and conversions of the transport."""
    latent, noise, times, _ = batch(3)
    found = []
    for path in ("Linear", "GVP", "VP"):
        plan = create_transport(path, "velocity").path_sampler
        _, between, velocity = plan.plan(times, noise, latent)
        found += [between, velocity, *plan.compute_drift(between, times)]
        found += [
            plan.get_score_from_velocity(velocity, between, times),
            plan.get_noise_from_velocity(velocity, between, times),
        ]
        found.append(plan.get_velocity_from_score(velocity, between, times))
        for form in ("SBDM", "sigma", "linear", "decreasing", "inccreasing-decreasing"):
            found.append(plan.compute_diffusion(between, times, form=form, norm=0.7))
    return found


def stochastic(net, method, last_step, path="Linear", prediction="velocity"):
    """Without noise: its norm is nothing."""
    latent, _, _, labels = batch(4)
    sampler = Sampler(create_transport(path, prediction))
    sample = sampler.sample_sde(
        sampling_method=method, diffusion_form="sigma", diffusion_norm=0.0, last_step=last_step, num_steps=4
    )
    with torch.no_grad():
        return sample(latent, net.forward, y=labels)


def guided(net):
    latent, _, times, labels = batch(5)
    double = torch.cat([labels, torch.tensor([5] * 3)], 0)
    with torch.no_grad():
        return net.forward_with_cfg(
            torch.cat([latent, latent], 0), torch.cat([times, times], 0), double, cfg_scale=3.0
        )


def drifts(net):
    latent, _, times, labels = batch(6)
    found = []
    for prediction in ("velocity", "score", "noise"):
        transport = create_transport("GVP", prediction)
        found.append(transport.get_drift()(latent, times, net, y=labels))
        found.append(transport.get_score()(latent, times, net, y=labels))
    return found


def cropped():
    pixels = np.random.RandomState(7).randint(0, 255, (50, 90, 3)).astype("uint8")
    return np.asarray(center_crop_arr(Image.fromarray(pixels), 16)).astype("float32")


def options():
    parser = argparse.ArgumentParser()
    parse_transport_args(parser)
    parse_sde_args(parser)
    return parser.parse_args(
        ["--path-type", "GVP", "--last-step", "None", "--sampling-method", "Heun", "--train-eps", "0.01"]
    )


def said():
    args = options()
    parse_ode_args(argparse.ArgumentParser())
    easy = EasyDict({"first": 1.5, "second": 2.5})
    return [args.train_eps, args.diffusion_norm, easy["second"], len(log_state({"b": 1, "a": 2.5}))]


def forward(net, dropped, plain):
    for one in (net, dropped, plain):
        one.eval()
    latent, _, times, labels = batch(1)
    return {
        "net": net(latent, times, labels),
        "plain": plain(latent, times, labels),
        "guided": lambda: guided(dropped),
        "plans": lambda: plans(),
        "drifts": lambda: drifts(net),
        "euler": lambda: stochastic(net, "Euler", "Mean"),
        "heun": lambda: stochastic(net, "Heun", "Tweedie", "GVP", "score"),
        "without": lambda: stochastic(plain, "Euler", None, "VP", "noise"),
        "prior": lambda: create_transport().prior_logp(latent),
        "mean": lambda: mean_flat(latent),
        "embedded": lambda: get_2d_sincos_pos_embed(8, 3, cls_token=True, extra_tokens=1),
        "cropped": lambda: cropped(),
        "said": lambda: said(),
        "dropping": lambda: dropped.y_embedder.token_drop(labels, torch.tensor([1, 0, 1])),
    }


def fixed(transport, seed):
    latent, noise, times, labels = batch(seed)
    transport.sample = lambda seen: (times, noise, seen)
    return latent, labels


def train(net, dropped, plain):
    averaged = copy.deepcopy(net)
    requires_grad(averaged, False)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0)
    update_ema(averaged, net, decay=0)
    net.train()
    averaged.eval()
    losses = []
    settings = [
        ("Linear", "velocity", None),
        ("GVP", "noise", "velocity"),
        ("VP", "score", "likelihood"),
        ("Linear", "noise", None),
    ]
    for step, one in enumerate(settings):
        transport = create_transport(*one)
        latent, labels = fixed(transport, 10 + step)
        loss = transport.training_losses(net, latent, dict(y=labels))["loss"].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update_ema(averaged, net, 0.9)
        losses.append(loss.item())
    torch.save(
        {"model": net.state_dict(), "ema": averaged.state_dict(), "opt": optimizer.state_dict()}, "0000004.pt"
    )
    kept = torch.load("0000004.pt")
    plain.load_state_dict(
        {
            name: value
            for name, value in kept["ema"].items()
            if "final_layer.linear" not in name and "y_embedder" not in name
        },
        strict=False,
    )
    return {
        "losses": losses,
        "modulated": kept["ema"]["blocks.0.adaLN_modulation.1.weight"],
        "attention": kept["model"]["blocks.1.attn.qkv.weight"],
        "label": net.y_embedder.embedding_table.weight,
        "position": net.pos_embed,
        "loaded": plain.blocks[0].mlp.fc1.weight,
    }


def init():
    net = SiT(**SIZES)
    return {
        "proj": net.x_embedder.proj.weight,
        "time": net.t_embedder.mlp[0].weight,
        "qkv": net.blocks[0].attn.qkv.weight,
    }
