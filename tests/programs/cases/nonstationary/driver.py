import argparse
import os

import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader

from data_provider.data_factory import data_provider
from exp.exp_main import Exp_Main

SERIES, LENGTH, LABELS, AHEAD = 3, 16, 8, 8


def written(path):
    """A year's first days, by the hour."""
    os.makedirs(path, exist_ok=True)
    rng = np.random.RandomState(0)
    hours = 130
    time = np.arange(hours)
    table = pd.DataFrame({"date": pd.date_range("2016-07-01", periods=hours, freq="h")})
    for number, name in enumerate(("HUFL", "HULL", "OT")):
        table[name] = 3.0 * number + np.sin(time / (2.0 + number)) + 0.01 * number * time + 0.1 * rng.randn(hours)
    table.to_csv(os.path.join(path, "made_up.csv"), index=False)
    return path


def arguments(**changes):
    given = dict(
        model="ns_Transformer", data="custom", root_path=written("series"), data_path="made_up.csv", features="M",
        target="OT", freq="h", checkpoints="./checkpoints/", seq_len=LENGTH, label_len=LABELS, pred_len=AHEAD,
        enc_in=SERIES, dec_in=SERIES, c_out=SERIES, d_model=16, n_heads=2, e_layers=2, d_layers=1, d_ff=32,
        moving_avg=5, factor=1, distil=True, dropout=0.0, embed="timeF", activation="gelu", output_attention=False,
        num_workers=0, train_epochs=2, batch_size=16, patience=3, learning_rate=0.002, lradj="type1", use_amp=False,
        use_gpu=False, use_multi_gpu=False, p_hidden_dims=[12, 10], p_hidden_layers=2,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


class Experiment(Exp_Main):
    """The series in their order."""

    def _get_data(self, flag):
        data_set, loader = data_provider(self.args, flag)
        if flag in ("train", "val"):
            loader = DataLoader(data_set, batch_size=loader.batch_size, shuffle=False, drop_last=True)
        return data_set, loader


SETTINGS = {
    "ns_transformer": arguments(),
    "ns_autoformer": arguments(model="ns_Autoformer", embed="fixed", activation="relu", factor=3),
    "transformer": arguments(model="Transformer", features="MS", embed="learned", output_attention=True),
}


def build():
    return tuple(Experiment(args).model for args in SETTINGS.values())


def forecast(args, model):
    model.eval()
    data_set, _ = data_provider(args, "test")
    x, y, x_mark, y_mark = (
        torch.from_numpy(np.stack(part)).float() for part in zip(*(data_set[i] for i in range(3)))
    )
    decoder_input = torch.cat([y[:, :LABELS], torch.zeros_like(y[:, -AHEAD:])], dim=1)
    result = model(x, x_mark, decoder_input, y_mark)
    return result[0] if args.output_attention else result


def forward(*nets):
    outputs = {
        name: lambda args=args, net=net: forecast(args, net)
        for (name, args), net in zip(SETTINGS.items(), nets)
    }
    rng = np.random.RandomState(3)
    series = torch.from_numpy(rng.randn(2, LENGTH, SERIES).astype(np.float32))
    outputs["tau"] = lambda: nets[0].tau_learner(series, series.std(1, keepdim=True)).exp()
    return outputs


def train(*nets):
    results = {}
    for (name, args), net in zip(SETTINGS.items(), nets):
        experiment = Experiment(args)
        experiment.model.load_state_dict(net.state_dict())
        experiment.train(name)
        experiment.test(name, test=1)
        experiment.predict(name, load=True)
        results[name + "_loss"] = experiment.vali(*experiment._get_data("test"), experiment._select_criterion())
        results[name + "_metrics"] = np.load(os.path.join("results", name, "metrics.npy"))[:3]
        results[name + "_predicted"] = np.load(os.path.join("results", name, "real_prediction.npy"))
        for key, value in experiment.model.named_parameters():
            if key.endswith(("query_projection.weight", "learner.backbone.0.weight", "season_embed.weight")):
                results[name + "_" + key] = value
    return results
