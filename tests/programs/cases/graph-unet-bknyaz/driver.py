import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import optim
from torch.optim import lr_scheduler

random = np.random.RandomState(0)
os.makedirs("data/PROTEINS", exist_ok=True)
indicator, pairs, labels, targets, first = [], [], [], [], 1
for graph in range(20):
    count = 5 + graph % 4
    indicator += [graph + 1] * count
    labels += [int(label) for label in random.randint(0, 3, count)]
    targets.append(1 + graph % 2)
    for i in range(count):
        for j in range(i):
            if i == j + 1 or random.uniform() > 0.6:
                pairs += [(first + i, first + j), (first + j, first + i)]
    first += count
for name, lines in (
    ("graph_indicator", indicator),
    ("A", [f"{i}, {j}" for i, j in pairs]),
    ("node_labels", labels),
    ("graph_labels", targets),
):
    with open(f"data/PROTEINS/PROTEINS_{name}.txt", "w") as file:
        file.write("".join(f"{line}\n" for line in lines))

# The script reads its data and trains nets of its own as it is loaded; what they learn is not looked at.
arguments = sys.argv
sys.argv = ["graph_unet.py", "--device", "cpu", "--epochs", "1", "-f", "16,16,8", "-d", "0", "--threads", "0"]
import graph_unet as script  # noqa: E402

sys.argv = arguments
FEATURES = script.loaders[0].dataset.num_features


def build():
    return (
        script.GCN(FEATURES, 2, filters=[16, 16, 8], K=2, bnorm=True, dropout=0, n_hidden=6, adj_sq=True),
        script.GraphUnet(FEATURES, 2, filters=[16, 16, 8], dropout=0, scale_identity=True),
        script.MGCN(FEATURES, 2, n_relations=2, filters=[16, 8], dropout=0, n_hidden_edge=6),
    )


def batches(fold, split, size=6):
    dataset = script.GraphData(datareader=script.datareader, fold_id=fold, split=split)
    return torch.utils.data.DataLoader(dataset, batch_size=size, shuffle=False, collate_fn=script.collate_batch)


def forward(gcn, unet, mgcn):
    for net in (gcn, unet, mgcn):
        net.eval()
    data = next(iter(batches(0, "train")))
    return {
        "gcn": lambda: gcn(data),
        "unet": lambda: unet(data),
        "mgcn": lambda: mgcn(data),
    }


def train(gcn, unet, mgcn):
    losses = []
    for net in (gcn, unet, mgcn):
        script.model = net
        params = list(filter(lambda p: p.requires_grad, net.parameters()))
        script.optimizer = optim.Adam(params, lr=0.005, weight_decay=1e-4, betas=(0.5, 0.999))
        script.scheduler = lr_scheduler.MultiStepLR(script.optimizer, [1, 2], gamma=0.1)
        for script.epoch in range(2):
            script.train(batches(1, "train"))
        script.test(batches(1, "test", 2))
        data = next(iter(batches(2, "train")))
        losses.append(F.cross_entropy(net(data), data[4]).item())
    return {
        "losses": losses,
        "gcn": gcn.gconv[0].fc.weight,
        "unet": unet.proj[0],
        "mgcn": mgcn.edge_pred[0].weight,
    }
