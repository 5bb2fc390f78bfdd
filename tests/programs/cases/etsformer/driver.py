import argparse
import os

import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader

from data_provider.data_factory import data_provider
from exp.exp_main import Exp_Main
from utils.Adam import Adam
from utils.metrics import metric
from utils.tools import adjust_learning_rate

SERIES, LENGTH, AHEAD = 3, 16, 6


def made_up():
    os.makedirs("made_up", exist_ok=True)
    steps = np.arange(160)
    rng = np.random.RandomState(0)
    columns = {"date": pd.date_range("2020-01-01", periods=160, freq="h")}
    for index, name in enumerate(("first", "second", "OT")):
        waves = np.sin(steps / (2 + index)) + 0.4 * np.sin(steps / 1.3 + index) + 0.02 * steps * (index - 1)
        columns[name] = waves + 0.1 * rng.randn(160)
    pd.DataFrame(columns).to_csv("made_up/made_up.csv", index=False)


def arguments(**changes):
    given = dict(
        model="ETSformer", data="custom", root_path="made_up", data_path="made_up.csv", features="M", target="OT",
        freq="h", checkpoints="./checkpoints/", seq_len=LENGTH, label_len=0, pred_len=AHEAD, enc_in=SERIES, dec_in=SERIES,
        c_out=SERIES, d_model=8, n_heads=2, e_layers=2, d_layers=2, d_ff=16, K=2, dropout=0.0, embed="timeF",
        activation="sigmoid", min_lr=1e-4, warmup_epochs=1, std=0.0, smoothing_learning_rate=0, damping_learning_rate=0.02,
        output_attention=False, optim="adam", num_workers=0, train_epochs=2, batch_size=4, patience=2,
        learning_rate=2e-3, lradj="exponential_with_warmup", use_gpu=False, use_multi_gpu=False,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


class Experiment(Exp_Main):
    """The series in their order, and fewer of them."""

    def _get_data(self, flag):
        data_set, loader = super()._get_data(flag)
        assert loader.batch_size == self.args.batch_size
        rows = torch.utils.data.Subset(data_set, list(range(12))) if len(data_set) > 12 else data_set
        return data_set, DataLoader(rows, batch_size=self.args.batch_size, shuffle=False, drop_last=True)


SETTINGS = {
    "plain": arguments(),
    "cosine": arguments(seq_len=15, K=1, activation="relu", lradj="cos", batch_size=4, smoothing_learning_rate=0.01),
}
experiments = {}


def build():
    made_up()
    experiments.update((name, Experiment(args)) for name, args in SETTINGS.items())
    attending = Experiment(arguments(output_attention=True)).model
    return *(one.model for one in experiments.values()), attending


def init():
    torch.manual_seed(1)
    net = Experiment(arguments(d_model=1024, n_heads=4, d_ff=64)).model
    layer = net.encoder.layers[0]
    return {"z0": layer.growth_layer.z0, "v0": layer.growth_layer.es.v0, "linear": layer.ff.linear1.weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(plain, cosine, attending):
    made_up()
    for net in (plain, cosine, attending):
        net.eval()
    seen, odd = array(0, 2, LENGTH, SERIES), array(1, 2, 15, SERIES)
    return {
        "plain": lambda: plain(seen, None, None, None),
        "odd": lambda: cosine(odd, None, None, None),
        "decomposed": lambda: list(plain(seen, None, None, None, decomposed=True)),
        "attention": lambda: list(attending(array(6, 4, LENGTH, SERIES), None, None, None, attention=True)),
        "smoothed": lambda: plain.encoder.layers[0].growth_layer.es(array(2, 2, 9, 2, 4)),
        "weights": lambda: list(plain.encoder.layers[1].level_layer.es.get_exponential_weight(7)),
        "metric": lambda: list(metric(array(3, 2, 4).numpy(), array(4, 2, 4).numpy())),
        "batch": lambda: [one.float() for one in next(iter(data_provider(SETTINGS["plain"], "test")[1]))],
    }


def stepped():
    weight = torch.nn.Parameter(array(5, 4))
    optimizer = Adam([{"params": [weight], "name": "nn"}], lr=0.01, weight_decay=0.1, amsgrad=True)
    for step in range(3):
        optimizer.zero_grad()
        ((weight * (step + 1) - 0.3) ** 2).sum().backward()
        optimizer.step()
        adjust_learning_rate(optimizer, step + 1, arguments(lradj="exponential"))
    return [weight, optimizer.param_groups[0]["lr"]]


def train(*nets):
    results = {}
    made_up()
    for name, one in experiments.items():
        model = one.train(name)
        one.test(name, data="val", save_vals=True)
        one.test(name, data="test")
        results[name + "_val"] = np.load(f"results/{name}/val_metrics.npy")
        results[name + "_test"] = np.load(f"results/{name}/test_metrics.npy")[:3]
        results[name + "_predicted"] = np.load(f"results/{name}/pred.npy")[:2]
        layer = model.encoder.layers[0]
        results[name + "_smoothing"] = layer.growth_layer.es._smoothing_weight
        results[name + "_damping"] = model.decoder.layers[0].growth_damping._damping_factor
        results[name + "_z0"] = layer.growth_layer.z0
        results[name + "_linear"] = layer.ff.linear1.weight
        results[name + "_embedding"] = model.enc_embedding.conv.weight.reshape(8, -1)
    results["stepped"] = stepped()
    return results
