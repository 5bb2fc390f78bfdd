import argparse
import os
import random

import numpy as np
import torch
from torch.utils.data import Dataset

from denoiser import augment, distrib
from denoiser.demucs import Demucs, DemucsStreamer
from denoiser.dsp import LowPassFilters
from denoiser.solver import Solver
from denoiser.stft_loss import MultiResolutionSTFTLoss

LENGTH = 2400
SETTINGS = (
    dict(hidden=4, depth=3, kernel_size=8, stride=4, resample=2, causal=True),
    dict(hidden=4, depth=2, kernel_size=8, stride=4, resample=4, causal=False, glu=False, normalize=False),
)


class Pairs(Dataset):
    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        time = np.arange(LENGTH) / 16.0
        noise = 0.1 * rng.randn(count, 1, LENGTH)
        clean = np.sin(time / rng.uniform(1, 4, (count, 1, 1))) + 0.2 * rng.randn(count, 1, LENGTH)
        self.clean = clean.astype("float32")
        self.noisy = (self.clean + noise).astype("float32")

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, index):
        return torch.from_numpy(self.noisy[index]), torch.from_numpy(self.clean[index])


def arguments(**changes):
    given = dict(
        remix=False, bandmask=0.2, shift=1, shift_same=False, revecho=0, sample_rate=16000, device="cpu", epochs=2,
        continue_from="", eval_every=10, checkpoint=True, checkpoint_file="checkpoint.th", best_file="best.th",
        history_file="history.json", restart=True, samples_dir="samples", num_prints=2, stft_sc_factor=0.5,
        stft_mag_factor=0.5, stft_loss=True, loss="l1", continue_pretrained=None, save_again=False,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


def build():
    return tuple(Demucs(**settings) for settings in SETTINGS)


def forward(causal, both):
    causal.eval()
    both.eval()
    noisy, clean = Pairs(0, 2)[0]
    spectral = MultiResolutionSTFTLoss()

    def streamed():
        streamer = DemucsStreamer(causal, dry=0.1)
        return torch.cat(
            [streamer.feed(noisy[:, :1300]), streamer.feed(noisy[:, 1300:]), streamer.flush()], 1
        )

    def reverberated():
        random.seed(2)
        return augment.RevEcho(proba=1.0)(torch.stack([noisy, clean])[:, None])

    return {
        "causal": lambda: causal(noisy[None]),
        "both": lambda: both(noisy),
        "spectral": lambda: spectral(noisy, clean),
        "filters": lambda: LowPassFilters([0.1, 0.3])(noisy),
        "streamed": streamed,
        "reverberated": reverberated,
    }


def train(*models):
    results = {}
    choices = (arguments(), arguments(loss="huber", revecho=0.5, bandmask=0.0))
    for place, (args, model) in enumerate(zip(choices, models)):
        random.seed(4)
        folder = f"run_{place}"
        os.makedirs(folder, exist_ok=True)
        for name in ("checkpoint_file", "best_file", "history_file"):
            setattr(args, name, os.path.join(folder, getattr(args, name)))
        data = {
            "tr_loader": distrib.loader(Pairs(5, 4), batch_size=2),
            "cv_loader": distrib.loader(Pairs(6, 2), batch_size=1),
            "tt_loader": None,
        }
        optimizer = torch.optim.Adam(model.parameters(), lr=0.003, betas=(0.9, 0.999))
        solver = Solver(data, model, optimizer, args)
        solver.train()
        for key in ("train", "valid"):
            results[f"{key}_{place}"] = [metrics[key] for metrics in solver.history]
        results[f"encoder_{place}"] = model.encoder[0][0].weight
        results[f"lstm_{place}"] = model.lstm.lstm.weight_ih_l0
        again = Demucs(**SETTINGS[place])
        args.epochs, args.restart = 3, False
        other = Solver(data, again, torch.optim.Adam(again.parameters(), lr=0.003, betas=(0.9, 0.999)), args)
        other.train()
        results[f"resumed_{place}"] = again.decoder[0][2].weight
    return results
