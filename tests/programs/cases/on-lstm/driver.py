import os
import runpy
import sys
import tempfile

import numpy as np
import torch

from embed_regularize import embedded_dropout
from model import RNNModel
from ON_LSTM import LayerNorm, LinearDropConnect, ONLSTMStack, cumsoftmax
from splitcross import SplitCrossEntropyLoss
from utils import batchify, get_batch, repackage_hidden

WORDS = 19


class Arguments:
    cuda = False
    bptt = 4


def small(tied=True):
    return RNNModel("LSTM", WORDS, 8, 12, 4, 2, 0.2, 0.3, 0.2, 0.1, 0.4, tied)


def build():
    return small(), small(False), ONLSTMStack([6, 8], 4), SplitCrossEntropyLoss(8, [5, 11])


def init():
    torch.manual_seed(1)
    net = RNNModel("LSTM", 200, 40, 40, 10, 2)
    return {
        "encoder": net.encoder.weight,
        "ih": net.rnn.cells[0].ih[0].weight,
        "hh": net.rnn.cells[1].hh.weight,
        "bias": net.rnn.cells[0].hh.bias,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def words(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, WORDS, shape))


def unrolled(net):
    output, hidden = net(words(0, 5, 3), net.init_hidden(3))
    return [output, *[part for pair in repackage_hidden(hidden) for part in pair], *net.distance]


def dropped():
    torch.manual_seed(0)
    layer = LinearDropConnect(5, 4, dropout=0.5)
    with torch.no_grad():
        for number, one in enumerate(layer.parameters()):
            one.copy_(array(number, *one.shape))
    layer.train()
    masked = layer(array(3, 2, 5), sample_mask=True)
    layer.eval()
    return [masked, layer(array(3, 2, 5))]


def batches():
    data = batchify(words(4, 23), 3, Arguments)
    return [data, *get_batch(data, 1, Arguments), *get_batch(data, 5, Arguments, seq_len=9)]


def forward(net, untied, stack, criterion):
    for one in (net, untied, stack, criterion):
        one.eval()
    return {
        "net": lambda: unrolled(net),
        "untied": lambda: unrolled(untied),
        "stack": lambda: stack(array(1, 4, 2, 6), stack.init_hidden(2))[0],
        "norm": lambda: LayerNorm(6)(array(2, 3, 6)),
        "cumsoftmax": lambda: cumsoftmax(array(3, 2, 5)),
        "embedded": lambda: embedded_dropout(net.encoder, words(3, 2, 4), dropout=0.25),
        "dropped": dropped,
        "batches": batches,
        "split": lambda: criterion(untied.decoder.weight, untied.decoder.bias, array(4, 9, 8), words(5, 9)),
        "logprob": lambda: criterion.logprob(untied.decoder.weight, untied.decoder.bias, array(6, 4, 8)),
    }


def corpus(folder):
    draw = np.random.RandomState(7)
    os.makedirs(folder)
    for name, lines in (("train", 12), ("valid", 8), ("test", 4)):
        with open(f"{folder}/{name}.txt", "w") as file:
            for line in range(lines):
                file.write(" ".join(f"w{number}" for number in draw.randint(0, WORDS - 1, 5 + line % 4)) + "\n")


def train(net, untied, stack, criterion):
    """main.py as a script, which goes on from a saved model."""
    plain = SplitCrossEntropyLoss(8, [])
    folder, argv, results = os.getcwd(), sys.argv, {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        corpus("corpus")
        try:
            for optimizer in ("sgd", "adam"):
                params = list(net.parameters()) + list(plain.parameters())
                if optimizer == "sgd":
                    first = torch.optim.SGD(params, lr=1.0)
                else:
                    first = torch.optim.Adam(params, lr=0.01, betas=(0.0, 0.999), eps=1e-9)
                with open("first.pt", "wb") as file:
                    torch.save([net, plain, first], file)
                options = {
                    "data": "corpus", "emsize": 8, "nhid": 12, "chunk_size": 4, "nlayers": 2, "lr": 0.5 if optimizer == "sgd" else 0.01,
                    "epochs": 3, "batch_size": 4, "bptt": 5, "dropout": 0.2, "dropouth": 0.3, "dropouti": 0.2, "dropoute": 0.1,
                    "wdrop": 0.4, "log-interval": 1, "save": "last.pt", "resume": "first.pt", "optimizer": optimizer, "nonmono": 1,
                    "when": 2,
                }  # fmt: skip
                sys.argv = ["main.py", "--cuda", *[word for name in options for word in (f"--{name}", str(options[name]))]]
                ran = runpy.run_path(os.path.join(folder, "main.py"), run_name="__main__")
                results[optimizer + "_losses"] = [*ran["best_val_loss"], ran["test_loss"], ran["stored_loss"]]
                results[optimizer + "_rate"] = ran["optimizer"].param_groups[0]["lr"]
                results[optimizer + "_encoder"] = ran["model"].encoder.weight
                results[optimizer + "_bias"] = ran["model"].decoder.bias
        finally:
            os.chdir(folder)
            sys.argv = argv
    optimizer, losses = torch.optim.SGD([*untied.parameters(), *criterion.parameters()], lr=0.5), []
    for step in range(3):
        untied.train()
        output, hidden, raw, outs = untied(words(30 + step, 5, 3), untied.init_hidden(3), return_h=True)
        loss = criterion(untied.decoder.weight, untied.decoder.bias, output, words(40 + step, 15)) + raw[-1].pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {**results, "losses": losses, "tail": criterion.tail_vectors, "ih": untied.rnn.cells[0].ih[0].weight}
