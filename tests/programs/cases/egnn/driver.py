import os
import sys

import numpy as np
import torch

os.makedirs("n_body_system/dataset", exist_ok=True)
for partition in ("train", "valid", "test"):
    rng = np.random.RandomState(len(partition))
    charges = rng.choice([-1.0, 1.0], (6, 5, 1))
    named = {
        "loc": rng.randn(6, 49, 3, 5),
        "vel": rng.randn(6, 49, 3, 5),
        "edges": charges @ charges.transpose(0, 2, 1),
        "charges": charges,
    }
    for name, array in named.items():
        np.save("n_body_system/dataset/%s_%s_charged5_initvel1small.npy" % (name, partition), array)

sys.argv = ["main_nbody.py", "--nf", "8", "--n_layers", "2", "--outf", "logs"]

import main_nbody  # noqa: E402
from models.egnn_clean import egnn_clean  # noqa: E402
from n_body_system.dataset_nbody import NBodyDataset  # noqa: E402
from n_body_system.model import EGNN_vel, GNN, RF_vel  # noqa: E402


def build():
    return (
        EGNN_vel(
            in_node_nf=1, in_edge_nf=2, hidden_nf=8, device=main_nbody.device, n_layers=2, recurrent=True
        ),
        GNN(input_dim=6, hidden_nf=8, n_layers=2, device=main_nbody.device, recurrent=True),
        RF_vel(hidden_nf=8, edge_attr_nf=2, device=main_nbody.device, act_fn=torch.nn.SiLU(), n_layers=2),
        egnn_clean.EGNN(
            in_node_nf=3, hidden_nf=8, out_node_nf=2, in_edge_nf=1, attention=True, normalize=True
        ),
    )


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(egnn, gnn, rf, clean):
    edges, edge_attr = egnn_clean.get_edges_batch(4, 3)
    h, x = clean(array(0, 12, 3), array(1, 12, 3), edges, edge_attr)
    two = torch.cat([edge_attr, edge_attr], 1)
    return {
        "h": h,
        "x": x,
        "egnn": egnn(array(2, 12, 1), array(1, 12, 3), edges, array(3, 12, 3), two),
        "gnn": gnn(array(4, 12, 6), edges, edge_attr),
        "rf": rf(array(2, 12, 1), array(1, 12, 3), edges, array(3, 12, 3), two),
    }


def train(egnn, gnn, rf, clean):
    losses = {}
    for name, model in (("egnn_vel", egnn), ("gnn", gnn), ("rf_vel", rf)):
        main_nbody.args.model = name
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-12)
        data = NBodyDataset(partition="train", dataset_name="nbody_small", max_samples=6)
        loader = torch.utils.data.DataLoader(data, batch_size=3, shuffle=False, drop_last=True)
        losses[name] = [main_nbody.train(model, optimizer, epoch, loader) for epoch in range(2)]
        losses[name].append(main_nbody.train(model, optimizer, 2, loader, backprop=False))
    return {
        **losses,
        "egnn": egnn.embedding.weight,
        "gnn": gnn.decoder[0].weight,
        "rf": next(iter(rf.parameters())),
    }
