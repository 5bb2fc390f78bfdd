import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim

# The script reads its data, and trains, while it is imported: it wants a graph of 1500 papers.
papers = np.random.RandomState(0)
os.makedirs("data/cora", exist_ok=True)
with open("data/cora/cora.content", "w", encoding="utf-8") as f:
    for paper in range(1500):
        words = papers.randint(0, 2, 10)
        f.write("\t".join([str(1000 + paper), *map(str, words), f"class{words[:2].sum()}"]) + "\n")
with open("data/cora/cora.cites", "w", encoding="utf-8") as f:
    for cited, citing in papers.randint(0, 1500, (3000, 2)):
        f.write(f"{1000 + cited}\t{1000 + citing}\n")
sys.argv = "train.py --no-cuda --epochs 1 --dropout 0 --hidden 4 --nb_heads 2".split()

import train as script  # noqa: E402
from models import GAT, SpGAT  # noqa: E402


def build():
    sizes = {"nfeat": 10, "nhid": 4, "nclass": 3, "dropout": 0.0, "alpha": 0.2, "nheads": 2}
    return GAT(**sizes), SpGAT(**sizes)


def init():
    torch.manual_seed(1)
    dense, sparse = GAT(40, 30, 3, 0.0, 0.2, 2), SpGAT(40, 30, 3, 0.0, 0.2, 2)
    return {"dense": dense.attentions[0].W, "sparse": sparse.attentions[0].W, "a": dense.attentions[1].a}


def forward(gat, spgat):
    x, adj = script.features[:60], script.adj[:60, :60]
    return {
        "adj": script.adj[:20, :20],
        "features": x,
        "labels": script.labels,
        "dense": gat(x, adj),
        "sparse": lambda: spgat(x, adj),
    }


def trained(model):
    script.model = model
    script.optimizer = optim.Adam(model.parameters(), lr=0.05, weight_decay=script.args.weight_decay)
    losses = [script.train(epoch) for epoch in range(3)]
    script.compute_test()
    output = model(script.features, script.adj)
    losses.append(F.nll_loss(output[script.idx_test], script.labels[script.idx_test]).item())
    return losses


def train(gat, spgat):
    return {
        "dense": trained(gat),
        "sparse": trained(spgat),
        "dense_weight": gat.attentions[1].W,
        "sparse_a": spgat.out_att.a,
    }
