import glob
import os
import runpy
import sys
import tempfile
from argparse import Namespace

import h5py
import numpy as np
import torch
from torch.nn.utils import clip_grad_norm_

from evaluation import EMD_CD, compute_all_metrics, jensen_shannon_divergence
from models.autoencoder import AutoEncoder
from models.common import get_linear_scheduler, truncated_normal_
from models.encoders.pointcnn import PointCNNEncoder
from models.flow import add_spectral_norm, remove_spectral_norm, spectral_norm_power_iteration
from models.vae_flow import FlowVAE
from models.vae_gaussian import GaussianVAE
from utils.dataset import ShapeNetCore
from utils.misc import BlackHole, CheckpointManager
from utils.transform import Center, FixedPoints, LinearTransformation, NormalizeScale, Rotate

POINTS = 24
SETTINGS = dict(
    latent_dim=8, num_steps=6, beta_1=1e-4, beta_T=0.05, sched_mode="linear", residual=True, flexibility=0.5,
    latent_flow_depth=3, latent_flow_hidden_dim=10, scale_mode="shape_unit", seed=1,
)  # fmt: skip


def build():
    flow = FlowVAE(Namespace(**SETTINGS))
    add_spectral_norm(flow)
    return (
        AutoEncoder(Namespace(**SETTINGS)),
        flow,
        GaussianVAE(Namespace(**{**SETTINGS, "residual": False})),
        FlowVAE(Namespace(**SETTINGS)),
        PointCNNEncoder(6),
    )


def clouds(seed, count=4, points=POINTS):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, points, 3).astype("float32"))


def data():
    """A file like ShapeNet's."""
    path = os.path.join(tempfile.mkdtemp(), "shapes.hdf5")
    with h5py.File(path, "w") as file:
        for number, name in enumerate(("02691156", "03001627")):
            for seed, (split, count) in enumerate((("train", 4), ("val", 3), ("test", 3))):
                file[f"{name}/{split}"] = (2 + clouds(10 * number + seed, count)).numpy()
    return path


def loaded():
    path, found = data(), []
    for mode in ("global_unit", "shape_unit", "shape_half", "shape_34", "shape_bbox", None):
        items = ShapeNetCore(path, ["airplane", "chair"], "train", mode)
        found.append(items[1]["pointcloud"])
        found += [items[0]["shift"], items[2]["scale"]]
    again = ShapeNetCore(path, ["airplane", "chair"], "val", "global_unit", transform=Rotate(30, ["pointcloud"], 1))
    return [*found, again.stats["mean"], again.stats["std"], again[0]["pointcloud"], np.array([len(again)])]


def transformed():
    made = {"pos": clouds(3)[0], "other": clouds(4)[0]}
    for one in (Center(["pos"]), NormalizeScale(["other"]), Rotate(90, ["pos"]), Rotate(10, ["other"], axis=2)):
        made = one(made)
    np.random.seed(0)
    made = FixedPoints(10)(made)
    linear = LinearTransformation(torch.eye(3) * 2, ["other"])(dict(made))
    return [made["pos"], made["other"], made["dense"], linear["other"]]


def measured():
    results = compute_all_metrics(clouds(5), clouds(6), 2)
    rng = np.random.RandomState(7)
    apart = EMD_CD(clouds(5), clouds(6), 3, reduced=False)
    return [
        *[results[name] for name in sorted(results)],
        apart["MMD-CD"],
        np.array(jensen_shannon_divergence(rng.rand(20), rng.rand(20))),
    ]


def sampled(net):
    np.random.seed(5)
    codes = clouds(7, 1, 8)[0, :, 0].view(1, 8).repeat(2, 1)
    if isinstance(net, AutoEncoder):
        path = net.decode(net.encode(clouds(8)), 7, flexibility=0.3, ret_traj=True)
        return [path[step] for step in sorted(path)]
    return net.sample(codes, 7, 0.2)


def shortened(net):
    """A flow whose weights are normalised no longer."""
    spectral_norm_power_iteration(net, 2)
    layer = net.flow.chain[0].net_s_t[0]
    before = net.flow(clouds(9, 1, 8)[0, :, :1].view(1, 8), reverse=True)
    remove_spectral_norm(layer)
    return [before, layer.weight, net.flow(clouds(9, 1, 8)[0, :, :1].view(1, 8))]


def forward(ae, normalised, gaussian, flow, cnn):
    for net in (ae, normalised, gaussian, flow, cnn):
        net.eval()
    with torch.no_grad():
        return {
            "code": lambda: ae.encode(clouds(1)),
            "path": lambda: sampled(ae),
            "gaussian": lambda: sampled(gaussian),
            "flow": lambda: sampled(flow),
            "normalised": lambda: sampled(normalised),
            "shortened": lambda: shortened(normalised),
            "cnn": lambda: list(cnn(clouds(2, 2, 200))),
            "truncated": lambda: truncated_normal_(torch.zeros(3, 2), mean=2, std=0),
            "transformed": transformed,
            "measured": measured,
            "loaded": loaded,
        }


def scripted(net):
    """train_ae.py from a checkpoint, then test_ae.py with what it kept."""
    folder, path = tempfile.mkdtemp(), data()
    begun = CheckpointManager(folder)
    begun.save(net, Namespace(**SETTINGS), 3.0, {"step": 0}, step=0)
    name = os.path.join(folder, begun.ckpts[0]["file"])
    common = ["--dataset_path", path, "--device", "cpu"]
    arguments, here = sys.argv, os.getcwd()
    try:
        sys.argv = [
            "train_ae.py", *common, "--resume", name, "--logging", "False", "--train_batch_size", "2", "--max_iters", "4",
            "--val_freq", "2", "--sched_start_epoch", "1", "--sched_end_epoch", "3", "--max_grad_norm", "0.5",
        ]  # fmt: skip
        found = runpy.run_path("train_ae.py")
        kept = CheckpointManager(folder)
        kept.save(found["model"], Namespace(**SETTINGS), found["cd_loss"], found["opt_states"], step=4)
        sys.argv = ["test_ae.py", *common, "--ckpt", os.path.join(folder, kept.ckpts[-1]["file"]), "--save_dir", folder]
        tested = runpy.run_path("test_ae.py")
    finally:
        sys.argv = arguments
    saved = glob.glob(os.path.join(folder, "AE_Ours*", "out.npy"))[0]
    again = CheckpointManager(folder).load_latest()
    assert os.getcwd() == here
    return {
        "distance": np.array(found["cd_loss"]),
        "tested": np.array(tested["cd"]),
        "saved": np.load(saved),
        "rate": np.array(found["optimizer"].param_groups[0]["lr"]),
        "weight": again["state_dict"]["encoder.conv2.weight"],
        "mean": again["state_dict"]["encoder.bn1.running_mean"],
        "moment": np.array(len(again["others"]["optimizer"]["state"])),
    }


def generated(net, normalised):
    """The steps of train_gen.py."""
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=0)
    scheduler = get_linear_scheduler(optimizer, start_epoch=1, end_epoch=4, start_lr=2e-3, end_lr=1e-4)
    losses, norms = [], []
    np.random.seed(3)
    for it in range(4):
        x = clouds(30 + it)
        optimizer.zero_grad()
        net.train()
        if normalised:
            spectral_norm_power_iteration(net, n_power_iterations=1)
        loss = net.get_loss(x, kl_weight=0.01, writer=BlackHole(), it=it)
        loss.backward()
        norms.append(float(clip_grad_norm_(net.parameters(), 10)))
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return [np.array(losses), np.array(norms), np.array(optimizer.param_groups[0]["lr"]), net.encoder.fc3_v.weight]


def convolved(cnn):
    optimizer = torch.optim.SGD(cnn.parameters(), lr=0.01)
    losses = []
    for step in range(2):
        mean, spread = cnn(clouds(40 + step, 2, 200))
        loss = (mean**2).mean() + spread.exp().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(ae, normalised, gaussian, flow, cnn):
    results = {"script_" + name: value for name, value in scripted(ae).items()}
    return {
        **results,
        "gaussian": lambda: generated(gaussian, False),
        "flow": lambda: [*generated(flow, False), flow.flow.chain[1].net_s_t[2].weight],
        "normalised": lambda: [*generated(normalised, True), normalised.flow.chain[0].net_s_t[0].weight_orig],
        "cnn": lambda: convolved(cnn),
    }
