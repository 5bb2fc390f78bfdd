from argparse import Namespace

import numpy as np
import torch
from torch import nn, optim

from model.ema import EMA
from model.model import BiDAF

WORDS, CHARS, DIM = 30, 20, 6
ARGS = Namespace(
    char_vocab_size=CHARS, char_dim=4, char_channel_size=6, char_channel_width=3, word_dim=6, hidden_size=6, dropout=0.0,
    learning_rate=0.5, exp_decay_rate=0.9,
)  # fmt: skip


def batch(seed):
    rng = np.random.RandomState(seed)

    def words(size, length, lengths):
        return torch.from_numpy(rng.randint(0, WORDS, (size, length))), torch.tensor(lengths)

    return Namespace(
        id=["a", "b", "c"],
        c_char=torch.from_numpy(rng.randint(0, CHARS, (3, 9, 7))),
        q_char=torch.from_numpy(rng.randint(0, CHARS, (3, 5, 7))),
        c_word=words(3, 9, [7, 9, 4]),
        q_word=words(3, 5, [5, 3, 5]),
        s_idx=torch.from_numpy(rng.randint(0, 4, 3)),
        e_idx=torch.from_numpy(rng.randint(0, 4, 3)),
    )


def build():
    pretrained = torch.from_numpy(np.random.RandomState(1).randn(WORDS, 6).astype("float32"))
    return (BiDAF(ARGS, pretrained),)


def forward(model):
    model.eval()
    return {"model": lambda: model(batch(5))}


def evaluated(model, ema):
    criterion = nn.CrossEntropyLoss()
    loss, answers = 0, dict()
    model.eval()
    backup_params = EMA(0)
    for name, param in model.named_parameters():
        if param.requires_grad:
            backup_params.register(name, param.data)
            param.data.copy_(ema.get(name))
    with torch.set_grad_enabled(False):
        for data in (batch(7), batch(8)):
            p1, p2 = model(data)
            batch_loss = criterion(p1, data.s_idx) + criterion(p2, data.e_idx)
            loss += batch_loss.item()
            batch_size, c_len = p1.size()
            ls = nn.LogSoftmax(dim=1)
            mask = (torch.ones(c_len, c_len) * float("-inf")).tril(-1).unsqueeze(0).expand(batch_size, -1, -1)
            score = (ls(p1).unsqueeze(2) + ls(p2).unsqueeze(1)) + mask
            score, s_idx = score.max(dim=1)
            score, e_idx = score.max(dim=1)
            s_idx = torch.gather(s_idx, 1, e_idx.view(-1, 1)).squeeze()
            for i in range(batch_size):
                answer = data.c_word[0][i][s_idx[i] : e_idx[i] + 1]
                answers[data.id[i]] = [int(idx) for idx in answer]
        for name, param in model.named_parameters():
            if param.requires_grad:
                param.data.copy_(backup_params.get(name))
    return [loss, len(answers), score]


def train(model):
    def trained():
        ema = EMA(ARGS.exp_decay_rate)
        for name, param in model.named_parameters():
            if param.requires_grad:
                ema.register(name, param.data)
        parameters = filter(lambda p: p.requires_grad, model.parameters())
        optimizer = optim.Adadelta(parameters, lr=ARGS.learning_rate)
        criterion = nn.CrossEntropyLoss()
        model.train()
        losses = []
        for step in range(3):
            data = batch(step)
            p1, p2 = model(data)
            optimizer.zero_grad()
            batch_loss = criterion(p1, data.s_idx) + criterion(p2, data.e_idx)
            losses.append(batch_loss.item())
            batch_loss.backward()
            optimizer.step()
            for name, param in model.named_parameters():
                if param.requires_grad:
                    ema.update(name, param.data)
        return losses + evaluated(model, ema) + [ema.get("char_emb.weight")] + list(model.parameters())

    return {"steps": trained}
