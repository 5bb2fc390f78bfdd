import argparse
import logging
import os
import shutil

import numpy as np
import torch

import utils.train as program
from model.generator import Generator
from model.multiscale import MultiScaleDiscriminator
from utils.hparams import HParam, load_hparam_str

MELS, FRAMES = 6, 6


def settings():
    hp = HParam("config/default.yaml")
    hp.audio.n_mel_channels, hp.audio.segment_length = MELS, FRAMES * 256
    hp.log.validation_interval, hp.log.save_interval = 1, 2
    return hp


def build():
    return Generator(MELS), MultiScaleDiscriminator()


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32"))


def forward(generator, discriminator):
    generator.eval()
    discriminator.eval()
    with torch.no_grad():
        audio = generator(array(0, 2, MELS, FRAMES) * 3 - 4)
        scores = discriminator(audio)
        return {
            "audio": audio,
            "scores": lambda: torch.cat([score for _, score in scores], 2),
            "features": lambda: scores[1][0][3],
            "sizes": lambda: [len(features) for features, _ in scores],
            "spoken": lambda: generator.inference(array(1, 1, MELS, 4) - 4).float() / 32768,
            "weight": lambda: without_norm(generator),
            "hp": lambda: [load_hparam_str("a: {b: 3}\n---\nc: 4\n").a.b],
        }


def without_norm(generator):
    """As for inference: the same audio, and no more weights than layers have."""
    plain = Generator(MELS)
    plain.load_state_dict(generator.state_dict())
    plain.eval(inference=True)
    names = [name for name in plain.state_dict() if name.endswith(("_g", "_v"))]
    return [torch.tensor([float(len(names))]), plain(array(0, 2, MELS, FRAMES))]


class Data:
    def __init__(self, count):
        self.count, self.shuffled = count, 0

    def __len__(self):
        return self.count

    def shuffle_mapping(self):
        self.shuffled += 1


class Loader:
    def __init__(self, batches):
        self.batches, self.dataset = batches, Data(2 * len(batches))

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


class Writer:
    def __init__(self):
        self.losses, self.checked = [], []

    def log_training(self, g_loss, d_loss, step):
        self.losses.append([g_loss, d_loss])

    def log_validation(self, g_loss, d_loss, generator, discriminator, target, prediction, step):
        self.checked.append([g_loss, d_loss, float(np.abs(target).mean()), float(np.abs(prediction).mean())])


def batch(seed):
    return array(seed, 2, MELS, FRAMES) - 4, array(seed + 50, 2, 1, FRAMES * 256)


def train(generator, discriminator):
    hp, writer = settings(), Writer()
    made = {}

    def with_weights(kind, net):
        def maker(*sizes):
            made[kind] = kind(*sizes)
            made[kind].load_state_dict(net.state_dict())
            return made[kind]

        return maker

    program.Generator = with_weights(Generator, generator)
    program.MultiScaleDiscriminator = with_weights(MultiScaleDiscriminator, discriminator)
    program.get_commit_hash = lambda: "abc"
    shutil.rmtree("chkpt", ignore_errors=True)
    os.makedirs("chkpt")
    loader = Loader([(batch(10), batch(20))])
    checks = Loader([(array(30, 1, MELS, FRAMES) - 4, array(31, 1, 1, FRAMES * 256))])
    args, logger = argparse.Namespace(name="mel", epochs=1), logging.getLogger("melgan")
    program.train(args, "chkpt", None, loader, checks, writer, logger, hp, "text")
    first = torch.load("chkpt/mel_abc_0000.pt")
    args.epochs = 2
    program.train(args, "chkpt", "chkpt/mel_abc_0000.pt", loader, checks, writer, logger, hp, "text")
    return {
        "losses": writer.losses,
        "checked": writer.checked,
        "epoch": [first["epoch"], first["step"], loader.dataset.shuffled],
        "saved": first["model_g"]["generator.4.blocks.1.2.bias"],
        "upsample": made[Generator].generator[3].bias,
        "last": made[MultiScaleDiscriminator].discriminators[2].discriminator[6].bias,
        "grouped": made[MultiScaleDiscriminator].discriminators[0].discriminator[1][0].bias,
    }
