import copy

import numpy as np
import torch
import yaml

from gan_training import utils
from gan_training.checkpoints import CheckpointIO
from gan_training.config import build_lr_scheduler, build_models, build_optimizers, load_config
from gan_training.distributions import get_ydist, get_zdist, interpolate_sphere
from gan_training.eval import Evaluator
from gan_training.logger import Logger
from gan_training.train import Trainer, compute_grad2, update_average

CONFIG = {
    "data": {"img_size": 16, "nlabels": 3},
    "generator": {"kwargs": {"embed_size": 8, "nfilter": 8, "nfilter_max": 16}},
    "discriminator": {"kwargs": {"embed_size": 8, "nfilter": 8, "nfilter_max": 16}},
    "z_dist": {"dim": 6},
    "training": {"lr_g": 1e-3, "lr_d": 1e-3, "lr_anneal": 0.5, "lr_anneal_every": 2},
}


def configured(kind="resnet"):
    with open("config.yaml", "w") as f:
        yaml.dump(CONFIG, f)
    config = load_config("config.yaml", "configs/default.yaml")
    config["generator"]["name"] = config["discriminator"]["name"] = kind
    if kind != "resnet":
        config["data"]["img_size"] = 64
        config["generator"]["kwargs"] = config["discriminator"]["kwargs"] = {"embed_size": 8, "nfilter": 2}
    return config


def build():
    return (*build_models(configured()), *build_models(configured("resnet2")))


def batch(seed, size=4, count=4):
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.uniform(-1, 1, (count, 3, 4, 4)), np.ones((1, 1, size, size)))
    real = torch.from_numpy((0.9 * coarse).astype("float32"))
    labels = torch.from_numpy(rng.randint(0, 3, count))
    return real, labels, torch.from_numpy(rng.randn(count, 6).astype("float32"))


def penalty(net, size):
    real, labels, _ = batch(3, size)
    real.requires_grad_()
    return compute_grad2(net(real, labels), real)


def samples(net):
    evaluator = Evaluator(net, get_zdist("gauss", 6), get_ydist(3), batch_size=4)
    _, labels, noise = batch(4)
    return (
        evaluator.create_samples(noise, labels),
        evaluator.create_samples(noise, 2),
        evaluator.create_samples(noise).shape,
    )


def forward(generator, discriminator, second, judge):
    for net in (generator, discriminator, second, judge):
        net.eval()
    real, labels, noise = batch(1)
    fake = generator(noise, labels)
    return {
        "fake": fake,
        "judged": discriminator(real, labels),
        "second": lambda: second(noise, labels),
        "judge": lambda: judge(batch(2, 16)[0], labels),
        "embedded": lambda: generator(noise, generator.embedding(labels)),
        "penalty": lambda: [penalty(discriminator, 4), penalty(judge, 16)],
        "samples": lambda: samples(generator),
        "sphere": lambda: interpolate_sphere(noise, noise.flip(0) + 0.1, 0.3),
        "shapes": lambda: [get_zdist(kind, 5).sample((3,)).shape for kind in ("uniform", "gauss")],
        "some": lambda: utils.get_nsamples([(real, labels)], 6),
    }


def train(generator, discriminator, second, judge):
    config = configured()
    optimizers = build_optimizers(generator, discriminator, config)
    schedulers = [build_lr_scheduler(optimizer, config) for optimizer in optimizers]
    averaged = copy.deepcopy(generator)
    update_average(averaged, generator, 0.0)
    trainer = Trainer(
        generator, discriminator, *optimizers, gan_type="standard", reg_type="real", reg_param=10.0
    )
    logger = Logger("logs", "imgs", "none")
    for step in range(4):
        for scheduler in schedulers:
            scheduler.step()
        real, labels, noise = batch(10 + step)
        loss, regularizer = trainer.discriminator_trainstep(real, labels, noise)
        logger.add("losses", "discriminator", loss, it=step)
        logger.add("losses", "regularizer", regularizer, it=step)
        logger.add("losses", "generator", trainer.generator_trainstep(labels, batch(20 + step)[2]), it=step)
        update_average(averaged, generator, beta=0.9)
    logger.add_imgs(samples(averaged)[0], "all", 3)
    logger.save_stats("stats.p")
    again = Logger("logs", "imgs")
    again.load_stats("stats.p")
    kept = CheckpointIO("kept", generator=generator, g_optimizer=optimizers[0])
    kept.save("model.pt", it=3)
    others = others_trained((generator, discriminator), (second, judge))
    scalars = kept.load("model.pt")
    return {
        "losses": [[value for _, value in values] for _, values in sorted(again.stats["losses"].items())],
        "last": again.get_last("losses", "generator"),
        "rates": [optimizer.param_groups[0]["lr"] for optimizer in optimizers],
        "others": others,
        "scalars": scalars["it"],
        "averaged": averaged.conv_img.weight,
        "generator": generator.fc.weight,
        "embedding": generator.embedding.weight,
        "discriminator": discriminator.conv_img.weight,
        "judge": judge.conv_img.weight,
    }


def others_trained(nets, others):
    """The other optimizers, losses and regularizers; larger networks without one, which would be compiled for minutes."""
    losses = []
    kinds = (
        ("adam", "standard", "fake", nets),
        ("sgd", "wgan", "real_fake", nets),
        ("rmsprop", "wgan", "none", others),
    )
    for optimizer, gan, kind, pair in kinds:
        config = configured("resnet" if pair is nets else "resnet2")
        config["training"]["optimizer"] = optimizer
        config["training"]["equalize_lr"] = optimizer == "sgd"
        trainer = Trainer(*pair, *build_optimizers(*pair, config), gan, kind, 1.0)
        for step in range(2):
            real, labels, noise = batch(30 + step, 4 if pair is nets else 16)
            losses.extend(trainer.discriminator_trainstep(real, labels, noise))
            losses.append(trainer.generator_trainstep(labels, noise))
    return losses


def init():
    generator, discriminator = build_models(configured())
    return {
        "fc": generator.fc.weight,
        "embedding": generator.embedding.weight,
        "conv": discriminator.conv_img.weight,
    }
