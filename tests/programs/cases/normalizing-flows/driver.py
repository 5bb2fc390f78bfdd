import argparse
import os
import tempfile

import numpy as np
import torch
from torch.distributions import MultivariateNormal
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset

import bnaf
import glow
import maf
import planar_flow
from data import logit, one_hot


class Writer:
    def __init__(self):
        self.scalars = {}

    def add_scalar(self, name, value, step):
        self.scalars[name] = value


class FixedNormal(MultivariateNormal):
    """Its samples do not depend on a framework's random numbers."""

    def sample(self, sample_shape=torch.Size()):
        return rows(7, sample_shape[0], 2)


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def images(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, 3, 16, 16).astype("float32"))


def build():
    torch.manual_seed(0)
    return (
        maf.MAF(2, 4, 12, 1, 3, "relu", "sequential", batch_norm=True),
        maf.RealNVP(2, 4, 10, 1, None, batch_norm=True),
        maf.MAFMOG(1, 2, 4, 8, 1, None, "tanh", "sequential", batch_norm=False),
        bnaf.BNAF(2, 1, 8),
        torch.nn.Sequential(
            planar_flow.AffineTransform(True), *[planar_flow.PlanarTransform() for _ in range(3)]
        ),
        glow.Glow(8, 1, 2, input_dims=(3, 16, 16)),
    )


def init():
    torch.manual_seed(1)
    net = bnaf.BNAF(2, 1, 400)
    return {"weight": net.net[2].weight, "logg": net.net[0].logg, "bias": net.net[2].bias}


def forward(conditional, realnvp, mixture, block, planar, flow):
    for net in (conditional, realnvp, mixture, block, planar, flow):
        net.eval()
    x = rows(0, 5, 4)
    y = one_hot(torch.from_numpy(np.array([0, 2, 1, 1, 0])), 3)
    return {
        "maf": conditional.log_prob(x, y),
        "maf_inverse": lambda: conditional.inverse(x, y),
        "realnvp": lambda: realnvp.log_prob(x),
        "realnvp_inverse": lambda: realnvp.inverse(x),
        "mixture": lambda: mixture.log_prob(x),
        "block": lambda: block(x[:, :2]),
        "planar": lambda: planar(x[:, :2]),
        "energies": lambda: [
            u(x[:, :2]) for u in (planar_flow.u_z1, planar_flow.u_z2, planar_flow.u_z3, planar_flow.u_z4)
        ],
        "potentials": lambda: [bnaf.potential_fn(name)(x[:, :2]) for name in ("u1", "u2", "u3", "u4")],
        "logit": lambda: logit(images(1, 1).clone()),
        "glow": lambda: flow.log_prob(images(2, 2), bits_per_pixel=True),
        "glow_codes": lambda: flow(images(2, 2))[0],
        "glow_inverse": lambda: flow.inverse(flow(images(2, 2))[0]),
        "masks": lambda: maf.create_masks(4, 6, 1)[0],
    }


def trained_maf(model, folder, labelled):
    args = maf.parser.parse_args(["--batch_size", "4", "--n_epochs", "2", "--log_interval", "1", "--lr", "1e-3"])
    args.device = torch.device("cpu")
    args.output_dir, args.results_file = folder, os.path.join(folder, "results.txt")
    args.cond_label_size = 3 if labelled else None
    labels = one_hot(torch.from_numpy(np.arange(8) % 3), 3)
    data = TensorDataset(rows(1, 8, 4), labels) if labelled else TensorDataset(rows(1, 8, 4))
    loader = DataLoader(data, args.batch_size, shuffle=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-6)
    maf.train_and_evaluate(model, loader, loader, optimizer, args)
    state = torch.load(os.path.join(folder, "model_checkpoint.pt"), weights_only=False)
    model.load_state_dict(state["model_state"])
    return maf.evaluate(model, loader, state["epoch"], args)


def kl_loss(model, target_potential_fn, batch_size):
    """compute_kl_qp_loss with made-up samples."""
    z = rows(5, batch_size, 2)
    q_log_prob = model.base_dist.log_prob(z)
    zk, logdet = model(z)
    return q_log_prob.sum(1) - logdet.sum(1) + target_potential_fn(zk)


def trained_block(model, folder):
    args = bnaf.parser.parse_args(["--n_steps", "3", "--batch_size", "6", "--lr", "0.01", "--output_dir", folder])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = ReduceLROnPlateau(optimizer, factor=args.lr_decay, patience=0)
    bnaf.train_flow(model, bnaf.potential_fn("u2"), kl_loss, optimizer, scheduler, args)
    return kl_loss(model, bnaf.potential_fn("u2"), 6).mean().item()


def trained_planar(model):
    args = planar_flow.parser.parse_args(["--batch_size", "6", "--start_step", "1", "--n_steps", "4", "--lr", "1e-3"])
    args.device = torch.device("cpu")
    base = FixedNormal(torch.zeros(2), args.base_sigma * torch.eye(2))
    optimizer = torch.optim.RMSprop(
        model.parameters(), lr=args.lr, momentum=0.9, alpha=0.90, eps=1e-6, weight_decay=args.weight_decay
    )
    planar_flow.optimize_flow(base, model, planar_flow.u_z2, optimizer, args)
    z = base.sample((6,))
    moved, change = model(z)
    return (base.log_prob(z) - change + planar_flow.u_z2(moved)).mean().item()


def trained_glow(model, folder):
    arguments = "--batch_size 2 --lr 1e-3 --n_epochs 1 --n_epochs_warmup 1 --log_interval 1 --save_interval 9"
    args = glow.parser.parse_args(arguments.split())
    args.device, args.step, args.on_main_process = torch.device("cpu"), 0, True
    loader = DataLoader(TensorDataset(images(3, 6), torch.zeros(6)), args.batch_size, shuffle=False)
    with torch.no_grad():
        model(images(4, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    args.output_dir = folder
    writer = Writer()
    glow.train_epoch(model, loader, optimizer, writer, 0, args)
    losses = [writer.scalars["train_bits_x"], writer.scalars["kl_level_0"], writer.scalars["kl_level_2"]]
    losses.append(glow.evaluate(model, loader, args)[0].item())
    return losses


def train(conditional, realnvp, mixture, block, planar, flow):
    with tempfile.TemporaryDirectory() as folder:
        results = {
            "maf": trained_maf(conditional, folder, True),
            "realnvp": trained_maf(realnvp, folder, False),
            "mixture": trained_maf(mixture, folder, False),
            "block": trained_block(block, folder),
            "glow": np.array(trained_glow(flow, folder)),
        }
    results["planar"] = trained_planar(planar)
    results["masked"] = conditional.net[0].net_input.weight
    results["running"] = conditional.net[1].running_var
    results["logg"] = block.net[0].logg
    results["u"] = planar[1].u
    results["w"] = flow.flowstep[0][1].w
    results["scale"] = flow.flowlevels[0].flowsteps[0][0].scale
    return results
