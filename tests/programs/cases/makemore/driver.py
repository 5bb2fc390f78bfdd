import os
import runpy
import sys

import torch

import makemore

WORD = "banabandana"
CHARS = sorted(set(WORD))
KINDS = ("transformer", "gru", "rnn", "mlp", "bow", "bigram")


def config():
    return makemore.ModelConfig(
        vocab_size=len(CHARS) + 1, block_size=len(WORD) + 1, n_layer=2, n_head=2, n_embd=8, n_embd2=6
    )


def build():
    settings = config()
    return (
        makemore.Transformer(settings),
        makemore.RNN(settings, cell_type="gru"),
        makemore.RNN(settings, cell_type="rnn"),
        makemore.MLP(settings),
        makemore.BoW(settings),
        makemore.Bigram(settings),
    )


def forward(*models):
    outputs = {}
    dataset = makemore.CharDataset([WORD, "bad", "nab"], CHARS, len(WORD))
    words, targets = (torch.stack(part) for part in zip(*(dataset[place] for place in range(3))))
    for kind, model in zip(KINDS, models):
        model.eval()
        outputs[kind] = lambda model=model: model(words, targets)
        outputs[kind + "_generated"] = lambda model=model: makemore.generate(model, words[:, :3], 6, top_k=3)
    return outputs


def train(*models):
    """The script itself, on one word over and over, as it draws at random."""
    results = {}
    with open("words.txt", "w") as words:
        words.write((WORD + "\n") * 30)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "makemore.py")
    for kind, model in zip(KINDS, models):
        os.makedirs(kind, exist_ok=True)
        torch.save(model.state_dict(), os.path.join(kind, "model.pt"))
        sys.argv = [script, "-i", "words.txt", "-o", kind, "--resume", "--type", kind, "--max-steps", "3", "-n", "0"]
        sys.argv += ["--n-layer", "2", "--n-head", "2", "--n-embd", "8", "--n-embd2", "6", "-b", "4", "-l", "0.01"]
        left = runpy.run_path(script, run_name="__main__")
        results[kind + "_loss"] = left["loss"].item()
        for place, (name, value) in enumerate(left["model"].named_parameters()):
            if place < 3:
                results[kind + "_" + name] = value
    return results
