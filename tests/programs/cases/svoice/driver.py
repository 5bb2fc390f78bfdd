import argparse
import os

import numpy as np
import torch
from torch.utils.data import Dataset

from svoice import distrib
from svoice import solver as solving
from svoice.models.sisnr_loss import cal_loss
from svoice.models.swave import SWave
from svoice.utils import calculate_weight_norm, deserialize_model, remove_pad, serialize_model

LENGTH = 160


class Mixtures(Dataset):
    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        time = np.arange(LENGTH) / 4.0
        sources = np.sin(time * rng.uniform(0.3, 2, (count, 2, 1))) + 0.2 * rng.randn(count, 2, LENGTH)
        self.sources = sources.astype("float32")
        self.mixtures = self.sources.sum(1)
        self.lengths = LENGTH - 8 * rng.randint(0, 4, count)

    def __len__(self):
        return len(self.sources)

    def __getitem__(self, index):
        return (
            torch.from_numpy(self.mixtures[index]),
            torch.as_tensor(self.lengths[index]),
            torch.from_numpy(self.sources[index]),
        )


def arguments(folder, **changes):
    given = dict(
        lr_sched="step", step=argparse.Namespace(step_size=1, gamma=0.5), device="cpu", epochs=2, max_norm=5,
        plateau=argparse.Namespace(factor=0.5, patience=0), continue_from="", eval_every=10, checkpoint=True,
        restart=False, samples_dir="samples", num_prints=2, keep_last=0, continue_best=False,
        sample_rate=8000, checkpoint_file=os.path.join(folder, "checkpoint.th"), num_workers=1,
        history_file=os.path.join(folder, "history.json"),
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


SETTINGS = (
    dict(N=6, L=4, H=5, R=2, C=2, sr=8000, segment=0.02, input_normalize=False),
    dict(N=6, L=4, H=5, R=1, C=2, sr=8000, segment=0.02, input_normalize=True),
)


def build():
    return tuple(SWave(**settings) for settings in SETTINGS)


def forward(*models):
    results = {}
    data = Mixtures(0, 3)
    mixtures, lengths, sources = (torch.stack([data[i][part] for i in range(3)]) for part in range(3))
    for place, model in enumerate(models):
        model.eval()
        with torch.no_grad():
            estimates = model(mixtures)
        results[f"estimates_{place}"] = estimates.clone()
        loss, snr, _, reordered = cal_loss(sources, estimates[-1], lengths)
        results[f"loss_{place}"] = loss
        results[f"snr_{place}"] = snr
        results[f"reordered_{place}"] = reordered
        results[f"norm_{place}"] = calculate_weight_norm(model)
        with torch.no_grad():
            results[f"again_{place}"] = deserialize_model(serialize_model(model)).eval()(mixtures)
    results["padded"] = remove_pad(mixtures, lengths)[1]
    return results


def train(*models):
    results = {}
    # What is written at the end of a run needs sound files, and programs that judge them.
    solving.separate = lambda *args: None
    solving.evaluate = lambda args, model, loader, rate: (0.0, 0.0, 0.0)
    for place, model in enumerate(models):
        folder = f"run_{place}"
        os.makedirs(folder, exist_ok=True)
        args = arguments(folder, lr_sched=("step", "plateau")[place])
        data = {
            "tr_loader": distrib.loader(Mixtures(5, 4), batch_size=2),
            "cv_loader": distrib.loader(Mixtures(6, 2), batch_size=1),
            "tt_loader": None,
        }
        for args.epochs in (2, 3):
            optimizer = torch.optim.Adam(model.parameters(), lr=0.003, betas=(0.9, 0.999))
            solver = solving.Solver(data, model, optimizer, args)
            solver.train()
        results[f"history_{place}"] = [[metrics["train"], metrics["valid"]] for metrics in solver.history]
        results[f"rate_{place}"] = optimizer.param_groups[0]["lr"]
        results[f"encoder_{place}"] = model.encoder.conv.weight.flatten()
        results[f"rnn_{place}"] = model.separator.rnn_model.rows_grnn[0].gate_rnn.weight_hh_l0_reverse
    return results
