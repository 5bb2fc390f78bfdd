import os

import numpy as np
import torch
import torch.optim as optim

from util import cmd_args, load_data

cmd_args.data, cmd_args.test_number, cmd_args.batch_size = "TOY", 4, 4
cmd_args.latent_dim, cmd_args.sortpooling_k, cmd_args.out_dim, cmd_args.hidden = [8, 8, 8, 1], 12, 10, 9
cmd_args.learning_rate = 0.001

rng = np.random.RandomState(0)
os.makedirs("data/TOY", exist_ok=True)
with open("data/TOY/TOY.txt", "w", encoding="utf-8") as f:
    f.write("12\n")
    for number in range(12):
        size = rng.randint(8, 16)
        f.write(f"{size} {number % 2}\n")
        links = [set() for _ in range(size)]
        for node in range(1, size):
            other = rng.randint(node)
            links[node].add(other), links[other].add(node)
        for node in range(size):
            values = " ".join(f"{value:.4f}" for value in rng.randn(2))
            f.write(f"{rng.randint(3)} {len(links[node])} {' '.join(map(str, sorted(links[node])))} {values}\n")

train_graphs, test_graphs = load_data()

import DGCNN_embedding  # noqa: E402  its defaults come from the arguments
from main import Classifier, loop_dataset  # noqa: E402


class Library:
    """What the repository's C++ makes of a batch of graphs."""

    def PrepareSparseMatrices(self, graph_list, is_directed=0):
        rows, columns, starts, count = [], [], [], 0
        for graph in graph_list:
            for one, other in graph.edge_pairs.reshape(-1, 2):
                rows += [one + count, other + count]
                columns += [other + count, one + count]
            starts += [graph.num_nodes]
            count += graph.num_nodes
        edges = len(rows)
        n2n = torch.LongTensor([rows, columns])
        e2n = torch.LongTensor([columns, list(range(edges))])
        owners = [number for number, size in enumerate(starts) for _ in range(size)]
        subg = torch.LongTensor([owners, list(range(count))])
        n2n_sp = torch.sparse.FloatTensor(n2n, torch.ones(edges), torch.Size([count, count]))
        e2n_sp = torch.sparse.FloatTensor(e2n, torch.ones(edges), torch.Size([count, edges]))
        subg_sp = torch.sparse.FloatTensor(subg, torch.ones(count), torch.Size([len(graph_list), count]))
        return n2n_sp, e2n_sp, subg_sp


DGCNN_embedding.GNNLIB = Library()


def build():
    torch.manual_seed(0)
    return Classifier(), Classifier(regression=True)


def init():
    torch.manual_seed(5)
    new = Classifier()
    return {"conv": new.gnn.conv_params[1].weight, "bias": new.gnn.conv_params[1].bias, "mlp": new.mlp.h1_weights.weight}


def forward(classifier, regression):
    classifier.eval(), regression.eval()
    logits, loss, acc = classifier(test_graphs)
    embed, labels = classifier.output_features(test_graphs)
    return {
        "logits": logits,
        "loss": loss,
        "acc": acc,
        "embed": embed,
        "labels": labels,
        "regression": lambda: list(regression(test_graphs)),
    }


def train(classifier, regression):
    results = {}
    for name, net in (("classifier", classifier), ("regression", regression)):
        optimizer = optim.Adam(net.parameters(), lr=cmd_args.learning_rate)
        losses = []
        for epoch in range(2):
            net.train()
            losses.append(loop_dataset(train_graphs, net, [3, 1, 2, 0, 7, 5, 6, 4], optimizer=optimizer))
            net.eval()
            losses.append(loop_dataset(test_graphs, net, list(range(len(test_graphs)))))
        results[name] = np.array(losses, dtype=float)
        results[name + "_conv"] = net.gnn.conv_params[0].weight
        results[name + "_conv1d"] = net.gnn.conv1d_params1.bias
        results[name + "_mlp"] = net.mlp.h2_weights.weight
    return results
