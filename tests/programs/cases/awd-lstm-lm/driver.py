import argparse
import os

import numpy as np
import torch

import data as corpora
from model import RNNModel
from splitcross import SplitCrossEntropyLoss
from utils import batchify, get_batch, repackage_hidden

args = argparse.Namespace(
    emsize=12, nhid=16, nlayers=2, tied=True, wdrop=0.5, dropout=0.0, dropouth=0.0, dropouti=0.0, dropoute=0.0,
    batch_size=4, bptt=7, lr=1.0, clip=0.25, wdecay=1.2e-6, alpha=2, beta=1, cuda=False,
)

rng = np.random.RandomState(0)
os.makedirs("corpus", exist_ok=True)
for part, lines in (("train", 24), ("valid", 8), ("test", 8)):
    with open(f"corpus/{part}.txt", "w", encoding="utf-8") as f:
        for _ in range(lines):
            f.write(" ".join(f"w{word}" for word in rng.randint(0, 40, 4)) + "\n")
corpus = corpora.Corpus("corpus")
train_data = batchify(corpus.train, args.batch_size, args)
val_data = batchify(corpus.valid, args.batch_size, args)
ntokens = len(corpus.dictionary)


def build():
    models = []
    for rnn_type in ("LSTM", "GRU"):
        model = RNNModel(
            rnn_type, ntokens, args.emsize, args.nhid, args.nlayers, args.dropout, args.dropouth, args.dropouti,
            args.dropoute, args.wdrop, args.tied,
        )
        for rnn in model.rnns:
            rnn.dropout = 0.0  # weights pass through WeightDrop, but none is dropped
        models.append(model)
    return (*models, SplitCrossEntropyLoss(args.emsize, splits=[12, 25], verbose=False))


def forward(lstm, gru, criterion):
    outputs = {}
    for name, model in (("lstm", lstm), ("gru", gru)):
        model.eval()
        data, targets = get_batch(val_data, 0, args, evaluation=True)
        result, hidden, raw_outputs, _ = model(data, model.init_hidden(args.batch_size), return_h=True)
        outputs[f"{name}_result"] = result
        outputs[f"{name}_hidden"] = hidden[-1][0]
        outputs[f"{name}_raw"] = raw_outputs[0]
        outputs[f"{name}_loss"] = criterion(model.decoder.weight, model.decoder.bias, result, targets)
        outputs[f"{name}_logprob"] = criterion.logprob(model.decoder.weight, model.decoder.bias, result[:3])
    return outputs


def evaluate(model, criterion, data_source, batch_size):
    model.eval()
    total_loss = 0
    hidden = model.init_hidden(batch_size)
    for i in range(0, data_source.size(0) - 1, args.bptt):
        data, targets = get_batch(data_source, i, args, evaluation=True)
        output, hidden = model(data, hidden)
        total_loss += len(data) * criterion(model.decoder.weight, model.decoder.bias, output, targets).data
        hidden = repackage_hidden(hidden)
    return total_loss.item() / len(data_source)


def trained(model, criterion):
    """train() of main.py, which can only be run as a script."""
    np.random.seed(1)
    params = list(model.parameters()) + list(criterion.parameters())
    optimizer = torch.optim.SGD(params, lr=args.lr, weight_decay=args.wdecay)
    losses = []
    hidden = model.init_hidden(args.batch_size)
    batch, i = 0, 0
    while i < train_data.size(0) - 1 - 1:
        bptt = args.bptt if np.random.random() < 0.95 else args.bptt / 2.
        # Prevent excessively small or negative sequence lengths
        seq_len = max(5, int(np.random.normal(bptt, 5)))

        lr2 = optimizer.param_groups[0]['lr']
        optimizer.param_groups[0]['lr'] = lr2 * seq_len / args.bptt
        model.train()
        data, targets = get_batch(train_data, i, args, seq_len=seq_len)

        # Starting each batch, we detach the hidden state from how it was previously produced.
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()

        output, hidden, rnn_hs, dropped_rnn_hs = model(data, hidden, return_h=True)
        raw_loss = criterion(model.decoder.weight, model.decoder.bias, output, targets)

        loss = raw_loss
        # Activiation Regularization
        if args.alpha: loss = loss + sum(args.alpha * dropped_rnn_h.pow(2).mean() for dropped_rnn_h in dropped_rnn_hs[-1:])
        # Temporal Activation Regularization (slowness)
        if args.beta: loss = loss + sum(args.beta * (rnn_h[1:] - rnn_h[:-1]).pow(2).mean() for rnn_h in rnn_hs[-1:])
        loss.backward()

        # `clip_grad_norm` helps prevent the exploding gradient problem in RNNs / LSTMs.
        if args.clip: torch.nn.utils.clip_grad_norm_(params, args.clip)
        optimizer.step()

        losses.append(raw_loss.item())
        optimizer.param_groups[0]['lr'] = lr2
        batch += 1
        i += seq_len
    losses.append(evaluate(model, criterion, val_data, args.batch_size))
    return losses


def train(lstm, gru, criterion):
    return {
        "losses": trained(lstm, criterion),
        "encoder": lstm.encoder.weight,
        "recurrent": lstm.rnns[0].module.weight_hh_l0_raw,
        "tail": criterion.tail_vectors,
        "gru": lambda: trained(gru, SplitCrossEntropyLoss(args.emsize, splits=[], verbose=False)),
    }


def init():
    torch.manual_seed(1)
    model = RNNModel("LSTM", 100, 20, 30, 2, tie_weights=True)
    return {"encoder": model.encoder.weight, "recurrent": model.rnns[0].weight_hh_l0}
