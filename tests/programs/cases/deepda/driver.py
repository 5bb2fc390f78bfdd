import argparse
import os
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "code", "DeepDA"))

import main as deepda

CLASSES, LOSSES = 3, ("adv", "mmd", "daan", "coral", "bnm")


def arguments(transfer_loss):
    return argparse.Namespace(
        n_class=CLASSES,
        transfer_loss=transfer_loss,
        transfer_loss_weight=0.5,
        backbone="resnet18",
        use_bottleneck=True,
        max_iter=10,
        device=torch.device("cpu"),
        lr=0.01,
        lr_scheduler=True,
        lr_gamma=0.0003,
        lr_decay=0.75,
        momentum=0.9,
        weight_decay=5e-4,
        n_epoch=2,
        n_iter_per_epoch=2,
        early_stop=0,
    )


def build():
    return tuple(deepda.get_model(arguments(one)) for one in LOSSES)


class Loader:
    """Batches of made-up images."""

    def __init__(self, seed):
        rng = np.random.RandomState(seed)
        self.batches = [
            (
                torch.from_numpy(rng.randn(6, 3, 32, 32).astype("float32")),
                torch.from_numpy(rng.randint(0, CLASSES, 6)),
            )
            for _ in range(2)
        ]
        self.dataset = range(12)

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        return iter(self.batches)


def forward(*nets):
    images, _ = Loader(0).batches[0]
    return {one: net.eval().predict(images) for one, net in zip(LOSSES, nets)}


def train(*nets):
    results = {}
    for one, net in zip(LOSSES, nets):
        args = arguments(one)
        optimizer = deepda.get_optimizer(net, args)
        scheduler = deepda.get_scheduler(optimizer, args)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            deepda.train(Loader(1), Loader(2), Loader(3), net, optimizer, scheduler, args)
            results[f"{one}_log"] = np.loadtxt("train_log.csv", delimiter=",")
        results[f"{one}_classifier"] = net.classifier_layer.weight
        results[f"{one}_conv"] = net.base_network.conv1.weight
    results["domain"] = nets[0].adapt_loss.loss_func.domain_classifier.layers[0].weight
    results["local"] = nets[2].adapt_loss.loss_func.local_classifiers[1].layers[3].weight
    return results
