import argparse
import os

import numpy as np
import torch
from munch import Munch

from core import model, solver, utils

SIZE, DOMAINS = 32, 2


def arguments(**changes):
    return argparse.Namespace(**{
        "img_size": SIZE, "num_domains": DOMAINS, "latent_dim": 4, "style_dim": 8, "hidden_dim": 16, "w_hpf": 0,
        "lambda_reg": 1, "lambda_cyc": 1, "lambda_sty": 1, "lambda_ds": 1, "ds_iter": 10, "mode": "train",
        "total_iters": 2, "resume_iter": 0, "lr": 1e-4, "f_lr": 1e-6, "beta1": 0.0, "beta2": 0.99, "weight_decay": 1e-4,
        "checkpoint_dir": "checkpoints", "sample_dir": "samples", "print_every": 1, "sample_every": 100,
        "save_every": 2, "eval_every": 100, "wing_path": None, **changes,
    })  # fmt: skip


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (2, 3, SIZE, SIZE)).astype("float32"))


def latent(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(2, 4).astype("float32"))


def small_nets():
    """The widths follow from the size of images, which makes those of small ones wide."""
    torch.manual_seed(0)
    return (
        model.Generator(SIZE, 8, max_conv_dim=16, w_hpf=0),
        model.MappingNetwork(4, 8, DOMAINS),
        model.StyleEncoder(SIZE, 8, DOMAINS, max_conv_dim=16),
        model.Discriminator(SIZE, DOMAINS, max_conv_dim=16),
    )


def build():
    return small_nets()


def init():
    torch.manual_seed(1)
    net = model.MappingNetwork(4, 8, DOMAINS)
    net.apply(utils.he_init)
    return {"shared": net.shared[2].weight, "unshared": net.unshared[1][2].weight}


def forward(generator, mapping, encoder, discriminator):
    y = torch.tensor([0, 1])
    style = mapping(latent(0), y)
    high = model.HighPass(1, torch.device("cpu"))
    return {
        "style": style,
        "fake": lambda: generator(images(0), style),
        "encoded": lambda: encoder(images(1), y),
        "judged": lambda: discriminator(images(2), y),
        "high": lambda: high(images(3)),
        "denormalized": lambda: utils.denormalize(images(4)),
        "losses": lambda: [solver.adv_loss(discriminator(images(5), y), 1), solver.adv_loss(latent(1), 0)],
    }


class Fetcher:
    """Gives what the repository's fetcher gives, without its choices at random."""

    def __init__(self, loader, loader_ref=None, latent_dim=16, mode=""):
        self.step, self.mode = 0, mode

    def __next__(self):
        self.step += 1
        begin, y = 10 * self.step, torch.tensor([0, 1])
        if self.mode == "val":
            return Munch(x_src=images(begin), y_src=y, x_ref=images(begin + 1), y_ref=y)
        return Munch(
            x_src=images(begin), y_src=y, y_ref=torch.tensor([1, 0]), x_ref=images(begin + 1), x_ref2=images(begin + 2),
            z_trg=latent(begin), z_trg2=latent(begin + 1),
        )  # fmt: skip


def small_model(args):
    names = ("generator", "mapping_network", "style_encoder", "discriminator")
    nets = Munch(**{name: torch.nn.DataParallel(net) for name, net in zip(names, small_nets())})
    averages = Munch(**{name: model.copy.deepcopy(nets[name]) for name in names[:3]})
    return nets, averages


def train(generator, mapping, encoder, discriminator):
    os.makedirs("checkpoints", exist_ok=True)
    solver.InputFetcher = Fetcher
    solver.build_model = small_model
    trainer = solver.Solver(arguments())
    given = (generator, mapping, encoder, discriminator)
    for name, net in zip(("generator", "mapping_network", "style_encoder", "discriminator"), given):
        trainer.nets[name].module.load_state_dict(net.state_dict())
    for name in ("generator", "mapping_network", "style_encoder"):
        trainer.nets_ema[name].module.load_state_dict(trainer.nets[name].module.state_dict())
    trainer.train(Munch(src=None, ref=None, val=None))
    again = solver.Solver(arguments(resume_iter=2))
    again._load_checkpoint(2)
    y = torch.tensor([0, 1])
    x = images(77)
    loss, parts = solver.compute_d_loss(trainer.nets, trainer.args, x, y, y, z_trg=latent(70))
    return {
        "d_loss": loss.item(),
        "d_parts": [parts.real, parts.fake, parts.reg],
        "generator": trainer.nets.generator.module.from_rgb.weight,
        "mapping": trainer.nets.mapping_network.module.unshared[0][6].weight,
        "encoder": trainer.nets.style_encoder.module.unshared[1].weight,
        "discriminator": trainer.nets.discriminator.module.main[0].weight,
        "average": trainer.nets_ema.generator.module.to_rgb[2].weight,
        "lambda_ds": trainer.args.lambda_ds,
        "restored": again.nets.generator.module.from_rgb.weight,
        "restored_average": again.nets_ema.mapping_network.module.shared[0].weight,
    }
