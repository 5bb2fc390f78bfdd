"""Steps that no optimizer takes: the program clears the gradients of a module and writes its weights itself, of which
it has written slices before."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(6, 5, 1)
        self.last = nn.Linear(5, 3)
        self.init_weights()

    def init_weights(self):
        self.last.weight.data.uniform_(-0.1, 0.1)
        self.last.bias.data.zero_()

    def forward(self, x, hidden):
        output, hidden = self.rnn(x.unsqueeze(1), hidden)
        return self.last(output.squeeze(1)), hidden


def networks():
    return (Tagger(),)


def train(model, loader, rate, losses):
    model.train()
    hidden = torch.zeros(1, 1, 5)
    for x, y in loader:
        model.zero_grad()
        hidden = hidden.detach()
        output, hidden = model(x, hidden)
        loss = F.cross_entropy(output, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-rate)
        losses.append(loss.item())


def run(model, arrays):
    losses = []
    data = list(zip(torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])))
    for rate in (0.5, 0.2):
        train(model, data, rate, losses)
    with torch.no_grad():
        model.last.weight[1:] *= 0.5
    train(model, data, 0.5, losses)
    return losses
