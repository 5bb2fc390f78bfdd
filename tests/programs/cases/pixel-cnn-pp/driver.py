import numpy as np
import torch
import torch.optim as optim
from torch.optim import lr_scheduler

from model import *
from utils import *


def without_dropout(model):
    for part in model.modules():
        if isinstance(part, nn.Dropout2d):
            part.p = 0.0
    return model


def build():
    return (
        without_dropout(PixelCNN(nr_resnet=1, nr_filters=6, input_channels=3, nr_logistic_mix=2)),
        without_dropout(PixelCNN(nr_resnet=1, nr_filters=6, input_channels=1, nr_logistic_mix=2)),
    )


def images(seed, channels):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (3, channels, 8, 8)).astype("float32"))


def forward(colour, grey):
    colour.eval()
    grey.eval()
    x = images(0, 3)
    output = colour(x)
    return {
        "output": output,
        "grey": grey(images(1, 1)),
        "sampled": colour(x, sample=True),
        "loss": discretized_mix_logistic_loss(x, output),
        "loss_1d": discretized_mix_logistic_loss_1d(images(1, 1), grey(images(1, 1))),
        "shifted": down_shift(x) + right_shift(x),
        "one_hot": to_one_hot(torch.from_numpy(np.array([[1, 0], [2, 1]])), 3),
        "sample": lambda: torch.tensor(sample_from_discretized_mix_logistic(output, 2).size()),
    }


def train(colour, grey):
    results = {}
    for name, model, channels, loss_op in (
        ("colour", colour, 3, lambda real, fake: discretized_mix_logistic_loss(real, fake)),
        ("grey", grey, 1, lambda real, fake: discretized_mix_logistic_loss_1d(real, fake)),
    ):
        optimizer = optim.Adam(model.parameters(), lr=0.0002)
        scheduler = lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.999995)
        train_loss = 0.0
        model.train()
        for step in range(3):
            input = Variable(images(10 + step, channels))
            output = model(input)
            loss = loss_op(input, output)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            train_loss += loss.data.item()
            scheduler.step()
        results[name] = train_loss
        results[name + "_g"] = model.nin_out.lin_a.weight_g
        results[name + "_v"] = model.u_init.conv.weight_v
    return results
