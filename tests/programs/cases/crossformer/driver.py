import argparse
import os
import pickle

import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, Subset

from cross_exp.exp_crossformer import Exp_crossformer
from data.data_loader import Dataset_MTS
from utils.tools import StandardScaler, load_args, string_split

SERIES, LENGTH, AHEAD = 3, 22, 10


def made_up():
    os.makedirs("made_up", exist_ok=True)
    steps = np.arange(240)
    rng = np.random.RandomState(0)
    columns = {"date": pd.date_range("2020-01-01", periods=240, freq="h")}
    for index, name in enumerate(("first", "second", "third")):
        waves = np.sin(steps / (2 + index)) + 0.02 * steps * (index - 1)
        columns[name] = waves + 0.1 * rng.randn(240)
    pd.DataFrame(columns).to_csv("made_up/made_up.csv", index=False)


def arguments(**changes):
    given = dict(
        data="made", root_path="made_up", data_path="made_up.csv", data_split=string_split("0.6, 0.2, 0.2"),
        checkpoints="./checkpoints/", in_len=LENGTH, out_len=AHEAD, seg_len=6, win_size=2, factor=2, data_dim=SERIES,
        d_model=8, d_ff=16, n_heads=2, e_layers=3, dropout=0.0, baseline=False, num_workers=0, batch_size=4,
        train_epochs=2, patience=2, learning_rate=5e-3, lradj="type1", use_gpu=False, use_multi_gpu=False,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


class Experiment(Exp_crossformer):
    """The series in their order, and fewer of them."""

    def _get_data(self, flag):
        data_set, loader = super()._get_data(flag)
        rows = Subset(data_set, list(range(11)))
        rows.scaler, rows.inverse_transform = data_set.scaler, data_set.inverse_transform
        return rows, DataLoader(rows, batch_size=loader.batch_size, shuffle=False)


SETTINGS = {
    "plain": arguments(),
    "baseline": arguments(baseline=True, e_layers=2, win_size=3, factor=1, lradj="type2", in_len=24),
}
experiments = {}


def build():
    made_up()
    experiments.update((name, Experiment(args)) for name, args in SETTINGS.items())
    return tuple(one.model for one in experiments.values())


def init():
    torch.manual_seed(1)
    net = Experiment(arguments(d_model=64)).model
    layer = net.encoder.encode_blocks[0].encode_layers[0]
    return {"router": layer.router, "position": net.enc_pos_embedding, "linear": layer.MLP1[0].weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(plain, baseline):
    made_up()
    for net in (plain, baseline):
        net.eval()
    scaler = StandardScaler()
    scaler.fit(np.random.RandomState(3).randn(20, SERIES))
    layer = plain.encoder.encode_blocks[1]
    return {
        "plain": lambda: plain(array(0, 2, LENGTH, SERIES)),
        "baseline": lambda: baseline(array(1, 2, 24, SERIES)),
        "embedded": lambda: plain.enc_value_embedding(array(2, 2, 24, SERIES)),
        "merged": lambda: layer.merge_layer(array(4, 2, SERIES, 5, 8)),
        "block": lambda: layer(array(5, 2, SERIES, 4, 8)),
        "scaled": lambda: [scaler.transform(array(6, 4, SERIES)), scaler.inverse_transform(array(7, 4, SERIES))],
        "arrays": lambda: [scaler.transform(array(6, 4, SERIES).numpy())],
        "attention": lambda: plain.encoder.encode_blocks[0].encode_layers[0].time_attention(*[array(8, 2, 4, 8)] * 3),
    }


def train(*nets):
    results = {}
    made_up()
    for name, one in experiments.items():
        model = one.train(name)
        one.test(name, save_pred=True)
        results[name + "_metrics"] = np.load(f"results/{name}/metrics.npy")
        results[name + "_predicted"] = np.load(f"results/{name}/pred.npy")[:2]
        with open(f"checkpoints/{name}/scale_statistic.pkl", "rb") as file:
            one.args.scale_statistic = pickle.load(file)
        results[name + "_eval"] = list(one.eval(name, save_pred=True, inverse=True))
        results[name + "_inverse"] = np.load(f"results/{name}/pred.npy")[-1]
        results[name + "_kept"] = load_args(f"checkpoints/{name}/args.json")["d_ff"]
        block = model.encoder.encode_blocks[1]
        results[name + "_router"] = block.encode_layers[0].router
        results[name + "_merge"] = block.merge_layer.linear_trans.weight
        results[name + "_position"] = model.dec_pos_embedding
        results[name + "_bias"] = block.encode_layers[0].norm2.bias
    results["rows"] = len(Dataset_MTS("made_up", "made_up.csv", "val", [LENGTH, AHEAD]))
    return results
