import os
import sys
import tempfile

import numpy as np
import torch
from torch.utils.data import DataLoader

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import train as translation  # noqa: E402
from config import get_config, get_weights_file_path, latest_weights_file_path  # noqa: E402
from dataset import BilingualDataset, causal_mask  # noqa: E402
from model import build_transformer  # noqa: E402

WORDS = ["word%d" % number for number in range(12)]


class Encoding:
    def __init__(self, ids):
        self.ids = ids


class WordTokenizer:
    """What the training script uses of a tokenizer."""

    special = ["[UNK]", "[PAD]", "[SOS]", "[EOS]"]

    def __init__(self):
        self.words = self.special + WORDS

    def token_to_id(self, token):
        return self.words.index(token)

    def encode(self, text):
        return Encoding([self.words.index(word) for word in text.split()])

    def decode(self, ids):
        return " ".join(self.words[int(index)] for index in ids if int(index) > 3)

    def get_vocab_size(self):
        return len(self.words)


def sentences(count):
    rng = np.random.RandomState(0)
    made = []
    for _ in range(count):
        words = [WORDS[index] for index in rng.randint(0, len(WORDS), rng.randint(2, 6))]
        made.append({"translation": {"en": " ".join(words), "it": " ".join(words[::-1])}})
    return made


def datasets_of(config):
    """get_ds, of made-up sentences, in order."""
    source, target = WordTokenizer(), WordTokenizer()
    names = config["lang_src"], config["lang_tgt"], config["seq_len"]
    train_ds = BilingualDataset(sentences(9)[:6], source, target, *names)
    val_ds = BilingualDataset(sentences(9)[6:], source, target, *names)
    return (
        DataLoader(train_ds, batch_size=config["batch_size"]),
        DataLoader(val_ds, batch_size=1),
        source,
        target,
    )


def configuration(folder):
    config = get_config()
    config.update(
        batch_size=3, num_epochs=2, lr=1e-2, seq_len=10, d_model=16, datasource=folder, preload=None
    )
    return config


def small():
    return build_transformer(16, 16, 10, 10, d_model=16, N=2, h=2, dropout=0.0, d_ff=24)


def build():
    return small(), build_transformer(16, 16, 10, 10, d_model=16, N=1, h=4)


def init():
    torch.manual_seed(1)
    model = build_transformer(300, 300, 10, 10, d_model=64, N=1, h=4)
    return {
        "embedding": model.src_embed.embedding.weight,
        "query": model.encoder.layers[0].self_attention_block.w_q.weight,
    }


def first_batch():
    return next(iter(datasets_of(configuration("none"))[0]))


def projected(model):
    batch = first_batch()
    encoded = model.encode(batch["encoder_input"], batch["encoder_mask"])
    return model.project(
        model.decode(encoded, batch["encoder_mask"], batch["decoder_input"], batch["decoder_mask"])
    )


def attention(model):
    projected(model)
    return model.decoder.layers[0].cross_attention_block.attention_scores


def decoded(model):
    _, validation, source, target = datasets_of(configuration("none"))
    batch = next(iter(validation))
    return translation.greedy_decode(
        model, batch["encoder_input"], batch["encoder_mask"], source, target, 8, torch.device("cpu")
    )


def forward(model, dropping):
    model.eval()
    dropping.eval()
    batch = first_batch()
    return {
        "projected": lambda: projected(model),
        "dropping": lambda: projected(dropping),
        "attention": lambda: attention(model),
        "decoded": lambda: decoded(model),
        "encoder_input": lambda: batch["encoder_input"],
        "decoder_mask": lambda: batch["decoder_mask"].float(),
        "encoder_mask": lambda: batch["encoder_mask"].float(),
        "label": lambda: batch["label"],
        "causal": lambda: causal_mask(4).float(),
    }


class Writer:
    def __init__(self, *_):
        self.values = []
        Writer.last = self

    def add_scalar(self, name, value, step):
        self.values.append(float(value))

    def flush(self):
        pass


class Progress:
    def __init__(self, loader, desc=""):
        self.loader = loader

    def __iter__(self):
        return iter(self.loader)

    def set_postfix(self, values):
        self.said = values

    def write(self, message):
        print(message)


class Rate:
    """Of characters or words; what torchmetrics gives is not looked at."""

    def __call__(self, predicted, expected):
        return float(sum(one == other for one, other in zip(predicted, expected)))


def train(model, _):
    """train_model as it is, on a net that is there and data that is made up."""
    config = configuration(tempfile.mkdtemp(dir="."))
    translation.get_ds = datasets_of
    translation.get_model = lambda config, source, target: model
    translation.SummaryWriter = Writer
    translation.tqdm = Progress
    for name in ("CharErrorRate", "WordErrorRate", "BLEUScore"):
        setattr(translation.torchmetrics, name, Rate)
    translation.train_model(config)
    first = Writer.last.values

    resumed = small()
    translation.get_model = lambda config, source, target: resumed
    config.update(preload="latest", num_epochs=3)
    translation.train_model(config)
    state = torch.load(get_weights_file_path(config, "02"))
    return {
        "first": first,
        "resumed": Writer.last.values,
        "epoch": np.array([state["epoch"], state["global_step"]]),
        "latest": float(latest_weights_file_path(config).endswith("02.pt")),
        "embedding": model.src_embed.embedding.weight,
        "alpha": model.decoder.norm.alpha,
        "query": resumed.encoder.layers[1].self_attention_block.w_q.weight,
    }
