import argparse
import pathlib
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "pytorch_code"))

from model import SessionGraph, forward as session_scores, train_test  # noqa: E402
from utils import Data, split_validation  # noqa: E402

opt = argparse.Namespace(
    hiddenSize=12, batchSize=5, nonhybrid=False, step=2, lr=0.01, l2=1e-5, lr_dc_step=1, lr_dc=0.5
)
NODES = 30


def sessions(seed, n):
    rng = np.random.RandomState(seed)
    return (
        [list(rng.randint(1, NODES, rng.randint(1, 6))) for _ in range(n)],
        list(rng.randint(1, NODES, n)),
    )


def build():
    return SessionGraph(opt, NODES)


def init():
    torch.manual_seed(2)
    net = SessionGraph(opt, NODES)
    return {"w_ih": net.gnn.w_ih, "embedding": net.embedding.weight, "linear": net.linear_transform.weight}


def forward(net):
    data = Data(sessions(0, 7))
    targets, scores = session_scores(net, np.arange(7), data)
    items = torch.from_numpy(np.random.RandomState(1).randint(0, NODES, (3, 4)))
    A = torch.from_numpy(np.random.RandomState(2).rand(3, 4, 8).astype("float32"))
    return {"targets": targets, "scores": scores, "hidden": net(items, A)}


def train(net):
    np.random.seed(4)
    training, held = split_validation(sessions(3, 20), 0.25)
    hits, mrrs = [], []
    for epoch in range(2):
        hit, mrr = train_test(net, Data(training, shuffle=True), Data(held))
        hits.append(hit)
        mrrs.append(mrr)
    return {
        "hits": hits,
        "mrrs": mrrs,
        "embedding": net.embedding.weight,
        "w_hh": net.gnn.w_hh,
        "rate": net.optimizer.param_groups[0]["lr"],
        "linear": net.linear_one.weight,
    }
