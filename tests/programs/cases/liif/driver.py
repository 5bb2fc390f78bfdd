import copy
import os
import pathlib

import numpy as np
import torch
from PIL import Image

import datasets
import models
import train_liif
import utils
from test import batched_predict, eval_psnr

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
ENCODER = {"name": "edsr-baseline", "args": {"n_resblocks": 2, "n_feats": 8, "no_upsampling": True}}
IMNET = {"name": "mlp", "args": {"out_dim": 3, "hidden_list": [16, 16]}}
MODEL = {"name": "liif", "args": {"encoder_spec": ENCODER, "imnet_spec": IMNET}}
NORM = {"inp": {"sub": [0.5], "div": [0.5]}, "gt": {"sub": [0.5], "div": [0.5]}}
HALVED = {"name": "sr-implicit-downsampled", "args": {"scale_min": 2}}
KEYS = ("inp", "coord", "cell", "gt")
PAIRED = {"name": "sr-implicit-paired", "args": {}}


def build():
    encoders = [
        {
            "name": "rcan",
            "args": {
                "n_resgroups": 1,
                "n_resblocks": 2,
                "n_feats": 16,
                "reduction": 4,
                "no_upsampling": True,
            },
        },
        {"name": "rdn", "args": {"G0": 8, "RDNconfig": "A", "scale": 2}},
    ]
    plain = {
        "name": "liif",
        "args": {
            "encoder_spec": encoders[0],
            "imnet_spec": IMNET,
            "local_ensemble": False,
            "feat_unfold": False,
        },
    }
    return models.make(MODEL), models.make(plain), models.make(encoders[1])


def images():
    rng = np.random.RandomState(0)
    for folder, size in (("high", 24), ("low", 12)):
        os.makedirs(folder, exist_ok=True)
        for number in range(3):
            coarse = Image.fromarray(rng.randint(0, 255, (5, 5, 3)).astype("uint8"))
            coarse.resize((size, size), Image.BICUBIC).save(f"{folder}/{number}.png")


def batch(seed, count=2):
    rng = np.random.RandomState(seed)
    low = torch.from_numpy(rng.rand(count, 3, 8, 10).astype("float32"))
    coord = utils.make_coord((14, 12)).unsqueeze(0).repeat(count, 1, 1)
    cell = torch.ones_like(coord)
    cell[:, :, 0] *= 2 / 14
    cell[:, :, 1] *= 2 / 12
    return low, coord, cell


def sampled():
    images()
    paired = {"name": "paired-image-folders", "args": {"root_path_1": "low", "root_path_2": "high"}}
    folder = datasets.make(
        {"name": "image-folder", "args": {"root_path": "high", "repeat": 2, "cache": "in_memory"}}
    )
    halved = datasets.make(HALVED, args={"dataset": folder})
    pairs = datasets.make(PAIRED, args={"dataset": datasets.make(paired)})
    return [halved[4][key] for key in KEYS] + [pairs[1][key] for key in KEYS]


def forward(liif, plain, rdn):
    liif.eval()
    plain.eval()
    low, coord, cell = batch(1)
    rng = np.random.RandomState(2)
    first, second = (torch.from_numpy(rng.rand(2, 3, 20, 22).astype("float32")) for _ in range(2))
    return {
        "liif": liif(low, coord, cell),
        "plain": plain(low, coord, cell),
        "rdn": lambda: rdn(low),
        "batched": lambda: batched_predict(liif, low, coord, cell, 50),
        "pixels": lambda: utils.to_pixel_samples(low[0]),
        "coord": lambda: utils.make_coord((3, 4), ranges=[[0, 1], [-2, 2]], flatten=False),
        "psnr": lambda: [utils.calc_psnr(first, second, kind, 2) for kind in (None, "benchmark", "div2k")],
        "sampled": lambda: sampled(),
        "parameters": lambda: [utils.compute_num_params(liif), len(utils.compute_num_params(rdn, text=True))],
    }


def train(liif, plain, rdn):
    images()
    spec = copy.deepcopy(MODEL)
    spec["sd"] = liif.state_dict()
    optimizer = {"name": "adam", "args": {"lr": 1e-3}}
    begun = copy.deepcopy(optimizer)
    begun["sd"] = utils.make_optimizer(liif.parameters(), optimizer).state_dict()
    torch.save({"model": spec, "optimizer": begun, "epoch": 0}, "begin.pth")
    folder = {"name": "image-folder", "args": {"root_path": "high"}}
    paired = {"name": "paired-image-folders", "args": {"root_path_1": "low", "root_path_2": "high"}}
    config = {
        "train_dataset": {"dataset": folder, "wrapper": HALVED, "batch_size": 2},
        "val_dataset": {"dataset": paired, "wrapper": PAIRED, "batch_size": 1},
        "data_norm": NORM,
        "model": copy.deepcopy(MODEL),
        "optimizer": copy.deepcopy(optimizer),
        "epoch_max": 2,
        "epoch_val": 1,
        "epoch_save": 2,
        "eval_type": "benchmark-2",
        "eval_bsize": 300,
        "multi_step_lr": {"milestones": [1], "gamma": 0.5},
        "resume": "begin.pth",
    }
    train_liif.main(config, "_saved")
    last = torch.load("_saved/epoch-2.pth")
    trained = models.make(last["model"], load_sd=True)
    loader = train_liif.make_data_loader(config["val_dataset"], tag="val")
    log = pathlib.Path("_saved/log.txt").read_text().splitlines()
    return {
        "psnr": eval_psnr(loader, trained, NORM, "benchmark-2", verbose=True),
        "losses": [float(line.split("loss=")[1].split(",")[0]) for line in log if "loss=" in line],
        "rate": last["optimizer"]["sd"]["param_groups"][0]["lr"],
        "head": trained.encoder.head[0].weight,
        "last": trained.imnet.layers[4].bias,
    }


def init():
    net = models.make(MODEL)
    return {"head": net.encoder.body[0].body[0].weight, "imnet": net.imnet.layers[0].weight}
