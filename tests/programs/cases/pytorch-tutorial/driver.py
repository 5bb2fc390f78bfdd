import os
import sys

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pack_padded_sequence

TUTORIALS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tutorials")
sys.path.insert(0, os.path.join(TUTORIALS, "02-intermediate", "language_model"))
sys.path.insert(0, os.path.join(TUTORIALS, "03-advanced", "image_captioning"))

# The language model's script trains when it is imported; a text shorter than one sequence leaves it nothing to train on.
rng = np.random.RandomState(0)
os.makedirs("data", exist_ok=True)
with open("data/train.txt", "w") as f:
    for _ in range(20):
        f.write(" ".join(rng.choice([f"w{i}" for i in range(20)], 9)) + "\n")

from data_utils import Corpus
from main import RNNLM, detach
from model import DecoderRNN

VOCABULARY, EMBEDDING, HIDDEN = 21, 12, 16


def build():
    return RNNLM(VOCABULARY, EMBEDDING, HIDDEN, 1), DecoderRNN(
        EMBEDDING, HIDDEN, VOCABULARY, 1, max_seq_length=5
    )


def zeros(batch_size):
    return torch.zeros(1, batch_size, HIDDEN), torch.zeros(1, batch_size, HIDDEN)


def captioned(seed):
    rng = np.random.RandomState(seed)
    features = torch.from_numpy(rng.randn(3, EMBEDDING).astype("float32"))
    return features, torch.from_numpy(rng.randint(0, VOCABULARY, (3, 6))), [6, 5, 3]


def forward(language_model, decoder):
    ids = Corpus().get_data("data/train.txt", 4)
    outputs, states = language_model(ids[:, :5], zeros(4))
    features, captions, lengths = captioned(0)
    return {
        "ids": ids,
        "words": outputs,
        "hidden": states[0],
        "captions": lambda: decoder(features, captions, lengths),
        "sampled": lambda: decoder.sample(features),
    }


def trained_language_model(model):
    """The loop of language_model/main.py."""
    ids = Corpus().get_data("data/train.txt", 4)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    seq_length = 10
    states = zeros(4)
    losses = []
    for i in range(0, ids.size(1) - seq_length, seq_length):
        inputs = ids[:, i : i + seq_length]
        targets = ids[:, (i + 1) : (i + 1) + seq_length]
        states = detach(states)
        outputs, states = model(inputs, states)
        loss = criterion(outputs, targets.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        losses.append(loss.item())
    return losses


def trained_decoder(decoder):
    """The loop of image_captioning/train.py, with features in the place of the pretrained encoder's."""
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(list(decoder.parameters()), lr=0.001)
    losses = []
    for step in range(3):
        features, captions, lengths = captioned(step)
        targets = pack_padded_sequence(captions, lengths, batch_first=True)[0]
        outputs = decoder(features, captions, lengths)
        loss = criterion(outputs, targets)
        decoder.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(language_model, decoder):
    return {
        "language_model": trained_language_model(language_model),
        "embedding": language_model.embed.weight,
        "decoder": lambda: trained_decoder(decoder),
    }
