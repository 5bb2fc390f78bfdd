from types import SimpleNamespace

import numpy as np
import torch

import model as tagnn
from utils import Data, build_graph, split_validation

NODES = 30


def sessions(seed, count):
    rng = np.random.RandomState(seed)
    inputs = [rng.randint(1, NODES, rng.randint(1, 7)).tolist() for _ in range(count)]
    return inputs, rng.randint(1, NODES, count).tolist()


def options(**more):
    made = dict(hiddenSize=8, batchSize=6, nonhybrid=False, step=2, lr=0.01, l2=1e-5, lr_dc_step=2, lr_dc=0.1)
    return SimpleNamespace(**{**made, **more})


def build():
    return tagnn.SessionGraph(options(), NODES), tagnn.SessionGraph(options(nonhybrid=True, step=1), NODES)


def forward(hybrid, plain):
    hybrid.eval()
    plain.eval()
    data = Data(sessions(0, 10))
    graph = build_graph(sessions(1, 4)[0])
    part = np.arange(6)
    alias, A, items, mask, targets = data.get_slice(part)
    return {
        "scores": lambda: tagnn.forward(hybrid, part, data)[1],
        "plain_scores": lambda: tagnn.forward(plain, part, data)[1],
        "hidden": lambda: hybrid(torch.Tensor(items).long(), torch.Tensor(np.array(A)).float()),
        "targets": lambda: torch.tensor(tagnn.forward(plain, part, data)[0]),
        "edges": lambda: torch.tensor(graph.number_of_edges()),
        "split": lambda: torch.tensor(len(split_validation(sessions(2, 20), 0.2)[1][0])),
    }


def trained(net):
    train_data, test_data = Data(sessions(3, 20)), Data(sessions(4, 9))
    scores = [tagnn.train_test(net, train_data, test_data) for _ in range(3)]
    return [torch.tensor(scores), net.embedding.weight, net.gnn.w_hh, net.gnn.b_iah, net.linear_t.weight,
            torch.tensor(net.optimizer.param_groups[0]["lr"])]  # fmt: skip


def train(hybrid, plain):
    return {"hybrid": lambda: trained(hybrid), "plain": lambda: trained(plain)}


def init():
    net = tagnn.SessionGraph(options(hiddenSize=60), 80)
    return {"embedding": net.embedding.weight, "w_ih": net.gnn.w_ih}
