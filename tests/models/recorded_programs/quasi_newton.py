"""LBFGS with closures, with and without a search along the line: for networks, and for an image that is changed to look
like another."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 10)
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class Solver:
    def __init__(self, net, x, y, **settings):
        self.net, self.x, self.y = net, x, y
        self.optimizer = optim.LBFGS(net.parameters(), **settings)

    def loss(self):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.net(self.x), self.y)
        loss.backward()
        return loss

    def train(self):
        return [self.optimizer.step(self.loss).item() for _ in range(5)]


def style(net, image, wanted):
    image = image.clone().requires_grad_(True)
    optimizer = optim.LBFGS([image], lr=0.5, max_iter=4)
    losses = []
    while len(losses) < 20:

        def closure():
            with torch.no_grad():
                image.clamp_(-1, 1)
            optimizer.zero_grad()
            loss = F.mse_loss(net(image), wanted)
            loss.backward()
            losses.append(loss.item())
            return loss

        optimizer.step(closure)
    return losses


def networks():
    return Net(), Net(), Net()


def run(first, second, third, arrays):
    inputs, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    plain = Solver(first, inputs[0], labels[0], lr=0.1, max_iter=4)
    searching = Solver(
        second, inputs[1], labels[1], lr=0.5, max_iter=4, history_size=3, line_search_fn="strong_wolfe"
    )
    with torch.no_grad():
        wanted = third(inputs[3])
    return plain.train() + searching.train() + style(third, inputs[2], wanted)
