import argparse

import numpy as np
import torch

from losses import SupConLoss
from main_supcon import train as train_epoch
from networks.resnet_big import LinearClassifier, SupConResNet
from util import accuracy, adjust_learning_rate, set_optimizer

opt = argparse.Namespace(
    method="SupCon",
    learning_rate=0.05,
    momentum=0.9,
    weight_decay=1e-4,
    print_freq=1,
    warm=True,
    warm_epochs=1,
    warmup_from=0.01,
    warmup_to=0.05,
    cosine=True,
    lr_decay_rate=0.1,
    epochs=4,
)


def build():
    return SupConResNet(name="resnet18"), LinearClassifier(name="resnet18", num_classes=6)


def init():
    torch.manual_seed(1)
    model = SupConResNet(name="resnet18")
    return {"conv": model.encoder.layer2[0].conv1.weight, "head": model.head[0].weight}


def views(seed, size=8):
    rng = np.random.RandomState(seed)
    images = [torch.from_numpy(rng.randn(size, 3, 16, 16).astype("float32")) for _ in range(2)]
    return images, torch.from_numpy(rng.randint(0, 3, size))


def forward(model, classifier):
    model.eval()
    (first, second), labels = views(0)
    features = torch.cat([model(first).unsqueeze(1), model(second).unsqueeze(1)], dim=1)
    logits = classifier(model.encoder(first))
    return {
        "features": features,
        "logits": logits,
        "supervised": SupConLoss(temperature=0.1)(features, labels),
        "simclr": SupConLoss(temperature=0.1)(features),
        "one": SupConLoss(contrast_mode="one")(features, labels),
        "accuracy": lambda: torch.cat(accuracy(logits, labels, topk=(1, 3))),
    }


def train(model, classifier):
    criterion = SupConLoss(temperature=0.1)
    optimizer = set_optimizer(opt, model)
    loader = [views(seed) for seed in range(1, 3)]
    losses = []
    for epoch in range(1, 4):
        adjust_learning_rate(opt, optimizer, epoch)
        opt.method = "SupCon" if epoch < 3 else "SimCLR"
        losses.append(train_epoch(loader, model, criterion, optimizer, epoch, opt))
    return {
        "losses": np.array(losses),
        "conv": model.encoder.conv1.weight,
        "head": model.head[2].weight,
        "mean": model.encoder.bn1.running_mean,
    }
