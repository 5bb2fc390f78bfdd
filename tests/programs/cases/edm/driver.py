import glob
import json
import os
import tempfile

import numpy as np
import torch
from PIL import Image

import dnnlib
from generate import edm_sampler
from torch_utils import misc
from training import training_loop as program
from training.loss import EDMLoss, VELoss, VPLoss
from training.networks import EDMPrecond, VEPrecond, VPPrecond, iDDPMPrecond

SMALL = {"model_channels": 8, "channel_mult": [1, 2], "num_blocks": 1, "attn_resolutions": [8], "dropout": 0.0}


def build():
    return (
        EDMPrecond(16, 3, label_dim=2, model_type="SongUNet", **SMALL),
        EDMPrecond(16, 3, label_dim=0, model_type="DhariwalUNet", **SMALL),
        VEPrecond(
            16, 3, model_type="SongUNet", embedding_type="positional", encoder_type="residual",
            channel_mult_noise=2, resample_filter=[1, 3, 3, 1], **SMALL
        ),
        VPPrecond(16, 3, model_type="SongUNet", decoder_type="skip", encoder_type="skip", **SMALL),
    )  # fmt: skip


def init():
    torch.manual_seed(1)
    net = EDMPrecond(16, 3, model_type="SongUNet", **{**SMALL, "model_channels": 32})
    other = EDMPrecond(16, 3, model_type="DhariwalUNet", **{**SMALL, "model_channels": 32})
    return {
        "first": net.model.enc["16x16_conv"].weight,
        "affine": net.model.enc["16x16_block0"].affine.weight,
        "mapped": net.model.map_layer0.weight,
        "other": other.model.enc["16x16_block0"].conv0.weight,
        "last": other.model.out_conv.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, other, song, skip):
    for one in (net, other, song, skip):
        one.eval()
    x, sigma, labels = array(1, 2, 3, 16, 16), torch.tensor([0.5, 3.0]), torch.eye(2)

    def sampled():
        return edm_sampler(net, array(2, 2, 3, 16, 16), labels, num_steps=3, sigma_max=8)

    def copied():
        fresh = EDMPrecond(16, 3, label_dim=2, model_type="SongUNet", **SMALL)
        misc.copy_params_and_buffers(net, fresh, require_all=True)
        return fresh.eval()(x, sigma, labels)

    def indices():
        net = iDDPMPrecond(16, 3, model_type="SongUNet", **SMALL)
        return [net.round_sigma(torch.tensor([[0.02, 60.0]]), return_index=True), net.alpha_bar(3), net.u[::100]]

    with torch.no_grad():
        return {
            "denoised": lambda: net(x, sigma, labels),
            "unlabelled": lambda: net(x, sigma),
            "other": lambda: other(x, sigma),
            "song": lambda: song(x, sigma),
            "skip": lambda: skip(x, sigma),
            "rounded": lambda: skip.round_sigma(torch.tensor([0.3, 2.0])),
            "index": indices,
            "sampled": sampled,
            "copied": copied,
            "losses": lambda: [loss(net, x, labels).mean() for loss in (EDMLoss(), VELoss(sigma_max=3), VPLoss())],
            "named": lambda: len(list(misc.named_params_and_buffers(net))),
            "easy": lambda: dnnlib.EasyDict(rate=2.0).rate,
        }


def written(folder):
    os.makedirs(f"{folder}/images")
    labels = []
    for row in range(6):
        pixels = np.random.RandomState(row).randint(0, 255, (16, 16, 3)).astype("uint8")
        Image.fromarray(pixels).save(f"{folder}/images/{row}.png")
        labels.append([f"{row}.png", row % 2])
    with open(f"{folder}/images/dataset.json", "w") as file:
        json.dump({"labels": labels}, file)


def run(net, folder, **given):
    make = dnnlib.util.construct_class_by_name
    dnnlib.util.construct_class_by_name = lambda class_name, **words: (
        net if class_name.startswith("training.networks") else make(class_name=class_name, **words)
    )
    labelled = net.label_dim > 0
    words = dnnlib.EasyDict(
        run_dir=folder, seed=1, batch_size=4, batch_gpu=2, total_kimg=0.014, ema_halflife_kimg=0.01, ema_rampup_ratio=None,
        lr_rampup_kimg=0.01, kimg_per_tick=0.004, snapshot_ticks=2, state_dump_ticks=2, device=torch.device("cpu"),
    )  # fmt: skip
    words.dataset_kwargs = dnnlib.EasyDict(
        class_name="training.dataset.ImageFolderDataset", path=f"{folder}/images", use_labels=labelled, xflip=True, cache=True
    )
    words.data_loader_kwargs = dnnlib.EasyDict(pin_memory=False, num_workers=0)
    words.network_kwargs = dnnlib.EasyDict(class_name="training.networks.EDMPrecond")
    words.loss_kwargs = dnnlib.EasyDict(class_name="training.loss.EDMLoss")
    words.optimizer_kwargs = dnnlib.EasyDict(class_name="torch.optim.Adam", lr=1e-4, betas=[0.9, 0.999], eps=1e-6)
    words.update(given)
    try:
        program.training_loop(**words)
    finally:
        dnnlib.util.construct_class_by_name = make


def train(net, other, song, skip):
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        written(folder)
        run(net, folder)
        with open(f"{folder}/stats.jsonl") as file:
            rows = [json.loads(line) for line in file]
        results["losses"] = [row["Loss/loss"]["mean"] for row in rows]
        results["kept"] = [len(glob.glob(f"{folder}/{kind}")) for kind in ("network-*.pkl", "training-*.pt")]
        results["ticks"] = [row["Progress/tick"]["mean"] for row in rows]
    optimizer, losses = torch.optim.Adam(other.parameters(), lr=1e-4), []
    for step in range(3):
        optimizer.zero_grad(set_to_none=True)
        loss = EDMLoss()(other.train(), array(10 + step, 2, 3, 16, 16)).mean()
        loss.backward()
        for param in other.parameters():
            if param.grad is not None:
                torch.nan_to_num(param.grad, nan=0, posinf=1e5, neginf=-1e5, out=param.grad)
        optimizer.step()
        losses.append(loss.item())
    return {
        **results,
        "others": losses,
        "first": net.model.enc["16x16_conv"].weight,
        "affine": net.model.enc["8x8_block0"].affine.weight,
        "qkv": net.model.enc["8x8_block0"].qkv.weight,
        "norm": net.model.dec["16x16_aux_norm"].weight,
        "other": other.model.enc["16x16_block0"].conv0.weight,
    }
