from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn
from graphsage.aggregators import MeanAggregator
from graphsage.encoders import Encoder
from graphsage.model import SupervisedGraphSage
from torch.autograd import Variable

NODES, FEATURES, CLASSES = 30, 12, 3


def graph():
    """A ring with some chords, of fewer neighbours than are sampled."""
    adj_lists = defaultdict(set)
    random = np.random.RandomState(0)
    edges = [(node, (node + 1) % NODES) for node in range(NODES)]
    edges += [(int(a), int(b)) for a, b in random.randint(0, NODES, (20, 2)) if a != b]
    for first, second in edges:
        adj_lists[first].add(second)
        adj_lists[second].add(first)
    return adj_lists


def build():
    """The network of run_cora(), with concatenated features: gcn=True adds sets, which Python does not."""
    adj_lists = graph()
    feat_data = np.random.RandomState(1).randn(NODES, FEATURES)
    features = nn.Embedding(NODES, FEATURES)
    features.weight = nn.Parameter(torch.FloatTensor(feat_data), requires_grad=False)
    agg1 = MeanAggregator(features, cuda=False)
    enc1 = Encoder(features, FEATURES, 16, adj_lists, agg1, num_sample=20, gcn=False, cuda=False)
    agg2 = MeanAggregator(lambda nodes: enc1(nodes).t(), cuda=False)
    enc2 = Encoder(
        lambda nodes: enc1(nodes).t(),
        enc1.embed_dim,
        16,
        adj_lists,
        agg2,
        num_sample=20,
        base_model=enc1,
        gcn=False,
        cuda=False,
    )
    return SupervisedGraphSage(CLASSES, enc2)


def labels():
    return np.random.RandomState(2).randint(0, CLASSES, (NODES, 1)).astype(np.int64)


def forward(graphsage):
    with torch.no_grad():
        scores = graphsage.forward([3, 7, 11, 12])
        loss = graphsage.loss([1, 2, 3], Variable(torch.LongTensor(labels()[np.array([1, 2, 3])])))
    return {"scores": scores, "loss": loss}


def train(graphsage):
    optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, graphsage.parameters()), lr=0.1)
    nodes = list(np.random.RandomState(3).permutation(NODES))
    losses = []
    for batch in range(4):
        batch_nodes = nodes[6 * batch : 6 * batch + 6]
        optimizer.zero_grad()
        loss = graphsage.loss(batch_nodes, Variable(torch.LongTensor(labels()[np.array(batch_nodes)])))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {"losses": losses, "weight": graphsage.weight, "first": graphsage.enc.base_model.weight}


def init():
    net = build()
    return {"weight": net.weight, "encoder": net.enc.weight}
