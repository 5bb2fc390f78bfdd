import glob
import json
import linecache
import random
from types import SimpleNamespace

import numpy as np
import torch

WORDS, PAD, START, END = 15, 1, 2, 3


def cells_of(pattern):
    with open(glob.glob(pattern)[0], encoding="utf-8") as f:
        return ["".join(cell["source"]) for cell in json.load(f)["cells"] if cell["cell_type"] == "code"]


def run(cells, names, numbers):
    """Runs cells as IPython does, which keeps their source where `inspect` finds it."""
    for number in numbers:
        name = f"<ipython-input-{id(cells)}-{number}>"
        linecache.cache[name] = len(cells[number]), None, cells[number].splitlines(keepends=True), name
        exec(compile(cells[number], name, "exec"), names)


def weight(model, name):
    return dict(model.named_parameters())[name]


class Vocabulary:
    """What torchtext's does, for words w4, w5, ..."""

    def __init__(self):
        self.itos = ["<unk>", "<pad>", "<sos>", "<eos>"] + [f"w{number}" for number in range(4, WORDS)]
        self.stoi = {word: number for number, word in enumerate(self.itos)}

    def __len__(self):
        return WORDS

    def __getitem__(self, word):
        return self.stoi[word]

    def lookup_indices(self, words):
        return [self.stoi[word] for word in words]

    def lookup_tokens(self, numbers):
        return [self.itos[number] for number in numbers]


def sentence(rng, length):
    return [START, *rng.randint(4, WORDS, length).tolist(), END]


def examples(seed, count=8):
    rng = np.random.RandomState(seed)
    pairs = [(sentence(rng, rng.randint(3, 7)), sentence(rng, rng.randint(3, 7))) for _ in range(count)]
    return [{"de_ids": torch.tensor(de), "en_ids": torch.tensor(en)} for de, en in pairs]


def batches(seed, count=2):
    rng = np.random.RandomState(seed)
    made = [[torch.tensor([sentence(rng, 5) for _ in range(4)]) for _ in range(2)] for _ in range(count)]
    return [SimpleNamespace(src=src, trg=trg) for src, trg in made]


attentive = cells_of("3 - *.ipynb")
convolutional = cells_of("legacy/5 - *.ipynb")
first, second = {"__name__": "__main__", "print": print}, {"__name__": "__main__", "print": print}
field = SimpleNamespace(vocab=Vocabulary(), init_token="<sos>", eos_token="<eos>", pad_token="<pad>")


def build():
    run(attentive, first, (0, 1, 13, 14))
    first["train_data"], first["valid_data"], first["test_data"] = examples(0), examples(1, 4), examples(2, 4)
    first["pad_index"] = PAD
    first["de_vocab"] = first["en_vocab"] = Vocabulary()
    run(attentive, first, range(15, 23))
    run(convolutional, second, (0, 1, 7))
    second["SRC"] = second["TRG"] = field
    run(convolutional, second, range(9, 14))
    return first["model"], second["model"]


def forward(attentive_model, convolutional_model):
    attentive_model.eval()
    convolutional_model.eval()
    batch = batches(5, 1)[0]
    random.seed(0)
    scores, attention = convolutional_model(batch.src, batch.trg[:, :-1])
    return {
        "attentive": attentive_model(batch.src.t(), batch.trg.t(), 0.0),
        "convolutional": scores,
        "attention": attention,
    }


def train(attentive_model, convolutional_model):
    random.seed(4)
    printed = []
    first["print"] = second["print"] = printed.append
    first["model"], second["model"] = attentive_model, convolutional_model
    run(attentive, first, range(23, 30))
    words, _, attentions = first["translate_sentence"](
        ["w5", "w7"],
        attentive_model,
        None,
        None,
        first["en_vocab"],
        first["de_vocab"],
        True,
        "<sos>",
        "<eos>",
        "cpu",
        6,
    )
    second["train_iterator"], second["valid_iterator"], second["test_iterator"] = (
        batches(6),
        batches(7),
        batches(8),
    )
    run(convolutional, second, range(14, 22))
    others, attention = second["translate_sentence"](
        ["w5", "w7"], field, field, convolutional_model, second["device"], 6
    )
    assert any("Test Loss" in line for line in printed)
    return {
        "losses": [first["train_loss"], first["valid_loss"], first["test_loss"]],
        "conv_losses": [second["train_loss"], second["valid_loss"], second["test_loss"]],
        "words": first["en_vocab"].lookup_indices(words),
        "attentions": attentions,
        "conv_words": field.vocab.lookup_indices(others),
        "conv_attention": attention,
        "encoder": weight(attentive_model, "encoder.embedding.weight"),
        "decoder": weight(attentive_model, "decoder.rnn.weight_hh_l0"),
        "conv": weight(convolutional_model, "decoder.fc_out.weight"),
    }


def init():
    """The first notebook's own initialisation."""
    run(attentive, first, (20, 21))
    model = first["model"]
    return {
        "embedding": weight(model, "encoder.embedding.weight"),
        "bias": weight(model, "decoder.fc_out.bias"),
    }
