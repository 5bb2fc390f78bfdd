import os
import pickle
import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import scipy.sparse as sp
import torch
from torch import optim

sys.argv = sys.argv[:1]

from gae import train as training  # noqa: E402
from gae.model import GCNModelVAE, InnerProductDecoder  # noqa: E402
from gae.optimizer import loss_function  # noqa: E402
from gae.utils import get_roc_score, load_data, mask_test_edges, preprocess_graph  # noqa: E402

NODES, FEATURES = 90, 12


def write_data():
    """The files of a citation graph, as load_data wants them."""
    rng = np.random.RandomState(0)
    graph = nx.gnm_random_graph(NODES, 120, seed=1)
    features = sp.csr_matrix((rng.rand(NODES, FEATURES) < 0.3).astype("float32"))
    parts = {
        "x": features[:10], "tx": features[80:], "allx": features[:80], "graph": {n: list(graph[n]) for n in graph},
    }  # fmt: skip
    os.makedirs("data", exist_ok=True)
    for name, part in parts.items():
        with open("data/ind.cora." + name, "wb") as file:
            pickle.dump(part, file)
    with open("data/ind.cora.test.index", "w") as file:
        file.write("\n".join(str(index) for index in rng.permutation(np.arange(80, NODES))))


def build():
    return GCNModelVAE(FEATURES, 8, 5, 0.0)


def loaded():
    write_data()
    adj, features = load_data("cora")
    return adj, features, preprocess_graph(adj)


def forward(net):
    net.eval()
    adj, features, norm = loaded()
    recovered, mu, logvar = net(features, norm)
    decoder = InnerProductDecoder(0.0)
    return {
        "features": features,
        "recovered": recovered,
        "mu": mu,
        "logvar": logvar,
        "dense": lambda: norm.to_dense(),
        "decoded": lambda: decoder(mu),
        "scores": lambda: torch.tensor(get_roc_score(mu.data.numpy(), adj.tocsr(), [(0, 1), (2, 3)], [(4, 5), (1, 7)])),
    }


def train(net):
    adj, features, _ = loaded()
    np.random.seed(2)
    adj_train = mask_test_edges(adj)[0]
    adj_norm = preprocess_graph(adj_train)
    labels = torch.FloatTensor((adj_train + sp.eye(NODES)).toarray())
    pos_weight = torch.tensor(float(NODES * NODES - adj_train.sum()) / adj_train.sum())
    norm = NODES * NODES / float((NODES * NODES - adj_train.sum()) * 2)
    optimizer = optim.Adam(net.parameters(), lr=0.01)
    losses = []
    net.eval()  # what is drawn would be random
    for _ in range(4):
        optimizer.zero_grad()
        recovered, mu, logvar = net(features, adj_norm)
        loss = loss_function(recovered, labels, mu, logvar, NODES, norm, pos_weight)
        loss.backward()
        losses.append(loss.item())
        optimizer.step()
    args = SimpleNamespace(dataset_str="cora", hidden1=6, hidden2=4, dropout=0.0, lr=0.01, epochs=3)
    training.gae_for(args)
    return {"losses": losses, "gc1": net.gc1.weight, "gc3": net.gc3.weight}


def init():
    return {"gc": GCNModelVAE(90, 70, 50, 0.0).gc1.weight}
