import argparse
import os
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset

import datasets
import models
import train_meta
import utils
import utils.few_shot as fs
from datasets.datasets import register

WAYS, SHOTS, QUERIES = 3, 1, 2


@register("made-up")
class MadeUp(Dataset):
    n_classes = 5

    def __init__(self, root_path, seed=0):
        rng = np.random.RandomState(seed)
        self.label = [place % self.n_classes for place in range(30)]
        prototypes = rng.randn(self.n_classes, 3, 16, 16)
        self.data = [(prototypes[one] + rng.randn(3, 16, 16)).astype("float32") for one in self.label]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return torch.from_numpy(self.data[i]), self.label[i]


def build():
    net = models.make("meta-baseline", encoder="convnet4", encoder_args={"hid_dim": 8, "z_dim": 8})
    classifier = models.make(
        "classifier",
        encoder="resnet12",
        encoder_args={},
        classifier="nn-classifier",
        classifier_args={"n_classes": 5},
    )
    return net, classifier


def images(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, classifier):
    net.eval()
    classifier.eval()
    x_shot, x_query = fs.split_shot_query(images(0, 18, 3, 16, 16), WAYS, SHOTS, QUERIES, ep_per_batch=2)
    logits = net(x_shot, x_query).view(-1, WAYS)
    label = fs.make_nk_label(WAYS, QUERIES, ep_per_batch=2)
    return {
        "logits": logits,
        "label": label,
        "accuracy": np.array(utils.compute_acc(logits, label)),
        "classified": classifier(images(1, 2, 3, 32, 32)),
    }


def train(net, classifier):
    models.models.models["given"] = lambda **settings: net
    config = {
        "train_dataset": "made-up",
        "train_dataset_args": {"seed": 1},
        "val_dataset": "made-up",
        "val_dataset_args": {"seed": 2},
        "model": "given",
        "model_args": {"encoder": "convnet4"},
        "train_batches": 3,
        "n_way": WAYS,
        "n_shot": SHOTS,
        "n_query": QUERIES,
        "ep_per_batch": 2,
        "max_epoch": 2,
        "save_epoch": 1,
        "freeze_bn": True,
        "optimizer": "sgd",
        "optimizer_args": {"lr": 0.05, "weight_decay": 5e-4, "milestones": [1]},
    }
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        train_meta.args = argparse.Namespace(name="_made-up", tag=None)
        train_meta.main(config)
        log = torch.load(os.path.join(folder, "save", "_made-up", "trlog.pth"), weights_only=False)
        saved = torch.load(os.path.join(folder, "save", "_made-up", "epoch-1.pth"), weights_only=False)
    return {
        **{name: np.array(values) for name, values in log.items() if name not in ("tvl", "tva")},
        "saved": saved["model_sd"]["temp"],
        "temp": net.temp,
        "conv": net.encoder.encoder[0][0].weight,
        "last": net.encoder.encoder[3][0].weight,
    }
