import argparse
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from exp.exp_main import Exp_Main

SERIES, LENGTH, LABELS, AHEAD = 3, 16, 8, 8
SIZES = {"train": 12, "val": 6, "test": 3, "pred": 1}


def arguments(**changes):
    given = dict(
        model="FEDformer", version="Fourier", mode_select="random", modes=4, L=1, base="legendre", cross_activation="tanh",
        data="custom", features="M", freq="h", checkpoints="checkpoints", seq_len=LENGTH, label_len=LABELS, pred_len=AHEAD,
        enc_in=SERIES, dec_in=SERIES, c_out=SERIES, d_model=16, n_heads=8, e_layers=2, d_layers=1, d_ff=32,
        moving_avg=[5, 7], factor=1, distil=True, dropout=0.0, embed="timeF", activation="gelu", output_attention=False,
        batch_size=4, train_epochs=2, patience=3, learning_rate=0.002, lradj="type1", use_amp=False, use_gpu=False,
        use_multi_gpu=False, num_workers=0,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


class Series(Dataset):
    def __init__(self, flag):
        rng = np.random.RandomState(sorted(SIZES).index(flag))
        time = np.arange(LENGTH + AHEAD)[None, :, None]
        size = SIZES[flag]
        waves = np.sin(time / rng.uniform(1, 3, (size, 1, SERIES)))
        self.values = waves + 0.1 * rng.randn(size, LENGTH + AHEAD, SERIES)
        self.marks = rng.uniform(-0.5, 0.5, (size, LENGTH + AHEAD, 4))

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        values, marks = self.values[index], self.marks[index]
        return values[:LENGTH], values[LENGTH - LABELS :], marks[:LENGTH], marks[LENGTH - LABELS :]


class Experiment(Exp_Main):
    """On made-up series, in their order."""

    def _get_data(self, flag):
        data_set = Series(flag)
        size = self.args.batch_size if flag in ("train", "val") else 1
        return data_set, DataLoader(data_set, batch_size=size, shuffle=False, drop_last=flag != "pred")


SETTINGS = {
    "fourier": arguments(),
    "lowest": arguments(mode_select="low", moving_avg=5),
    "transformer": arguments(model="Transformer", features="MS", lradj="type2", n_heads=2, moving_avg=5),
}


def experiment_of(args):
    np.random.seed(5)  # it chooses frequencies
    return Experiment(args)


def build():
    return tuple(experiment_of(args).model for args in SETTINGS.values())


def forecast(model):
    model.eval()
    x, y, x_mark, y_mark = (
        torch.from_numpy(np.stack(part)).float() for part in zip(*(Series("val")[i] for i in range(3)))
    )
    decoder_input = torch.cat([y[:, :LABELS], torch.zeros_like(y[:, -AHEAD:])], dim=1)
    return model(x, x_mark, decoder_input, y_mark)


def forward(*nets):
    return {name: lambda net=net: forecast(net) for name, net in zip(SETTINGS, nets)}


def trained(name, args, net):
    experiment = experiment_of(args)
    experiment.model.load_state_dict(net.state_dict())
    experiment.train(name)
    experiment.test(name, test=1)
    results = [experiment.vali(*experiment._get_data("test"), experiment._select_criterion())]
    results.append(np.load(os.path.join("results", name, "metrics.npy"))[:3])
    for place, (key, value) in enumerate(experiment.model.named_parameters()):
        if place < 2 or key.endswith(("query_projection.weight", "decoder.projection.weight")):
            results.append(value)
    return results


def train(*nets):
    return {
        name: lambda name=name, args=args, net=net: trained(name, args, net)
        for (name, args), net in zip(SETTINGS.items(), nets)
    }
