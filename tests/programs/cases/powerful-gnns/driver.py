import argparse
import os

import numpy as np
import torch
import torch.optim as optim

import main
from models.graphcnn import GraphCNN
from util import load_data

# Rings, half of them with a chord, in the form of the repository's data sets: tag, degree and neighbours of each node.
rng = np.random.RandomState(0)
os.makedirs("dataset/RINGS", exist_ok=True)
with open("dataset/RINGS/RINGS.txt", "w") as f:
    f.write("12\n")
    for number in range(12):
        nodes, label = rng.randint(5, 9), number % 2
        edges = {(node, (node + 1) % nodes) for node in range(nodes)}
        if label:
            edges.add((0, 2))
        f.write(f"{nodes} {label}\n")
        for node in range(nodes):
            neighbours = sorted({b for a, b in edges if a == node} | {a for a, b in edges if b == node})
            f.write(
                " ".join(str(value) for value in [rng.randint(0, 3), len(neighbours), *neighbours]) + "\n"
            )

graphs, num_classes = load_data("RINGS", False)


def gin(learn_eps, neighbor_pooling):
    features = graphs[0].node_features.shape[1]
    return GraphCNN(
        3, 2, features, 16, num_classes, 0.0, learn_eps, "average", neighbor_pooling, torch.device("cpu")
    )


def build():
    return gin(False, "sum"), gin(True, "average"), gin(True, "max")


def forward(*models):
    outputs = {}
    for name, model in zip(("sum", "average", "max"), models):
        outputs[name] = lambda model=model: main.pass_data_iteratively(model, graphs, 5)
    return outputs


def trained(model):
    args = argparse.Namespace(iters_per_epoch=2, batch_size=6)
    device = torch.device("cpu")
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    np.random.seed(0)
    losses = []
    for epoch in range(1, 3):
        losses.append(main.train(args, model, device, graphs, optimizer, epoch))
        scheduler.step()
    accuracies = main.test(args, model, device, graphs[:8], graphs[8:], 1)
    return [*losses, *accuracies, model.eps[0].item(), model.linears_prediction[0].bias[0].item()]


def train(sum_model, average_model, max_model):
    return {
        "sum": trained(sum_model),
        "average": lambda: trained(average_model),
        "max": lambda: trained(max_model),
        "weight": sum_model.mlps[1].linears[1].weight,
    }
