"""A sequence model with teacher forcing: the loss adds up over a Python loop, encoder and decoder have an optimizer
each, and the step is a function of its own in the tutorial's way."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.gru = nn.GRU(8, 8, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.cell = nn.GRUCell(8, 8)
        self.out = nn.Linear(8, 12)

    def forward(self, token, hidden):
        hidden = self.cell(F.relu(self.embedding(token)), hidden)
        return F.log_softmax(self.out(hidden), dim=1), hidden


def decode(decoder, hidden, target, criterion, forced):
    loss = 0
    token = torch.zeros(target.size(0), dtype=torch.long)
    for position in range(target.size(1)):
        output, hidden = decoder(token, hidden)
        loss = loss + criterion(output, target[:, position])
        token = target[:, position] if forced else output.argmax(1).detach()
    return loss


def train_step(source, target, encoder, decoder, optimizers, criterion, forced):
    for optimizer in optimizers:
        optimizer.zero_grad()
    _, hidden = encoder(source)
    loss = decode(decoder, hidden[0], target, criterion, forced)
    loss.backward()
    for network in (encoder, decoder):
        torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    for optimizer in optimizers:
        optimizer.step()
    return loss.item() / target.size(1)


def networks():
    return Encoder(), Decoder()


def run(encoder, decoder, arrays):
    optimizers = [
        torch.optim.SGD(encoder.parameters(), lr=0.2, momentum=0.9),
        torch.optim.Adam(decoder.parameters(), lr=0.01),
    ]
    criterion = nn.NLLLoss()
    losses = []
    for i in range(6):
        source = torch.from_numpy(arrays["sources"][i])
        target = torch.from_numpy(arrays["targets"][i])
        losses.append(train_step(source, target, encoder, decoder, optimizers, criterion, i % 2 == 0))
    return losses
