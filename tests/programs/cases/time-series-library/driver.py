import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from exp.exp_long_term_forecasting import Exp_Long_Term_Forecast

SERIES, MARKS = 3, 4


def arguments(model):
    return argparse.Namespace(
        task_name="long_term_forecast",
        model=model,
        features="M",
        checkpoints="./checkpoints/",
        freq="h",
        embed="timeF",
        seq_len=24,
        label_len=12,
        pred_len=12,
        enc_in=SERIES,
        dec_in=SERIES,
        c_out=SERIES,
        d_model=16,
        n_heads=2,
        e_layers=2,
        d_layers=1,
        d_ff=16,
        moving_avg=5,
        factor=1,
        top_k=2,
        num_kernels=3,
        dropout=0.0,
        activation="gelu",
        batch_size=4,
        train_epochs=2,
        patience=3,
        learning_rate=0.001,
        lradj="type1",
        use_amp=False,
        use_gpu=False,
        gpu_type="cuda",
        use_multi_gpu=False,
    )


class Experiment(Exp_Long_Term_Forecast):
    """On made-up series instead of the files of a data set."""

    def _get_data(self, flag):
        seed, size = {"train": (0, 8), "val": (1, 4), "test": (2, 4)}[flag]
        data_set = TensorDataset(*series(seed, size, self.args))
        return data_set, DataLoader(data_set, batch_size=self.args.batch_size, shuffle=False)


def series(seed, size, args):
    rng = np.random.RandomState(seed)
    time = np.arange(args.seq_len + args.pred_len)
    phase, period = rng.uniform(0, 6, (size, 1, SERIES)), rng.uniform(4, 9, (size, 1, SERIES))
    values = np.sin(2 * np.pi * time[None, :, None] / period + phase) + 0.1 * rng.randn(
        size, len(time), SERIES
    )
    marks = rng.uniform(-0.5, 0.5, (size, len(time), MARKS))
    start = args.seq_len - args.label_len
    return [
        torch.from_numpy(part)
        for part in (values[:, : args.seq_len], values[:, start:], marks[:, : args.seq_len], marks[:, start:])
    ]


def build():
    return tuple(Experiment(arguments(name)).model for name in ("TimesNet", "iTransformer", "Autoformer"))


def forecast(model):
    args = arguments("")
    model.eval()
    x, y, x_mark, y_mark = (part.float() for part in series(3, 4, args))
    decoder_input = torch.cat([y[:, : args.label_len], torch.zeros_like(y[:, -args.pred_len :])], dim=1)
    return model(x, x_mark, decoder_input, y_mark)


def forward(timesnet, itransformer, autoformer):
    return {
        "timesnet": lambda: forecast(timesnet),
        "itransformer": lambda: forecast(itransformer),
        "autoformer": lambda: forecast(autoformer),
    }


def trained(name, model):
    experiment = Experiment(arguments(name))
    experiment.model.load_state_dict(model.state_dict())
    best = experiment.train("made_up_" + name)
    data_set, loader = experiment._get_data("test")
    return experiment.vali(data_set, loader, experiment._select_criterion()), best


def train(timesnet, itransformer, autoformer):
    loss, best = trained("iTransformer", itransformer)
    return {
        "loss": loss,
        "weight": best.projection.weight,
        "timesnet": lambda: trained("TimesNet", timesnet)[1].projection.weight,
        "autoformer": lambda: trained("Autoformer", autoformer)[0],
    }
