import os
import sys

import numpy as np
import torch
import torch.nn.functional as F

# A citation network as large as the fixed split asks for, in the form of Cora.
rng = np.random.RandomState(0)
os.makedirs("data/cora", exist_ok=True)
with open("data/cora/cora.content", "w") as f:
    for node in range(1500):
        words = " ".join(str(word) for word in (rng.rand(30) < 0.2).astype(int))
        f.write(f"{node + 1000} {words} class_{rng.randint(0, 5)}\n")
with open("data/cora/cora.cites", "w") as f:
    for _ in range(4000):
        f.write("{}\t{}\n".format(*(rng.choice(1500, 2, replace=False) + 1000)))

# The script is made to be started in its own folder. Without epochs it only gets ready.
sys.argv = ["train.py", "--no-cuda", "--epochs", "0", "--dropout", "0"]
os.chdir("pygcn")
import pygcn.train as script  # noqa: E402

os.chdir("..")
from pygcn.models import GCN  # noqa: E402
from pygcn.utils import accuracy  # noqa: E402


def build():
    return GCN(nfeat=30, nhid=16, nclass=5, dropout=0.0)


def init():
    torch.manual_seed(1)
    model = GCN(nfeat=300, nhid=160, nclass=50, dropout=0.0)
    return {"weight": model.gc1.weight, "bias": model.gc1.bias}


def forward(model):
    model.eval()
    output = model(script.features, script.adj)
    return {"output": output, "accuracy": accuracy(output[script.idx_test], script.labels[script.idx_test])}


def train(model):
    script.model.load_state_dict(model.state_dict())
    # The one that the script made has steps behind it when this is called again.
    script.optimizer = torch.optim.Adam(script.model.parameters(), lr=0.01, weight_decay=5e-4)
    losses = []
    for epoch in range(4):
        script.train(epoch)
        output = script.model(script.features, script.adj)
        losses.append(F.nll_loss(output[script.idx_train], script.labels[script.idx_train]).item())
    script.test()
    return {"losses": losses, "gc1": script.model.gc1.weight, "gc2": script.model.gc2.bias}
