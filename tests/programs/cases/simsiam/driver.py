import numpy as np
import torch

from models import get_backbone
from models.simsiam import D, SimSiam, prediction_MLP, projection_MLP
from optimizers import LR_Scheduler, get_optimizer

WIDTH = 16


def made():
    model = SimSiam(get_backbone("resnet18_cifar_variant1"))
    model.projector = projection_MLP(512, WIDTH, WIDTH)
    model.encoder = torch.nn.Sequential(model.backbone, model.projector)
    model.predictor = prediction_MLP(WIDTH, 8, WIDTH)
    model.projector.set_layers(2)
    return model


def build():
    return made(), made(), made(), made()


def images(seed, n=16):
    return torch.from_numpy(np.random.RandomState(seed).randn(n, 3, 8, 8).astype("float32"))


def vectors(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(5, 7).astype("float32"))


def forward(first, second, third, fourth):
    first.eval()
    return {
        "encoded": first.encoder(images(0)),
        "loss": first(images(0), images(1))["loss"],
        "simplified": D(vectors(0), vectors(1)),
        "original": D(vectors(0), vectors(1), version="original"),
    }


def train(*models):
    results = {}
    for name, model in zip(("lars", "sgd", "lars_simclr", "larc"), models):
        optimizer = get_optimizer(name, model, lr=0.03, momentum=0.9, weight_decay=0.0005)
        lr_scheduler = LR_Scheduler(optimizer, 1, 0.0, 3, 0.03, 0.0, 2, constant_predictor_lr=name in ("lars", "sgd"))
        losses, rates = [], []
        model.train()
        for step in range(3):
            model.zero_grad()
            loss = model.forward(images(2 * step), images(2 * step + 1))["loss"].mean()
            loss.backward()
            optimizer.step()
            lr_scheduler.step()
            losses.append(loss.item())
            rates.append(lr_scheduler.get_lr())
        results[name] = losses
        results[name + "_rates"] = rates
        results[name + "_weight"] = model.predictor.layer2.weight
        results[name + "_conv"] = model.backbone.conv1.weight
    return results
