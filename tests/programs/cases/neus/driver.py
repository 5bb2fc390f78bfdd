import os

import numpy as np
import torch

import exp_runner
from exp_runner import Runner
from models.embedder import get_embedder
from models.fields import NeRF, RenderingNetwork, SDFNetwork, SingleVarianceNetwork
from models.renderer import NeuSRenderer, extract_fields, sample_pdf

RAYS = 6
renderers = []


def build():
    nerf = NeRF(
        D=4, W=16, d_in=4, d_in_view=3, multires=3, multires_view=2, output_ch=4, skips=[2], use_viewdirs=True
    )
    sdf = SDFNetwork(d_in=3, d_out=9, d_hidden=24, n_layers=4, skip_in=[2], multires=2, bias=0.5, scale=1.0)
    color = RenderingNetwork(
        d_feature=8, mode="idr", d_in=9, d_out=3, d_hidden=16, n_layers=2, multires_view=2
    )
    return nerf, sdf, SingleVarianceNetwork(0.3), color


def renderer_of(nerf, sdf, deviation, color, n_outside=4):
    return NeuSRenderer(
        nerf,
        sdf,
        deviation,
        color,
        n_samples=8,
        n_importance=8,
        n_outside=n_outside,
        up_sample_steps=2,
        perturb=0.0,
    )


def rays(seed):
    rng = np.random.RandomState(seed)
    origin = rng.randn(RAYS, 3)
    origin = 3 * origin / np.linalg.norm(origin, axis=1, keepdims=True)
    towards = 0.4 * rng.uniform(-1, 1, (RAYS, 3)) - origin
    towards = towards / np.linalg.norm(towards, axis=1, keepdims=True)
    colour, mask = rng.rand(RAYS, 3), rng.rand(RAYS, 1) < 0.7
    values = np.concatenate([origin, towards, colour, mask], axis=1)
    return torch.from_numpy(values.astype("float32"))


class Rays:
    """As Dataset gives them, without pictures."""

    def __init__(self):
        self.n_images = 3
        self.asked = 0

    def gen_random_rays_at(self, index, count):
        self.asked += 1
        return rays(100 + self.asked)[:count]

    def near_far_from_sphere(self, origin, towards):
        return exp_runner.Dataset.near_far_from_sphere(self, origin, towards)


def rendered(nets, n_outside, background=None):
    data = rays(1)
    origin, towards = data[:, :3], data[:, 3:6]
    near, far = Rays().near_far_from_sphere(origin, towards)
    out = renderer_of(*nets, n_outside).render(
        origin, towards, near, far, background_rgb=background, cos_anneal_ratio=0.3
    )
    return [
        out[key] for key in ("color_fine", "s_val", "weight_sum", "weight_max", "gradients", "gradient_error")
    ]


def points(seed, count=10):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 3)).astype("float32"))


def forward(nerf, sdf, deviation, color):
    for net in (nerf, sdf, deviation, color):
        net.eval()
    nets = (nerf, sdf, deviation, color)
    rng = np.random.RandomState(5)
    bins = torch.from_numpy(np.sort(rng.rand(3, 9), axis=1).astype("float32"))
    weights = torch.from_numpy(rng.rand(3, 8).astype("float32"))
    embed, width = get_embedder(3)
    return {
        "sdf": sdf(points(2)),
        "hidden": sdf.sdf_hidden_appearance(points(2)),
        "gradient": lambda: sdf.gradient(points(3)),
        "colour": lambda: color(points(2), points(3), points(4), sdf(points(2))[:, 1:]),
        "density": lambda: nerf(torch.cat([points(2), points(3)[:, :1]], -1), points(4)),
        "variance": lambda: deviation(points(2)),
        "embedded": lambda: embed(points(4)),
        "sampled": lambda: sample_pdf(bins, weights, 5, det=True),
        "inside": lambda: rendered(nets, 0, torch.ones([1, 3])),
        "rendered": lambda: rendered(nets, 4),
        "fields": lambda: extract_fields([-1, -1, -1], [1, 1, 1], 6, lambda at: -sdf.sdf(at)),
    }


class Writer:
    kept = {}

    def __init__(self, log_dir):
        Writer.kept = {}

    def add_scalar(self, name, value, step):
        self.kept.setdefault(name, []).append(float(value))


exp_runner.SummaryWriter = Writer


class Made(Runner):
    """A Runner without its pictures and its configuration file."""

    def __init__(self, nets):
        self.device = torch.device("cpu")
        self.base_exp_dir, self.dataset, self.iter_step, self.end_iter = "exp", Rays(), 0, 4
        self.save_freq, self.report_freq, self.val_freq, self.val_mesh_freq = 4, 2, 100, 100
        self.batch_size, self.learning_rate, self.learning_rate_alpha = RAYS, 5e-3, 0.05
        self.use_white_bkgd, self.warm_up_end, self.anneal_end = False, 2.0, 10.0
        self.igr_weight, self.mask_weight = 0.1, 0.1
        self.nerf_outside, self.sdf_network, self.deviation_network, self.color_network = nets
        trained = []
        for net in nets:
            trained += list(net.parameters())
        self.optimizer = torch.optim.Adam(trained, lr=self.learning_rate)
        self.renderer = renderer_of(*nets)


def train(nerf, sdf, deviation, color):
    runner = Made((nerf, sdf, deviation, color))
    runner.train()
    again = Made(build())
    again.load_checkpoint("ckpt_000004.pth")
    return {
        "losses": [Writer.kept[name] for name in sorted(Writer.kept)],
        "saved": sorted(os.listdir("exp/checkpoints")) == ["ckpt_000004.pth"],
        "step": again.iter_step,
        "rate": again.optimizer.param_groups[0]["lr"],
        "length": again.sdf_network.lin1.weight_g,
        "direction": again.sdf_network.lin0.weight_v,
        "variance": again.deviation_network.variance,
        "colour": color.lin1.bias,
        "outside": nerf.alpha_linear.weight,
    }


def init():
    net = SDFNetwork(d_in=3, d_out=65, d_hidden=64, n_layers=4, skip_in=[2], multires=4)
    return {"first": net.lin0.weight_v, "middle": net.lin1.weight, "last": net.lin4.bias}
