import argparse
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from experiments.exp_long_term_forecasting import Exp_Long_Term_Forecast

SERIES, LENGTH, LABELS, AHEAD = 3, 16, 8, 8
SIZES = {"train": 12, "val": 6, "test": 3, "pred": 1}


def arguments(**changes):
    given = dict(
        model="iTransformer", data="custom", features="M", freq="h", checkpoints="checkpoints", seq_len=LENGTH,
        label_len=LABELS, pred_len=AHEAD, enc_in=SERIES, dec_in=SERIES, c_out=SERIES, d_model=16, n_heads=2, e_layers=2,
        d_layers=1, d_ff=32, factor=1, distil=True, dropout=0.0, embed="timeF", activation="gelu", output_attention=False,
        use_norm=True, class_strategy="projection", channel_independence=False, inverse=True, batch_size=4,
        train_epochs=2, patience=3, learning_rate=0.002, lradj="type1", use_amp=False, use_gpu=False, use_multi_gpu=False,
        num_workers=0,
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


class Series(Dataset):
    scale = True

    def __init__(self, flag):
        rng = np.random.RandomState(sorted(SIZES).index(flag))
        time = np.arange(LENGTH + AHEAD)[None, :, None]
        size = SIZES[flag]
        self.values = np.sin(time / rng.uniform(1, 3, (size, 1, SERIES))) + 0.1 * rng.randn(
            size, LENGTH + AHEAD, SERIES
        )
        self.marks = rng.uniform(-0.5, 0.5, (size, LENGTH + AHEAD, 4))

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        values, marks = self.values[index], self.marks[index]
        return values[:LENGTH], values[LENGTH - LABELS :], marks[:LENGTH], marks[LENGTH - LABELS :]

    def inverse_transform(self, data):
        return data * 2.0 + 1.0


class Experiment(Exp_Long_Term_Forecast):
    """On made-up series, in their order."""

    def _get_data(self, flag):
        data_set = Series(flag)
        size = self.args.batch_size if flag in ("train", "val") else 1
        return data_set, DataLoader(data_set, batch_size=size, shuffle=False, drop_last=flag != "pred")


SETTINGS = {
    "itransformer": arguments(),
    "iflowformer": arguments(model="iFlowformer", use_norm=False, activation="relu", features="MS"),
    "transformer": arguments(model="Transformer", lradj="type2"),
    "flowformer": arguments(model="Flowformer"),
    "informer": arguments(model="Informer"),
}
# Which keys the sparse attention looks at is drawn; the three networks above it draw nothing.
TRAINED = ("itransformer", "iflowformer", "transformer")


def build():
    return tuple(Experiment(args).model for args in SETTINGS.values())


def forecast(model):
    model.eval()
    x, y, x_mark, y_mark = (
        torch.from_numpy(np.stack(part)).float() for part in zip(*(Series("val")[i] for i in range(3)))
    )
    decoder_input = torch.cat([y[:, :LABELS], torch.zeros_like(y[:, -AHEAD:])], dim=1)
    return model(x, x_mark, decoder_input, y_mark)


def attended():
    args = arguments(output_attention=True)
    torch.manual_seed(0)
    return [list(Experiment(args).model.enc_embedding.value_embedding.weight.shape)]


def forward(itransformer, iflowformer, transformer, flowformer, informer):
    return {
        "itransformer": lambda: forecast(itransformer),
        "iflowformer": lambda: forecast(iflowformer),
        "transformer": lambda: forecast(transformer),
        "flowformer": lambda: forecast(flowformer),
        "informer_shape": lambda: list(forecast(informer).shape),
        "attended": attended,
    }


def train(*nets):
    results = {}
    for name, net in zip(TRAINED, nets):
        experiment = Experiment(SETTINGS[name])
        experiment.model.load_state_dict(net.state_dict())
        best = experiment.train(name)
        experiment.test(name, test=1)
        experiment.predict(name, load=True)
        results[name + "_loss"] = experiment.vali(
            *experiment._get_data("test"), experiment._select_criterion()
        )
        results[name + "_metrics"] = np.load(os.path.join("results", name, "metrics.npy"))[:3]
        results[name + "_predicted"] = np.load(os.path.join("results", name, "real_prediction.npy"))
        for place, (key, value) in enumerate(best.named_parameters()):
            if place < 2 or key.endswith(("projector.weight", "query_projection.weight", "norm2.weight")):
                results[name + "_" + key] = value
    return results
