import os
import pickle
import sys
import tempfile

import h5py
import numpy as np
import torch
from PIL import Image
from torch import nn, optim

import dataset
import train as program
from model import MACNetwork

WORDS, ANSWERS, DIM = 9, 5, 12


def network(**settings):
    # Nothing is dropped: no randomness may decide.
    return MACNetwork(WORDS, DIM, embed_hidden=10, max_step=3, classes=ANSWERS, dropout=0.0, **settings)


def build():
    return network(), network(), network(self_attention=True, memory_gate=True)


def init():
    torch.manual_seed(1)
    net = MACNetwork(40, 32)
    return {
        "embed": net.embed.weight,
        "conv": net.conv[0].weight,
        "lstm": net.lstm.weight_ih_l0,
        "back": net.lstm.weight_hh_l0_reverse,
        "classifier": net.classifier[0].weight,
        "control": net.mac.control.control_question.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, running, gated):
    for one in (net, running, gated):
        one.eval()
    questions = torch.tensor([[1, 2, 3, 4, 5], [6, 7, 8, 0, 0], [1, 3, 0, 0, 0]])
    picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (60, 80, 3)).astype("uint8"))
    return {
        "answer": lambda: net(array(0, 3, 1024, 3, 3), questions, [5, 3, 2]),
        "gated": lambda: gated(array(1, 3, 1024, 2, 4), questions, [5, 3, 2]),
        "control": lambda: net.mac.control(1, array(2, 2, 4, DIM), array(3, 2, 2 * DIM), array(4, 2, DIM)),
        "mask": lambda: net.mac.get_mask(array(5, 2, 3), 0.0),
        "transform": lambda: list(dataset.transform(picture).shape),
    }


def questions(split, seed):
    """What preprocess.py and image_feature.py leave of CLEVR."""
    draw = np.random.RandomState(seed)
    rows = [
        (f"CLEVR_{split}_{row:06d}.png", draw.randint(1, WORDS, 2 + (5 * row) % 4).tolist(), row % ANSWERS, "kind%d" % (row % 2))
        for row in range(6)
    ]
    with open(f"data/{split}.pkl", "wb") as file:
        pickle.dump(rows, file)
    with h5py.File(f"data/{split}_features.hdf5", "w") as file:
        file.create_dataset("data", data=draw.randn(6, 1024, 3, 3).astype("float32"))


class Bar:
    """Stands for tqdm."""

    def __init__(self, steps):
        self.steps = steps

    def __iter__(self):
        return iter(self.steps)

    def set_description(self, text):
        texts.append(text)


texts = []


def train(net, running, gated):
    program.criterion, program.tqdm, program.batch_size = nn.CrossEntropyLoss(), Bar, 2
    folder, argv = os.getcwd(), sys.argv
    results = {}
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        sys.argv = ["train.py", "CLEVR"]
        for name in ("data", "log", "checkpoint"):
            os.makedirs(name)
        questions("train", 1)
        questions("val", 2)
        try:
            for name, one in (("plain", net), ("gated", gated)):
                program.net, program.net_running = one, running
                if name == "gated":
                    program.net_running = network(self_attention=True, memory_gate=True)
                program.accumulate(program.net_running, one, 0)
                program.optimizer = optim.Adam(one.parameters(), lr=1e-3)
                for epoch in range(2):
                    program.train(epoch)
                    program.valid(epoch)
                with open("log/log_02.txt") as file:
                    results[name + "_log"] = [float(line.split(":")[1]) for line in sorted(file)]
            with open("checkpoint/checkpoint_01.model", "wb") as file:
                torch.save(running.state_dict(), file)
            saved = torch.load("checkpoint/checkpoint_01.model")
        finally:
            os.chdir(folder)
            sys.argv = argv
    results["losses"] = [float(part.split(":")[1]) for text in texts for part in text.split(";")[1:]]
    return {
        **results,
        "embed": net.embed.weight,
        "lstm": net.lstm.weight_hh_l0_reverse,
        "position": net.mac.control.position_aware[2].weight,
        "memory": net.mac.mem_0,
        "gate": gated.mac.write.control.weight,
        "attention": gated.mac.write.attn.weight,
        "saved": saved["classifier.2.weight"],
    }
