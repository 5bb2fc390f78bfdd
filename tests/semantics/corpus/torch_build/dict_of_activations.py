"""Activations from a dict of classes or instances; PReLU has parameters, one instance is shared."""

import torch.nn as nn

activations = {"relu": nn.ReLU(inplace=True), "prelu": nn.PReLU(num_parameters=6), "none": nn.Identity()}
classes = nn.ModuleDict([["relu", nn.ReLU()], ["prelu", nn.PReLU()]])


def block(width, activation):
    return nn.Sequential(nn.Linear(width, width), activations.get(activation, nn.Tanh()))


answer = nn.Sequential(block(6, "prelu"), block(6, "prelu"), block(6, "gelu"))
answer_classes = classes
answer_last = type(answer[2][1]).__name__
answer_same = answer[0][1] is answer[1][1]
