import argparse

import numpy as np
import torch
from model.pspnet import PSPNet
from tool import train as training
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from util.util import init_weights

CLASSES, IGNORED = 5, 255


class Writer:
    """Takes what the training loop writes for TensorBoard."""

    def __init__(self):
        self.scalars = {}

    def add_scalar(self, name, value, step):
        self.scalars.setdefault(name, []).append(float(value))


def build():
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORED)
    return PSPNet(
        layers=50, classes=CLASSES, dropout=0.0, zoom_factor=8, criterion=criterion, pretrained=False
    )


def pictures(seed, count):
    random = np.random.RandomState(seed)
    images = random.randn(count, 3, 41, 41).astype("float32")
    labels = random.randint(0, CLASSES, (count, 41, 41)).astype("int64")
    labels[:, :3] = IGNORED
    return torch.from_numpy(images), torch.from_numpy(labels)


def forward(model):
    model.eval()
    images, labels = pictures(0, 2)
    with torch.no_grad():
        output = model(images)
        loss = model.criterion(output, labels)
    return {"output": output, "loss": loss}


def train(model):
    training.args = argparse.Namespace(
        epochs=2,
        base_lr=0.0001,
        power=0.9,
        zoom_factor=8,
        aux_weight=0.4,
        classes=CLASSES,
        ignore_label=IGNORED,
        multiprocessing_distributed=False,
        index_split=5,
        print_freq=1,
    )
    training.logger, training.writer = training.get_logger(), Writer()
    args = training.args
    params_list = []
    for module in [model.layer0, model.layer1, model.layer2, model.layer3, model.layer4]:
        params_list.append({"params": module.parameters(), "lr": args.base_lr})
    for module in [model.ppm, model.cls, model.aux]:
        params_list.append({"params": module.parameters(), "lr": args.base_lr * 10})
    optimizer = torch.optim.SGD(params_list, lr=args.base_lr, momentum=0.9, weight_decay=0.0001)
    loader = DataLoader(TensorDataset(*pictures(1, 12)), batch_size=4, shuffle=False, drop_last=True)
    loss, _, _, _ = training.train(loader, model, optimizer, 0)
    return {
        "losses": training.writer.scalars["loss_train_batch"],
        "loss": loss,
        "classifier": model.cls[4].weight,
        "first": model.layer0[0].weight,
        "lr": [group["lr"] for group in optimizer.param_groups],
    }


def init():
    net = nn.Sequential(nn.Conv2d(16, 32, 3), nn.BatchNorm2d(32), nn.Linear(64, 32))
    init_weights(net, conv="kaiming", batchnorm="normal", linear="xavier")
    return {"conv": net[0].weight, "norm": net[1].weight, "linear": net[2].weight}
