import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import base_model
import train as training
import utils
from attention import BiAttention
from bc import BCNet
from counting import Counter
from dataset import Dictionary

OBJECTS, FEATURES, WORDS, ANSWERS = 12, 10, 7, 9


class MadeUpDataset(Dataset):
    """What VQAFeatureDataset gives with adaptive features: images have different numbers of objects."""

    def __init__(self, seed, count):
        self.dictionary = Dictionary()
        for word in "is the a cat dog on red mat how many".split():
            self.dictionary.add_word(word)
        self.v_dim, self.num_ans_candidates = FEATURES, ANSWERS
        rng = np.random.RandomState(seed)
        self.entries = []
        for i in range(count):
            objects = OBJECTS - i % 2
            corner = rng.rand(objects, 2)
            spatials = np.concatenate([corner, corner + rng.rand(objects, 2), rng.rand(objects, 2)], 1)
            tokens = rng.randint(0, self.dictionary.ntoken + 1, WORDS)
            target = np.zeros(ANSWERS, "float32")
            target[rng.randint(ANSWERS)] = 0.9
            self.entries.append((rng.rand(objects, FEATURES).astype("float32"), spatials.astype("float32"), tokens, target))

    def __getitem__(self, index):
        return tuple(torch.from_numpy(part) for part in self.entries[index])

    def __len__(self):
        return len(self.entries)


def loader(dataset):
    return DataLoader(dataset, 2, shuffle=False, num_workers=0, collate_fn=utils.trim_collate)


def build():
    dataset = MadeUpDataset(0, 2)
    return (
        base_model.build_ban(dataset, 16, op="c", gamma=2),
        base_model.build_ban(dataset, 8, op="", gamma=3, task="flickr"),
        BCNet(6, 5, 4, 40, k=2),
        BiAttention(6, 5, 4, 5),
        Counter(5, already_sigmoided=True),
    )


def tensor(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def init():
    torch.manual_seed(0)
    net = BiAttention(20, 24, 16, 4)
    return {"h_mat": net.logits.h_mat_v, "fc": net.logits.q_net.main[1].weight_v}


def forward(ban, flickr, wide, attention, counter):
    for net in (ban, flickr, wide, attention, counter):
        net.eval()
    v, b, q, a = next(iter(loader(MadeUpDataset(1, 2))))
    logits, att = ban(v, b, q, a)
    e = torch.from_numpy(np.array([[1, 3, 0], [2, 0, 0]]))
    return {
        "features": v,
        "logits": logits,
        "attention": att,
        "entropy": lambda: training.calc_entropy(att.data),
        "flickr": lambda: flickr(v, b, q, e, None)[1],
        "wide": lambda: wide(tensor(2, 2, 3, 6), tensor(3, 2, 4, 5)),
        "weighted": lambda: wide.forward_with_weights(tensor(2, 2, 3, 6), tensor(3, 2, 4, 5), tensor(4, 2, 3, 4)),
        "many": lambda: attention(tensor(2, 2, 3, 6), tensor(3, 2, 4, 5))[0],
        "counted": lambda: counter(tensor(5, 2, 4, 8), tensor(6, 2, 8)),
        "embedded": lambda: ban.w_emb.emb.weight[ban.w_emb.ntoken],
    }


def train(ban, *others):
    # Its loop trains in the mode that it finds, so without dropout here.
    ban.eval()
    model = nn.DataParallel(ban)
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "saved")
        training.train(model, loader(MadeUpDataset(2, 6)), loader(MadeUpDataset(3, 4)), 1, output)
        lines = open(os.path.join(output, "log.txt")).read().split("\n")
        saved = os.listdir(output)
    ban.eval()
    score, bound, entropy = training.evaluate(model, loader(MadeUpDataset(3, 4)))
    v, b, q, a = next(iter(loader(MadeUpDataset(4, 2))))
    logits, _ = model(v, b, q, None)
    return {
        "norm": float(next(line for line in lines if "norm" in line).split("norm: ")[1].split(",")[0]),
        "files": len(saved),
        "loss": training.instance_bce_with_logits(logits, a).item(),
        "bound": bound,
        "score": score,
        "entropy": entropy,
        "h_mat": ban.v_att.logits.h_mat_v,
        "g": ban.b_net[0].v_net.main[1].weight_g,
        "count": ban.counter.f[0].weight,
        "emb": ban.w_emb.emb.weight,
    }
