import os
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Conv_TasNet_Pytorch"))

from Conv_TasNet import ConvTasNet
from SI_SNR import permute_SI_SNR
from trainer import Trainer

LENGTH = 400


def build():
    return ConvTasNet(
        N=16, L=16, B=8, H=12, P=3, X=2, R=2, norm="gln", num_spks=2, activate="relu", causal=False
    )


def waves(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, LENGTH).astype("float32"))


def mixtures(start):
    rows = []
    for seed in range(start, start + 3):
        first, second = waves(seed, 2), waves(seed + 50, 2)
        rows.append({"mix": first + second, "ref": [first, second]})
    return rows


def forward(net):
    first, second = net(waves(0, 2))
    (alone, _) = net(waves(1, 1)[0])
    return {
        "first": first,
        "second": second,
        "alone": alone,
        "snr": permute_SI_SNR([first[0], second[0]], [second[0], waves(2, 1)[0]]),
    }


def train(net):
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            net,
            checkpoint=folder,
            optimizer="adam",
            gpuid=0,
            optimizer_kwargs={"lr": 1e-3, "weight_decay": 1e-5},
            clip_norm=5,
            min_lr=1e-8,
            patience=0,
            factor=0.5,
            logging_period=2,
            resume={"resume_state": False},
            num_epochs=2,
        )
        results = {}
        for epoch in range(2):
            results[f"train_{epoch}"] = trainer.train(mixtures(10 * epoch))
            loss = trainer.val(mixtures(5))
            trainer.scheduler.step(loss)
            results[f"val_{epoch}"] = loss
            results[f"rate_{epoch}"] = float(trainer.optimizer.param_groups[0]["lr"])
            trainer.save_checkpoint(best=True)
        kept = torch.load(os.path.join(folder, "best.pt"), map_location="cpu")
        results["epoch"] = kept["epoch"]
        results["names"] = len(kept["model_state_dict"])
    results = {name: torch.tensor(float(value)) for name, value in results.items()}
    results["encoder"] = net.encoder.weight.flatten()
    results["mask"] = net.gen_masks.weight.flatten()
    return results
