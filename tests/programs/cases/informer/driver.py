import os

import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader

from exp.exp_informer import Exp_Informer
from models.attn import FullAttention, ProbAttention
from utils.tools import StandardScaler, dotdict

COLUMNS = 3
rng = np.random.RandomState(0)
table = pd.DataFrame(rng.randn(60, COLUMNS).cumsum(0), columns=["a", "b", "OT"])
table.insert(0, "date", pd.date_range("2020-01-01", periods=60, freq="h"))
table.to_csv("made_up.csv", index=False)

args = dotdict(
    model="informer", data="custom", root_path=".", data_path="made_up.csv", features="M", target="OT", freq="h",
    detail_freq="h", checkpoints="checkpoints", seq_len=16, label_len=8, pred_len=4, enc_in=COLUMNS, dec_in=COLUMNS,
    c_out=COLUMNS, d_model=16, n_heads=2, e_layers=2, d_layers=1, s_layers=[2, 1], d_ff=32, factor=20, padding=0,
    distil=True, dropout=0.0, attn="prob", embed="timeF", activation="gelu", output_attention=False, mix=True,
    cols=None, num_workers=0, train_epochs=2, batch_size=8, patience=3, learning_rate=0.0001, lradj="type1",
    use_amp=False, inverse=True, use_gpu=False, use_multi_gpu=False,
)  # fmt: skip
# So many queries are asked for that each is taken: else chance would tell which.
experiments = []


class InOrder(Exp_Informer):
    """Chance may not tell which batch comes first."""

    def _get_data(self, flag):
        data_set, loader = super()._get_data(flag)
        return data_set, DataLoader(
            data_set, batch_size=loader.batch_size, shuffle=False, drop_last=flag != "pred"
        )


def experiment(**changes):
    return InOrder(dotdict({**args, **changes}))


def build():
    experiments[:] = [
        experiment(attn="full"),
        experiment(model="informerstack", attn="full", embed="fixed", activation="relu", inverse=False),
        experiment(),
    ]
    return tuple(exp.model for exp in experiments)


def batch(seed):
    made = np.random.RandomState(seed)
    x = torch.from_numpy(made.randn(2, 16, COLUMNS).astype("float32"))
    y = torch.from_numpy(made.randn(2, 12, COLUMNS).astype("float32"))
    marks = [np.stack([made.randint(1, n, (2, length)) for n in (12, 28, 6, 23)], -1) for length in (16, 12)]
    return x, y, torch.from_numpy(marks[0].astype("float32")), torch.from_numpy(marks[1].astype("float32"))


def attention(kind, masked):
    torch.manual_seed(0)
    made = np.random.RandomState(3)
    q, k, v = (torch.from_numpy(made.randn(2, 8, 2, 4).astype("float32")) for _ in range(3))
    return kind(masked, factor=20, attention_dropout=0.0, output_attention=True)(q, k, v, None)


def scaled():
    scaler = StandardScaler()
    scaler.fit(table[["a", "b", "OT"]].values)
    return scaler.inverse_transform(scaler.transform(batch(2)[0]) * 2)


def forward(informer, stack, probable):
    informer.eval()
    stack.eval()
    probable.eval()
    x, y, x_mark, y_mark = batch(0)
    return {
        "informer": informer(x, x_mark / 30, y, y_mark / 30),
        "stack": stack(x, x_mark, y, y_mark),
        "probable": lambda: probable(x, x_mark / 30, y, y_mark / 30),
        "full": lambda: attention(FullAttention, True)[1],
        "prob": lambda: attention(ProbAttention, True)[0],
        "prob_open": lambda: attention(ProbAttention, False)[1],
        "scaled": lambda: scaled(),
    }


def train(*nets):
    results = {}
    for exp, name in zip(experiments, ("informer", "stack")):
        exp.train(name)
        exp.test(name)
        exp.predict(name, True)
        results[name + "_metrics"] = np.load(os.path.join("results", name, "metrics.npy"))[:3]
        results[name + "_predicted"] = np.load(os.path.join("results", name, "real_prediction.npy"))
        results[name + "_weight"] = exp.model.projection.weight
    return results
