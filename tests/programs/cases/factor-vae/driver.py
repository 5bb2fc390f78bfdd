import os
import random
import tempfile
import types

import numpy as np
import torch
from PIL import Image

import dataset
import ops
import solver as program
from model import Discriminator, FactorVAE1, FactorVAE2, FactorVAE3, kaiming_init
from utils import DataGather, str2bool

Z = 4


def nothing_drawn(*classes):
    """Noise that the numbers of a batch decide."""
    for one in classes:
        one.reparametrize = lambda self, mu, logvar: mu + torch.cos(31 * mu) * logvar.mul(0.5).exp_()


nothing_drawn(FactorVAE1, FactorVAE2, FactorVAE3)


def build():
    return FactorVAE2(Z), Discriminator(Z), FactorVAE1(Z), Discriminator(Z), FactorVAE3(Z)


def init():
    torch.manual_seed(1)
    net, other = FactorVAE2(Z), FactorVAE1(Z)
    for layer in other.encode:
        kaiming_init(layer)
    return {
        "encode": net.encode[2].weight,
        "bias": net.encode[2].bias,
        "decode": net.decode[2].weight,
        "decode_bias": net.decode[4].bias,
        "kaiming": other.encode[4].weight,
        "linear": Discriminator(Z).net[2].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, judge, small, other_judge, face):
    for one in (net, judge, small, other_judge, face):
        one.eval()

    def permuted():
        torch.manual_seed(3)
        values = array(4, 6, 3)
        mixed = ops.permute_dims(values)
        return [mixed.sort(dim=0)[0] - values.sort(dim=0)[0], mixed.shape]

    def gathered():
        gather = DataGather("iter", "loss")
        gather.insert(iter=1, loss=array(5, 2))
        return gather.data["loss"][0], gather.flush() is None

    with torch.no_grad():
        return {
            "outputs": lambda: list(net(array(1, 2, 3, 64, 64))),
            "coded": lambda: net(array(1, 2, 3, 64, 64), no_dec=True),
            "small": lambda: list(small(array(2, 2, 1, 64, 64))),
            "face": lambda: list(face(array(2, 3, 1, 64, 64))),
            "judged": lambda: [judge(array(3, 5, Z)), judge(array(3, 1, Z))],
            "recon": lambda: ops.recon_loss(torch.sigmoid(array(6, 3, 2)), array(7, 3, 2)),
            "kld": lambda: ops.kl_divergence(array(8, 3, 2, 1, 1), array(9, 3, 2, 1, 1)),
            "permuted": permuted,
            "gathered": gathered,
            "flags": lambda: [str2bool("yes"), str2bool("f")],
        }


class Window:
    """Stands for visdom."""

    def __init__(self, port):
        self.seen = []
        Window.last = self

    def win_exists(self, env, win):
        return bool(self.seen)

    def line(self, X, Y, env, win, opts, update=None):
        self.seen += [float(X.sum()), float(Y.sum())]

    def images(self, images, env, opts, nrow=8):
        self.seen += [list(images.shape), float(images.mean())]


def settings(folder, name, data, **given):
    return types.SimpleNamespace(
        **{
            "name": name, "cuda": False, "max_iter": 4.0, "batch_size": 3, "z_dim": Z, "gamma": 6.4, "lr_VAE": 1e-4,
            "beta1_VAE": 0.9, "beta2_VAE": 0.999, "lr_D": 1e-4, "beta1_D": 0.5, "beta2_D": 0.9, "dset_dir": folder,
            "dataset": data, "image_size": 64, "num_workers": 0, "viz_on": True, "viz_port": 1, "viz_ll_iter": 1,
            "viz_la_iter": 2, "viz_ra_iter": 2, "viz_ta_iter": 4, "print_iter": 2, "ckpt_dir": f"{folder}/kept",
            "ckpt_load": None, "ckpt_save_iter": 4, "output_dir": f"{folder}/out", "output_save": True, **given,
        }
    )  # fmt: skip


def written(folder):
    os.makedirs(f"{folder}/3DChairs/images")
    for seed in range(7):
        pixels = np.random.RandomState(seed).randint(0, 255, (70, 80, 3)).astype("uint8")
        Image.fromarray(pixels).save(f"{folder}/3DChairs/images/{seed}.png")
    os.makedirs(f"{folder}/dsprites-dataset")
    shapes = np.random.RandomState(9).randint(0, 2, (7, 64, 64)).astype("uint8")
    np.savez(f"{folder}/dsprites-dataset/dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz", imgs=shapes)


def train(net, judge, small, other_judge, face):
    results = {}
    program.permute_dims = lambda z: torch.cat([z[:, :1], z[:, 1:].flip(0)], 1)
    program.visdom.Visdom = Window
    program.grid2gif = lambda images, gif, delay=100: None
    chairs = dataset.CustomImageFolder.__getitem__
    dataset.CustomImageFolder.__getitem__ = lambda self, row: chairs(self, row % len(self))
    with tempfile.TemporaryDirectory() as folder:
        written(folder)
        random.seed(1)
        program.FactorVAE2, program.Discriminator = lambda z: net, lambda z: judge
        one = program.Solver(settings(folder, "chairs", "3DChairs"))
        one.train()
        results["chairs"] = [float(value) for value in Window.last.seen if not isinstance(value, list)]
        results["shapes"] = [value for value in Window.last.seen if isinstance(value, list)]
        results["written"] = len(os.listdir(f"{folder}/out/chairs"))
        program.FactorVAE1, program.Discriminator = lambda z: small, lambda z: other_judge
        two = program.Solver(settings(folder, "sprites", "dsprites", viz_on=False))
        two.train()
        fresh = FactorVAE1(Z)
        program.FactorVAE1 = lambda z: fresh
        again = program.Solver(settings(folder, "sprites", "dsprites", viz_on=False, ckpt_load="last", max_iter=5))
        results["loaded"] = [again.global_iter, fresh.decode[0].weight.detach().clone()]
        again.train()
        results["moment"] = again.optim_D.state_dict()["state"][2]["exp_avg"]
    return {
        **results,
        "encode": net.encode[4].weight,
        "decode": net.decode[4].weight,
        "judge": judge.net[10].weight,
        "small": small.encode[0].weight,
        "small_decode": small.decode[10].weight,
        "further": fresh.encode[2].weight,
    }
