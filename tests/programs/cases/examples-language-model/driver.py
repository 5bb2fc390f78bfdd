import importlib
import os
import pathlib
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "word_language_model"))

rng = np.random.RandomState(0)
os.makedirs("corpus", exist_ok=True)
for part, lines in (("train", 40), ("valid", 16), ("test", 16)):
    with open(f"corpus/{part}.txt", "w", encoding="utf-8") as f:
        for _ in range(lines):
            f.write(" ".join(f"w{word}" for word in rng.randint(0, 30, 4)) + "\n")

from data import Corpus  # noqa: E402
from model import RNNModel, TransformerModel  # noqa: E402

corpus = Corpus("corpus")
WORDS = len(corpus.dictionary)
# Dropout would be random. The Transformer of the script has one that no option turns off.
OPTIONS = "--data corpus --emsize 12 --nhid 12 --nlayers 2 --batch_size 4 --bptt 8 --dropout 0 --epochs 2 --log-interval 2"
KINDS = {
    "lstm": "--model LSTM --tied --lr 2",
    "gru": "--model GRU --use-optimizer --lr 0.01",
    "tanh": "--model RNN_TANH --lr 2",
}


def build():
    return (
        RNNModel("LSTM", WORDS, 12, 12, 2, 0, True),
        RNNModel("GRU", WORDS, 12, 12, 2, 0, False),
        RNNModel("RNN_TANH", WORDS, 12, 12, 2, 0, False),
        TransformerModel(WORDS, 12, 2, 12, 2, 0),
    )


def init():
    torch.manual_seed(1)
    net = RNNModel("LSTM", 50, 20, 30, 1)
    return {"encoder": net.encoder.weight, "recurrent": net.rnn.weight_hh_l0, "decoder": net.decoder.weight}


def flat(result):
    output, hidden = result
    return [output, *hidden] if isinstance(hidden, tuple) else [output, hidden]


def forward(lstm, gru, tanh, transformer):
    words = corpus.test[:20].view(5, 4)
    outputs = {"words": words}
    for name, net in (("lstm", lstm), ("gru", gru), ("tanh", tanh)):
        net.eval()
        outputs[name] = lambda net=net: flat(net(words, net.init_hidden(4)))
    transformer.eval()
    outputs["transformer"] = lambda: transformer(words)
    outputs["unmasked"] = lambda: transformer(words, has_mask=False)
    return outputs


def trained(kind, net):
    """The script trains while it is run."""
    torch.save(net.state_dict(), "begin.pt")
    arguments = sys.argv
    sys.argv = ["main.py", *OPTIONS.split(), *KINDS[kind].split(), "--save", f"{kind}.pt"]
    sys.modules.pop("main", None)
    script = importlib.import_module("main")
    sys.argv = arguments
    return [
        script.test_loss,
        script.best_val_loss,
        script.lr,
        script.model.encoder.weight,
        script.model.rnn.weight_hh_l0,
        script.model.decoder.bias,
    ]


def train(lstm, gru, tanh, transformer):
    return {
        "lstm": lambda: trained("lstm", lstm),
        "gru": lambda: trained("gru", gru),
        "tanh": lambda: trained("tanh", tanh),
        "transformer": lambda: loss_of(transformer),
    }


def loss_of(transformer):
    """What the script does with it, in eval mode, as its layers have a dropout of their own."""
    transformer.eval()
    words = corpus.train[:24].view(6, 4)
    losses = []
    for _ in range(3):
        transformer.zero_grad()
        output = transformer(words[:-1]).view(-1, WORDS)
        loss = torch.nn.NLLLoss()(output, words[1:].view(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(transformer.parameters(), 0.25)
        for p in transformer.parameters():
            if p.grad is not None:
                p.data.add_(p.grad, alpha=-0.5)
        losses.append(loss.item())
    return [*losses, transformer.encoder.layers[0].self_attn.in_proj_weight, transformer.input_emb.weight]
