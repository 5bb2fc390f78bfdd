import copy
import random
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader

import data_utils
from data_utils import Dataset_ASVspoof2019_devNeval, Dataset_ASVspoof2019_train, genSpoof_list
from main import get_model, produce_evaluation_file, train_epoch
from models import AASIST, RawNet2Spoof
from utils import SGDRScheduler, create_optimizer, set_seed

SAMPLES = 19000
graph_args = {
    "architecture": "AASIST", "nb_samp": SAMPLES, "first_conv": 128,
    "filts": [70, [1, 8], [8, 8], [8, 12], [12, 12]], "gat_dims": [12, 8], "pool_ratios": [0.5, 0.7, 0.5, 0.5],
    "temperatures": [2.0, 2.0, 100.0, 100.0],
}  # fmt: skip
raw_args = {
    "architecture": "RawNet2Spoof", "nb_samp": SAMPLES, "first_conv": 128, "in_channels": 1,
    "filts": [8, [8, 8], [8, 12], [12, 12]], "blocks": [2, 4], "nb_fc_node": 16, "gru_node": 16, "nb_gru_layer": 1,
    "nb_classes": 2,
}  # fmt: skip
optim_config = {
    "optimizer": "adam", "amsgrad": "False", "base_lr": 1e-4, "lr_min": 5e-6, "betas": [0.9, 0.999],
    "weight_decay": 1e-4, "scheduler": "cosine", "epochs": 2, "steps_per_epoch": 2,
}  # fmt: skip
switches = {"cudnn_deterministic_toggle": "True", "cudnn_benchmark_toggle": "False"}


class SoundFile:
    """Stands for soundfile: the waves are made of the names of the files."""

    @staticmethod
    def read(path):
        seed = sum(map(ord, Path(path).stem))
        return np.random.RandomState(seed).randn(18000 + 10 * seed) * 0.1, 16000


data_utils.sf = SoundFile


def without_dropout(net):
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return net


def build():
    set_seed(1, switches)
    return without_dropout(get_model(graph_args, "cpu")), without_dropout(
        get_model(copy.deepcopy(raw_args), "cpu")
    )


def init():
    torch.manual_seed(1)
    layer = AASIST.HtrgGraphAttentionLayer(64, 96)
    return {"weight": layer.att_weight11, "projection": layer.att_proj.weight}


def waves(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, SAMPLES).astype("float32") * 0.1)


def write_trials():
    with open("trials.txt", "w") as file:
        for number in range(4):
            file.write("S1 u%d - %s %s\n" % (number, "A01", "bonafide" if number % 2 else "spoof"))


def forward(graph, raw):
    graph.eval()
    raw.eval()
    write_trials()
    pool = AASIST.GraphPool(0.5, 6, 0)
    pool.proj.weight.data.fill_(0.3)
    pool.proj.bias.data.zero_()
    nodes = torch.from_numpy(np.random.RandomState(4).randn(2, 7, 6).astype("float32"))
    with torch.no_grad():
        hidden, output = graph(waves(0))
    return {
        "hidden": hidden,
        "output": output,
        "raw": lambda: torch.cat(raw(waves(1)), dim=1),
        "filters": graph.conv_time.band_pass,
        "pooled": lambda: pool(nodes)[:, :, 1:] - pool(nodes)[:, :, :1],
        "listed": lambda: np.array(
            [value for _, value in sorted(genSpoof_list("trials.txt", is_train=True)[0].items())]
        ),
    }


def loader_of(labels, names):
    dataset = Dataset_ASVspoof2019_train(list_IDs=names, labels=labels, base_dir=Path("."))
    dataset.cut = SAMPLES
    return DataLoader(dataset, batch_size=2, shuffle=False, drop_last=True, pin_memory=True)


def train(graph, raw):
    write_trials()
    labels, names = genSpoof_list("trials.txt", is_train=True)
    result = {}
    for name, net in (("graph", graph), ("raw", raw)):
        np.random.seed(3)
        optimizer, scheduler = create_optimizer(net.parameters(), dict(optim_config))
        config = {"freq_aug": "True" if name == "graph" else "False", "optim_config": optim_config}
        np.random.seed(5)
        random.seed(5)
        losses, rates = [], []
        for epoch in range(2):
            losses.append(train_epoch(loader_of(labels, names), net, optimizer, "cpu", scheduler, config))
            rates.append(optimizer.param_groups[0]["lr"])
        dev = Dataset_ASVspoof2019_devNeval(list_IDs=names, base_dir=Path("."))
        dev.cut = SAMPLES
        produce_evaluation_file(DataLoader(dev, batch_size=3), net, "cpu", name + ".txt", "trials.txt")
        result[name + "_losses"] = losses
        result[name + "_rates"] = np.array([float(rate) for rate in rates])
        result[name + "_scores"] = np.array([float(line.split()[-1]) for line in open(name + ".txt")])
    result["pos"] = graph.pos_S
    result["attention"] = graph.HtrgGAT_layer_ST11.att_weight12
    result["conv"] = graph.encoder[1][0].conv2.weight
    result["gru"] = raw.gru.weight_hh_l0
    optimizer = torch.optim.SGD(raw.parameters(), lr=0.1)
    restarts = SGDRScheduler(optimizer, 2, 2, 0.01)
    steps = []
    for _ in range(5):
        optimizer.step()
        restarts.step()
        steps.append(float(optimizer.param_groups[0]["lr"]))
    result["restarts"] = np.array(steps)
    return result
# Trains within 3e-4: of 1.5 million windows of its max pools 24 have two values within 2e-6 of each other, and which one
# gets the gradient is a matter of rounding.
