import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import SGD

import utils
from cifar import resnet

CLASSES = 10

opt = argparse.Namespace(
    dtype="float", depth=10, width=0.5, lr=0.01, weight_decay=0.0005, temperature=4, alpha=0.9, beta=1000, ngpu=1
)

f_s, _ = resnet(opt.depth, opt.width, CLASSES)
f_t, _ = resnet(opt.depth, 1, CLASSES)


class Params(nn.Module):
    """The repository keeps its parameters and running statistics in dicts; here they are a module's, too."""

    def __init__(self, params):
        super().__init__()
        self.names = list(params)
        for name, value in params.items():
            if value.requires_grad:
                self.register_parameter(name.replace(".", "__"), nn.Parameter(value.data))
            else:
                self.register_buffer(name.replace(".", "__"), value)

    def as_dict(self):
        return {name: getattr(self, name.replace(".", "__")) for name in self.names}


def build():
    _, params_s = resnet(opt.depth, opt.width, CLASSES)
    _, params_t = resnet(opt.depth, 1, CLASSES)
    return Params(params_s), Params(params_t)


def init():
    torch.manual_seed(1)
    return {"conv": utils.conv_params(64, 128, 3), "linear": utils.linear_params(128, 200)["weight"]}


def batch(seed):
    rng = np.random.RandomState(seed)
    return torch.from_numpy(rng.randn(6, 3, 32, 32).astype("float32")), torch.from_numpy(rng.randint(0, CLASSES, 6))


def forward(student, teacher):
    inputs = batch(0)[0]
    with torch.no_grad():
        y_s, groups_s = f_s(inputs, student.as_dict(), False)
        y_t, groups_t = f_t(inputs, teacher.as_dict(), False)
        return {
            "student": y_s,
            "teacher": y_t,
            "attention": utils.at(groups_s[1]),
            "at_losses": [utils.at_loss(x, y) for x, y in zip(groups_s, groups_t)],
        }


def train(student, teacher):
    """The steps of cifar.main, which torchnet's engine takes: each in a closure that is given to the optimizer."""
    params_s, params_t = student.as_dict(), teacher.as_dict()
    params = {"student." + k: v for k, v in params_s.items()}
    for k, v in params_t.items():
        params["teacher." + k] = v.detach().requires_grad_(False)

    def f(inputs, params, mode):
        y_s, g_s = f_s(inputs, params, mode, "student.")
        with torch.no_grad():
            y_t, g_t = f_t(inputs, params, False, "teacher.")
        return y_s, y_t, [utils.at_loss(x, y) for x, y in zip(g_s, g_t)]

    optimizer = SGD(
        (v for v in params.values() if v.requires_grad), opt.lr, momentum=0.9, weight_decay=opt.weight_decay
    )

    def h(sample):
        inputs = utils.cast(sample[0], opt.dtype).detach()
        targets = utils.cast(sample[1], "long")
        y_s, y_t, loss_groups = utils.data_parallel(f, inputs, params, sample[2], range(opt.ngpu))
        loss_groups = [v.sum() for v in loss_groups]
        return utils.distillation(y_s, y_t, targets, opt.temperature, opt.alpha) + opt.beta * sum(loss_groups), y_s

    losses = []
    for step in range(3):
        sample = [*batch(10 + step), True]

        def closure():
            loss, output = h(sample)
            loss.backward()
            losses.append(loss.item())
            return loss

        optimizer.zero_grad()
        optimizer.step(closure)

    with torch.no_grad():
        y = f_s(batch(1)[0], params_s, False)[0]
        losses.append(F.cross_entropy(y, batch(1)[1]).item())
    return {
        "losses": losses,
        "conv0": params_s["conv0"],
        "fc": params_s["fc.weight"],
        "running_mean": params_s["bn.running_mean"],
    }
