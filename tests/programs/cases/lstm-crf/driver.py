import os

import numpy as np
import torch

import train as training
from evaluate import evaluate
from predict import load_model, predict
from rnn_crf import rnn_crf

CHARACTERS = ["<PAD>", "<SOS>", "<EOS>", "<UNK>", *"abcdefgh"]
TAGS = ["<PAD>", "<SOS>", "<EOS>", "B", "I", "O"]


def words(rng, count):
    return ["".join(rng.choice(CHARACTERS[4:], rng.randint(1, 5))) for _ in range(count)]


def corpus(seed, size):
    rng = np.random.RandomState(seed)
    return [[(word, TAGS[rng.randint(3, 6)]) for word in words(rng, rng.randint(2, 6))] for _ in range(size)]


TRAINED, VALIDATED = corpus(1, 10), corpus(2, 5)
WORDS = ["<PAD>", "<SOS>", "<EOS>", "<UNK>", *sorted({word for sentence in TRAINED for word, _ in sentence})]


def write(path, lines):
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def write_files():
    os.makedirs("data", exist_ok=True)
    write("data/char_to_idx", CHARACTERS)
    write("data/word_to_idx", WORDS)
    write("data/tag_to_idx", TAGS)
    lines = []
    for sentence in TRAINED:
        parts = (
            "+".join(str(CHARACTERS.index(letter)) for letter in word) + ":" + str(WORDS.index(word)) for word, _ in sentence
        )  # fmt: skip
        lines.append(" ".join(parts) + "\t" + " ".join(str(TAGS.index(tag)) for _, tag in sentence))
    write("data/train", lines)
    write("data/valid", [" ".join(f"{word}/{tag}" for word, tag in sentence) for sentence in VALIDATED])
    return ["data/model", "data/char_to_idx", "data/word_to_idx", "data/tag_to_idx", "data/train", "data/valid"]


def table(names):
    return {name: index for index, name in enumerate(names)}


def build():
    return rnn_crf(table(CHARACTERS), table(WORDS), len(TAGS))


def batches():
    return training.load_data(write_files())[0]


def forward(net):
    net.eval()
    first = batches()[0]
    mask = first[2][1:].gt(0).float()
    hidden = net.rnn(first[0], first[1], mask)
    return {
        "hidden": lambda: net.rnn(first[0], first[1], mask),
        "score": lambda: net.crf.score(hidden, first[2], mask),
        "partition": lambda: net.crf.partition(hidden, mask),
        "loss": lambda: net(*first),
        "tags": lambda: torch.tensor([sum(tags) for tags in net.decode(first[0], first[1], None)]),
        "log_sum_exp": lambda: training.log_sum_exp(hidden),
    }


def trained(net):
    """The script's own training, from a checkpoint with the weights, to another one."""
    arguments = write_files()
    training.save_checkpoint("data/model", net, 1, 0.0, 0.0)
    training.train(["data/model.epoch1", *arguments[1:], "2"])
    model, *tables = load_model(["data/model.epoch3", *arguments[1:4]])
    guesses = list(predict(model, *tables, arguments[5]))
    evaluate(predict(model, *tables, arguments[5]))
    model.train()
    results = [model(*batch) for batch in batches()]
    results += [torch.tensor([TAGS.index(tag) for _, _, tags in guesses for tag in tags])]
    return results + [parameter for name, parameter in model.named_parameters() if "embed.embed" not in name]


def train(net):
    return {"script": lambda: trained(net)}
