"""Networks of one class that share an optimizer, in every way to hand it the parameters of several; and a network that
gives an array beside its output."""

import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Coder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(6, size)
        self.gate = nn.Linear(6, size)

    def forward(self, x):
        weights = torch.sigmoid(self.gate(x))
        return torch.tanh(self.layer(x)) * weights, weights.data.numpy()


def optimizers(encoder, decoder):
    both = [encoder, decoder]
    parameters = list(encoder.parameters())
    parameters += list(decoder.parameters())
    yield torch.optim.Adam(itertools.chain(encoder.parameters(), decoder.parameters()), lr=0.01)
    yield torch.optim.AdamW(list(encoder.parameters()) + list(decoder.parameters()), lr=0.01)
    yield torch.optim.RMSprop([p for net in both for p in net.parameters()], lr=0.01)
    yield torch.optim.SGD(parameters, lr=0.05, momentum=0.9)
    yield torch.optim.SGD([{"params": encoder.parameters()}, {"params": decoder.parameters(), "lr": 0.02}], lr=0.1)


def networks():
    return Coder(6), Coder(6)


def train(encoder, decoder, optimizer, x, y, losses):
    for data, target in zip(x, y):
        optimizer.zero_grad()
        code, weights = encoder(data)
        output, _ = decoder(code)
        loss = F.mse_loss(output, data) + F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item() + float(weights.mean()))


def run(encoder, decoder, arrays):
    losses = []
    x, y = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    for optimizer in optimizers(encoder, decoder):
        train(encoder, decoder, optimizer, x, y, losses)
    return losses
