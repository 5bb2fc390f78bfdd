"""Sequences of several lengths, packed: a tagger that reads both ways and gets its batch in any order, and a captioner
whose loss is over the packed values."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

LENGTHS = [3, 6, 1, 4, 6, 2]


class Tagger(nn.Module):
    """One tag for each sequence, from the output at all places and the state at its end."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(1, 5)
        self.rnn = nn.GRU(5, 4, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(16, 3)

    def forward(self, x, lengths, hidden=None):
        packed = pack_padded_sequence(self.embed(x), lengths.cpu(), batch_first=True, enforce_sorted=False)
        self.rnn.flatten_parameters()
        output, hidden = self.rnn(packed, hidden)
        output, sizes = pad_packed_sequence(output, batch_first=True, total_length=x.size(1))
        mean = output.sum(dim=1) / sizes.unsqueeze(1)
        return self.out(torch.cat([mean, hidden[-2], hidden[-1]], dim=1))


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(3, 6)
        self.lstm = nn.LSTM(6, 5, batch_first=True)
        self.out = nn.Linear(5, 3)

    def forward(self, features, captions, lengths):
        embeddings = torch.cat((features.unsqueeze(1), self.embed(captions)), 1)
        packed = pack_padded_sequence(embeddings, lengths, batch_first=True)
        hiddens, _ = self.lstm(packed)
        return self.out(hiddens[0])


class Smoother(nn.Module):
    """Works on the packed values themselves."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 3)
        self.layer = nn.Linear(3, 1)

    def forward(self, packed):
        if isinstance(packed, PackedSequence):
            packed = PackedSequence(torch.tanh(packed.data), packed.batch_sizes)
        output, (hidden, _) = self.lstm(packed)
        return self.layer(output.data), hidden


def networks():
    return Tagger(), Captioner(), Smoother()


def tag(model, inputs, labels):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    lengths = torch.tensor(LENGTHS)
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x.unsqueeze(2), lengths), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def caption(model, inputs, labels):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    lengths = sorted(LENGTHS, reverse=True)
    losses = []
    for x, y in zip(inputs, labels):
        captions = torch.stack([y.roll(i) for i in range(len(y))])
        targets = pack_padded_sequence(captions, lengths, batch_first=True)[0]
        outputs = model(x, captions, lengths)
        loss = criterion(outputs, targets)
        model.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def smooth(model, inputs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for x in inputs:
        rows = [row[:length].unsqueeze(1) for row, length in zip(x, sorted(LENGTHS, reverse=True))]
        packed = nn.utils.rnn.pack_sequence(rows)
        optimizer.zero_grad()
        output, hidden = model(packed)
        loss = F.mse_loss(output, packed.data) + hidden.pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def run(tagger, captioner, smoother, arrays):
    inputs, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    return tag(tagger, inputs, labels) + caption(captioner, inputs, labels) + smooth(smoother, inputs)
