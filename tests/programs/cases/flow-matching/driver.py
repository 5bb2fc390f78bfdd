import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import torchdiffeq
import torchmetrics.aggregation

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", "image"))


class MeanMetric:
    """Stands for torchmetrics'."""

    def to(self, device, non_blocking=False):
        return self

    def reset(self):
        self.values = []

    def update(self, value):
        self.values = [*getattr(self, "values", []), value.detach()]

    def compute(self):
        return torch.stack(self.values).mean()


def odeint(func, y0, t, method="euler", options=None, atol=None, rtol=None):
    """Stands for torchdiffeq's: Euler's steps between the given times."""
    states = [y0]
    for start, end in zip(t[:-1], t[1:]):
        states.append(states[-1] + (end - start) * func(start, states[-1]))
    return torch.stack(states)


torchmetrics.aggregation.MeanMetric = MeanMetric
torchdiffeq.odeint = odeint

from flow_matching.loss import MixturePathGeneralizedKL  # noqa: E402
from flow_matching.path import AffineProbPath, GeodesicProbPath, MixtureDiscreteProbPath  # noqa: E402
from flow_matching.path.scheduler import (  # noqa: E402
    CondOTScheduler,
    CosineScheduler,
    LinearVPScheduler,
    PolynomialConvexScheduler,
    VPScheduler,
)  # fmt: skip
from flow_matching.solver import ODESolver, RiemannianODESolver  # noqa: E402
from flow_matching.utils import ModelWrapper, gradient  # noqa: E402
from flow_matching.utils.manifolds import FlatTorus, Sphere  # noqa: E402
from models.discrete_unet import DiscreteUNetModel  # noqa: E402
from models.ema import EMA  # noqa: E402
from models.unet import UNetModel  # noqa: E402
from train_arg_parser import get_args_parser  # noqa: E402
from training.edm_time_discretization import get_time_discretization  # noqa: E402
from training.eval_loop import CFGScaledModel  # noqa: E402
from training.grad_scaler import NativeScalerWithGradNormCount as NativeScaler  # noqa: E402
from training.load_and_save import load_model, save_model  # noqa: E402
from training.train_loop import train_one_epoch  # noqa: E402

UNET = {
    "in_channels": 3, "model_channels": 32, "out_channels": 3, "num_res_blocks": 1, "attention_resolutions": [2],
    "dropout": 0.0, "channel_mult": [1, 2], "num_classes": 10, "num_heads": 2, "use_scale_shift_norm": True,
    "resblock_updown": True, "use_new_attention_order": True,
}  # fmt: skip
DISCRETE = {
    **UNET, "model_channels": 96, "channel_mult": [1, 1], "num_heads": 1, "use_new_attention_order": False, "resblock_updown": False,
    "num_classes": None,
}  # fmt: skip


def build():
    torch.manual_seed(2)
    return EMA(model=UNetModel(**UNET)), DiscreteUNetModel(vocab_size=257, **DISCRETE)


def images(seed, number=2):
    return torch.from_numpy(np.random.RandomState(seed).rand(number, 3, 8, 8).astype("float32"))


def loader():
    rng = np.random.RandomState(9)
    return [(images(20 + step), torch.from_numpy(rng.randint(0, 10, 2))) for step in range(4)]


def schedules():
    t = torch.linspace(0.1, 0.9, 5)
    found = [get_time_discretization(5)]
    for scheduler in (
        CondOTScheduler(),
        PolynomialConvexScheduler(n=2.0),
        CosineScheduler(),
        LinearVPScheduler(),
        VPScheduler(),
    ):
        output = scheduler(t)
        found += [
            output.alpha_t,
            output.sigma_t,
            output.d_alpha_t,
            output.d_sigma_t,
            scheduler.snr_inverse(t + 0.5),
        ]
    return found


def paths():
    x_0, x_1, t = images(1), images(2), torch.tensor([0.3, 0.6])
    path = AffineProbPath(scheduler=VPScheduler())
    sample = path.sample(t=t, x_0=x_0, x_1=x_1)
    one = t[0]
    found = [
        sample.x_t,
        sample.dx_t,
        path.target_to_velocity(x_1, sample.x_t, one),
        path.epsilon_to_velocity(x_0, sample.x_t, one),
    ]
    found += [
        path.velocity_to_target(sample.dx_t, sample.x_t, one),
        path.target_to_epsilon(x_1, sample.x_t, one),
    ]
    return found


def geodesics():
    t, found = torch.tensor([0.3, 0.6]), []
    flat = torch.from_numpy(np.random.RandomState(4).randn(2, 3).astype("float32"))
    for manifold in (FlatTorus(), Sphere()):
        start, end = manifold.projx(flat), manifold.projx(flat.flip(1) + 0.5)
        geodesic = GeodesicProbPath(scheduler=CondOTScheduler(), manifold=manifold).sample(
            t=t, x_0=start, x_1=end
        )
        found += [
            geodesic.x_t,
            geodesic.dx_t,
            manifold.logmap(start, end),
            manifold.expmap(start, manifold.proju(start, end)),
        ]
    return found


def discrete():
    rng = np.random.RandomState(5)
    path = MixtureDiscreteProbPath(scheduler=PolynomialConvexScheduler(n=3.0))
    x_0, x_1 = (torch.from_numpy(rng.randint(0, 6, (2, 7))) for _ in range(2))
    t = torch.tensor([0.3, 0.8])
    sample = path.sample(t=t, x_0=x_0, x_1=x_1)
    logits = torch.from_numpy(rng.randn(2, 7, 6).astype("float32"))
    losses = [
        MixturePathGeneralizedKL(path=path, reduction=kind)(logits, x_1, sample.x_t, t)
        for kind in ("mean", "none")
    ]
    return [
        sample.x_t.float(),
        path.posterior_to_velocity(logits, sample.x_t, t),
        losses[0].reshape(1),
        losses[1],
    ]


class Bent(ModelWrapper):
    def __init__(self):
        super().__init__(None)

    def forward(self, x, t, **extras):
        return torch.sin(x) * (1 + t) + extras.get("shift", 0.0)


def solved():
    x = torch.from_numpy(np.random.RandomState(6).randn(3, 2).astype("float32"))
    times = torch.linspace(0, 1, 4)
    solver = ODESolver(velocity_model=Bent())
    sampled = solver.sample(x_init=x, step_size=None, time_grid=times, return_intermediates=True, shift=0.5)
    manifold = Sphere()
    x3 = manifold.projx(torch.from_numpy(np.random.RandomState(7).randn(3, 3).astype("float32")))
    moved = RiemannianODESolver(manifold, Bent()).sample(
        x_init=x3, step_size=0.25, method="midpoint", time_grid=torch.tensor([0.0, 1.0])
    )
    x = x.requires_grad_()
    slope = gradient((torch.sin(x) ** 2).sum(1), x)
    return [sampled, moved, slope]


def forward(ema, tokens):
    ema.eval()
    tokens.eval()
    t, labels = torch.tensor([0.2, 0.7]), torch.tensor([3, 8])
    pixels = (images(8) * 255).long()
    return {
        "ema": lambda: ema(images(3), t, extra={"label": labels}),
        "guided": lambda: CFGScaledModel(ema)(images(4), torch.tensor(0.4), 0.5, labels),
        "tokens": lambda: tokens(pixels, t=t, extra={}),
        "schedules": schedules,
        "paths": paths,
        "geodesics": geodesics,
        "discrete": discrete,
        "solved": solved,
    }


def trained(model, *options):
    folder = tempfile.mkdtemp()
    args = get_args_parser().parse_args(
        ["--device", "cpu", "--epochs", "3", "--output_dir", folder, *options]
    )
    device = torch.device(args.device)

    def made():
        optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=args.optimizer_betas)
        if args.decay_lr:
            lr_schedule = torch.optim.lr_scheduler.LinearLR(
                optimizer, total_iters=args.epochs, start_factor=1.0, end_factor=1e-8 / args.lr
            )
        else:
            lr_schedule = torch.optim.lr_scheduler.ConstantLR(optimizer, total_iters=args.epochs, factor=1.0)
        return optimizer, lr_schedule, NativeScaler()

    losses, rates = [], []
    optimizer, lr_schedule, scaler = made()
    for epoch in range(3):
        if epoch == 2:  # it goes on from the checkpoint
            args.resume = str(Path(folder) / "checkpoint.pth")
            optimizer, lr_schedule, scaler = made()
            load_model(
                args=args,
                model_without_ddp=model,
                optimizer=optimizer,
                loss_scaler=scaler,
                lr_schedule=lr_schedule,
            )
        stats = train_one_epoch(
            model=model, data_loader=loader(), optimizer=optimizer, lr_schedule=lr_schedule, device=device, epoch=epoch,
            loss_scaler=scaler, args=args,
        )  # fmt: skip
        losses.append(stats["loss"])
        rates.append(optimizer.param_groups[0]["lr"])
        if epoch == 1:
            args.resume = ""
            save_model(
                args=args, epoch=epoch, model=model, model_without_ddp=model, optimizer=optimizer,
                lr_schedule=lr_schedule, loss_scaler=scaler,
            )  # fmt: skip
    return [np.array(losses), np.array([*rates, args.start_epoch])]


def train(ema, tokens):
    return {
        "ema": lambda: [
            *trained(ema, "--use_ema", "--decay_lr", "--accum_iter", "2", "--class_drop_prob", "0.0", "--lr", "0.001"),
            ema.model.input_blocks[0][0].weight, ema.shadow_params[3], ema.num_updates.float().reshape(1),
        ],
        "skewed": lambda: [
            *trained(ema, "--skewed_timesteps", "--class_drop_prob", "1.1", "--lr", "0.0001"), ema.model.out[2].weight,
        ],
        "tokens": lambda: [
            *trained(tokens, "--discrete_flow_matching", "--lr", "0.001", "--class_drop_prob", "1.1"),
            tokens.pixel_embedding.embedding_table.weight,
        ],
    }  # fmt: skip


def init():
    net = UNetModel(**{**UNET, "model_channels": 64})
    return {
        "conv": net.input_blocks[0][0].weight,
        "labels": net.label_emb.weight,
        "times": net.time_embed[0].weight,
        "out": net.out[2].weight,
    }
