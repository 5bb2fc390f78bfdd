import tempfile

import numpy as np
import torch
from exp.exp_main import Exp_Main
from torch.utils.data import DataLoader, TensorDataset
from utils.tools import dotdict

SEEN, LABELLED, PREDICTED, CHANNELS = 30, 6, 8, 3


class Experiment(Exp_Main):
    """The repository's experiment on numbers made up."""

    def _get_data(self, flag):
        random = np.random.RandomState({"train": 1, "val": 2, "test": 3}[flag])
        count = 12 if flag == "train" else 4
        shapes = ((SEEN, CHANNELS), (LABELLED + PREDICTED, CHANNELS), (SEEN, 4), (LABELLED + PREDICTED, 4))
        data_set = TensorDataset(*(torch.from_numpy(random.randn(count, *shape)) for shape in shapes))
        return data_set, DataLoader(data_set, batch_size=4, shuffle=False, drop_last=True)


def settings(model, folder=""):
    return dotdict(
        model=model,
        seq_len=SEEN,
        label_len=LABELLED,
        pred_len=PREDICTED,
        enc_in=CHANNELS,
        individual=model == "DLinear",
        features="M",
        use_gpu=False,
        use_multi_gpu=False,
        use_amp=False,
        output_attention=False,
        train_only=False,
        train_epochs=2,
        patience=3,
        learning_rate=0.01,
        lradj="type1",
        checkpoints=folder,
    )


def build():
    return Experiment(settings("DLinear")).model, Experiment(settings("NLinear")).model


def forward(dlinear, nlinear):
    x = torch.from_numpy(np.random.RandomState(0).randn(4, SEEN, CHANNELS).astype("float32"))
    with torch.no_grad():
        return {"dlinear": dlinear(x), "nlinear": nlinear(x)}


def train(dlinear, nlinear):
    results = {}
    for name, model in (("DLinear", dlinear), ("NLinear", nlinear)):
        with tempfile.TemporaryDirectory() as folder:
            experiment = Experiment(settings(name, folder))
            experiment.model = model
            criterion = experiment._select_criterion()
            losses = [experiment.vali(*experiment._get_data("val"), criterion)]
            model = experiment.train("numbers")
            for flag in ("train", "val", "test"):
                losses.append(experiment.vali(*experiment._get_data(flag), criterion))
        results[f"{name}_losses"] = losses
    results["trend"] = dlinear.Linear_Trend[1].weight
    results["seasonal"] = dlinear.Linear_Seasonal[0].weight
    results["linear"] = nlinear.Linear.weight
    return results
