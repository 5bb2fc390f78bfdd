import logging

import numpy as np
import torch

import train as training
from ptsemseg.loss import bootstrapped_cross_entropy2d, multi_scale_cross_entropy2d
from ptsemseg.models import get_model
from ptsemseg.models.icnet import icnet
from ptsemseg.models.segnet import segnet
from ptsemseg.schedulers import get_scheduler

CLASSES, SIZE = 4, 64
UNET = 204  # its convolutions have no padding


def build():
    unet = get_model({"arch": "unet", "feature_scale": 16}, CLASSES)
    pspnet = get_model({"arch": "pspnet", "block_config": [1, 1, 1, 1], "input_size": (SIZE, SIZE)}, CLASSES)
    return unet, pspnet, segnet(CLASSES), icnet(CLASSES, block_config=[2, 2, 2, 2], input_size=(SIZE, SIZE))


def images(seed, size=SIZE):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randn(2, 3, size, size).astype("float32"))


def labels(seed, size=SIZE):
    rng = np.random.RandomState(seed)
    made = rng.randint(0, CLASSES, (2, size, size))
    made[:, :4] = 250
    return torch.from_numpy(made)


def rates(config):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
    scheduler = get_scheduler(optimizer, config)
    found = []
    for _ in range(5):
        optimizer.step()
        scheduler.step()
        found.append(optimizer.param_groups[0]["lr"])
    return np.array(found)


def forward(unet, pspnet, segnet, icnet):
    for net in (unet, pspnet, segnet, icnet):
        net.eval()
    scores = unet(images(0, UNET))
    return {
        "unet": scores,
        "pspnet": lambda: pspnet(images(1)),
        "segnet": lambda: segnet(images(2, 32)),
        "icnet": lambda: icnet.train()(images(3, 193))[0],
        "bootstrapped": lambda: bootstrapped_cross_entropy2d(scores, labels(0, scores.shape[-1]), K=100),
        "scales": lambda: multi_scale_cross_entropy2d((scores, scores[:, :, ::2, ::2]), labels(0)),
        "warm_rates": lambda: rates({"name": "poly_lr", "max_iter": 8, "warmup_iters": 2}),
        "step_rates": lambda: rates({"name": "multi_step", "milestones": [2, 4]}),
    }


class MadeUp(torch.utils.data.Dataset):
    n_classes = CLASSES

    def __init__(self, path, is_transform, split, img_size, augmentations=None):
        seed = 0 if split == "train" else 9
        self.images, self.labels = images(seed, img_size[0]), labels(seed, img_size[1])

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


class Writer:
    def __init__(self):
        self.values = []
        self.file_writer = self

    def get_logdir(self):
        return "."

    def add_scalar(self, name, value, step):
        self.values.append(value)


def config(size, optimizer, schedule, loss):
    return {
        "model": {"arch": "made up"},
        "data": {
            "dataset": "made up", "path": ".", "train_split": "train", "val_split": "val", "img_rows": size, "img_cols": size,
        },
        "training": {
            "train_iters": 4, "batch_size": 2, "val_interval": 3, "n_workers": 0, "print_interval": 1, "resume": None,
            "optimizer": optimizer, "lr_schedule": schedule, "loss": loss,
        },
    }  # fmt: skip


def train(unet, pspnet, segnet, icnet):
    """Both through the program's own train(), on a dataset of one batch."""
    training.get_loader = lambda name: MadeUp
    plans = {
        "segnet": (
            segnet,
            32,
            {"name": "sgd", "lr": 0.01, "momentum": 0.9, "weight_decay": 5e-4},
            {"name": "poly_lr", "max_iter": 8, "warmup_iters": 2},
            {"name": "cross_entropy", "size_average": True},
        ),
        "pspnet": (
            pspnet,
            SIZE,
            {"name": "adam", "lr": 1e-6},
            {"name": "multi_step", "milestones": [2], "gamma": 0.1},
            {"name": "multi_scale_cross_entropy"},
        ),
    }
    results = {}
    for name, (net, *plan) in plans.items():
        training.get_model = lambda model_dict, n_classes, net=net: net
        writer = Writer()
        training.train(config(*plan), writer, logging.getLogger("made up"))
        results[name + "_values"] = np.array(writer.values, dtype="float64")
    results["segnet_weight"] = segnet.up1.conv2.cbr_unit[0].weight
    results["pspnet_weight"] = pspnet.classification.weight
    return results
