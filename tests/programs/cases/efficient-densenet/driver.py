import os

import numpy as np
import torch
from torch.utils.data import TensorDataset

from demo import test_epoch, train as train_model
from models import DenseNet

os.makedirs("saved", exist_ok=True)


def build():
    small = {"growth_rate": 4, "block_config": (2, 2, 2), "num_init_features": 8, "num_classes": 10}
    return DenseNet(**small, efficient=True), DenseNet(**small, efficient=False, small_inputs=False)


def data(seed, size):
    rng = np.random.RandomState(seed)
    pictures = torch.from_numpy(rng.randn(size, 3, 32, 32).astype("float32"))
    return TensorDataset(pictures, torch.from_numpy(rng.randint(0, 10, size)))


def forward(*nets):
    outputs = {}
    for name, net in zip(("efficient", "plain"), nets):
        net.eval()
        outputs[name] = lambda net=net: net(data(0, 2)[:][0])
    return outputs


def trained(net):
    train_model(net, data(1, 12), None, data(3, 4), "saved", n_epochs=2, batch_size=4, lr=0.01)
    _, loss, error = test_epoch(net, [data(3, 4)[:]], is_test=True)
    return [
        loss, error, net.classifier.weight, net.features.norm_final.running_mean, net.features.conv0.weight,
        "classifier.bias" in torch.load("saved/model.dat"),
    ]  # fmt: skip


def train(efficient, plain):
    return {"efficient": lambda: trained(efficient), "plain": lambda: trained(plain)}
