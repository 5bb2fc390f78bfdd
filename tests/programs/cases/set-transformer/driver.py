import os
import runpy
import shutil
import sys

import h5py
import numpy as np
import tensorboardX
import torch
import torch.utils.tensorboard

sys.argv = [
    "run.py", "--B", "4", "--N_min", "6", "--N_max", "9", "--K", "3", "--num_steps", "4", "--num_bench", "2",
    "--test_freq", "2", "--save_freq", "3", "--lr", "0.01",
]  # fmt: skip
import run as program
from mixture_of_mvns import MixtureOfMVNs
from models import DeepSet, SetTransformer
from mvn_diag import MultivariateNormalDiag


class Clouds(dict):
    """A made-up file of clouds of points."""

    def __init__(self, name, mode):
        rng = np.random.RandomState(0)
        self["tr_cloud"], self["tr_labels"] = rng.rand(9, 40, 3), rng.randint(0, 5, 9)
        self["test_cloud"], self["test_labels"] = rng.rand(5, 40, 3), rng.randint(0, 5, 5)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


class SummaryWriter:
    written = []

    def __init__(self, folder):
        self.written.clear()

    def add_scalar(self, name, value):
        self.written.append(float(value))


h5py.File = Clouds
torch.utils.tensorboard.SummaryWriter = tensorboardX.SummaryWriter = SummaryWriter


def build():
    return (
        SetTransformer(2, 3, 4, num_inds=4, dim_hidden=8, num_heads=2, ln=True),
        DeepSet(2, 3, 4, dim_hidden=8),
        program.SetTransformer(2, 3, 4),
    )


def init():
    torch.manual_seed(0)
    net = build()[2]
    return {"inducing": net.enc[0].I, "seeds": net.dec[0].S, "query": net.enc[1].mab0.fc_q.weight}


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def likelihoods(net):
    mvn = MultivariateNormalDiag(2)
    mog = MixtureOfMVNs(mvn)
    points = array(3, 4, 7, 2)
    pi, params = mvn.parse(net(points))
    likelihood, labels = mog.log_prob(points, pi, params, return_labels=True)
    mean, covariance = mvn.stats(params)
    return torch.cat([pi.flatten(), likelihood.view(1), labels.flatten().float(), mean.flatten(), covariance.flatten()])


def drawn():
    torch.manual_seed(0)
    points, labels, pi, (mean, spread) = MixtureOfMVNs(MultivariateNormalDiag(2)).sample(4, 6, 3, return_gt=True)
    near = (points - torch.gather(mean, 1, labels.unsqueeze(-1).repeat(1, 1, 2))).abs().max() < 2
    return [*points.shape, *labels.shape, *pi.shape, *spread.shape, int(near), round(float(pi.sum()))]


def forward(net, deep, usual):
    return {
        "set": net(array(0, 4, 7, 2)),
        "deep": deep(array(1, 4, 7, 2)),
        "usual": usual(array(2, 4, 7, 2)),
        "likelihoods": lambda: likelihoods(net),
        "drawn": drawn,
    }


class Mixture(MixtureOfMVNs):
    """Draws with NumPy."""

    seeds = iter(range(10**6))

    def sample(self, B, N, K, return_gt=False):
        rng = np.random.RandomState(next(self.seeds))
        pi = torch.from_numpy(rng.dirichlet(np.ones(K), B).astype("float32"))
        labels = torch.from_numpy(rng.randint(0, K, (B, N)))
        mean = torch.from_numpy(rng.uniform(-4, 4, (B, K, 2)).astype("float32"))
        spread = torch.full((B, K, 2), 0.3)
        rows = labels.unsqueeze(-1).repeat(1, 1, 2)
        noise = torch.from_numpy(rng.randn(B, N, 2).astype("float32"))
        points = torch.gather(mean, 1, rows) + noise * torch.gather(spread, 1, rows)
        return (points, labels, pi, (mean, spread)) if return_gt else points


def mixtures(net):
    """The script's own benchmark, training and test."""
    for folder in ("benchmark", "results"):
        shutil.rmtree(folder, ignore_errors=True)
    Mixture.seeds = iter(range(100))
    np.random.seed(0)
    program.net, program.mog = net, Mixture(program.mvn)
    program.train()
    data, oracle = torch.load(program.benchfile, weights_only=False)
    saved = torch.load(os.path.join(program.save_dir, "model.tar"))["state_dict"]
    tested = program.test([data, oracle], verbose=False).split()
    values = [oracle, len(data), float(tested[2])]
    return [values, saved["enc.0.I"], saved["dec.0.S"], net.dec[3].weight, net.enc[1].mab1.fc_o.bias]


def clouds():
    """The script for clouds of points, whose weights are drawn."""
    os.makedirs("result", exist_ok=True)
    torch.manual_seed(1)
    np.random.seed(1)
    sys.argv = "main.py --num_pts 1000 --batch_size 4 --dim 8 --n_heads 2 --n_anc 3 --train_epochs 1".split()
    names = runpy.run_path("main_pointcloud.py", run_name="__main__")
    finite = all(np.isfinite(value) for value in SummaryWriter.written)
    return [len(SummaryWriter.written), int(finite), names["total"], *names["preds"].shape]


def train(net, deep, usual):
    optimizer = torch.optim.Adam([*net.parameters(), *deep.parameters()], lr=1e-2)
    losses = []
    for step in range(3):
        x = array(20 + step, 4, 7, 2)
        loss = (net(x) - deep(x)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "norm": net.enc[0].mab0.ln0.weight,
        "deep": deep.dec[0].weight,
        "mixtures": lambda: mixtures(usual),
        "clouds": clouds,
    }


