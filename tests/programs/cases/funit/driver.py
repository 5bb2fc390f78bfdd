import copy
import os

import numpy as np
import torch

from trainer import Trainer
from utils import get_config, write_1images, write_loss

config = get_config("configs/funit_animals.yaml")
config["gen"].update(nf=8, nf_mlp=16, latent_dim=8, n_downs_content=2, n_downs_class=3, n_res_blks=1)
config["dis"].update(nf=8, n_res_blks=4, num_classes=5)
trainers = []


def build():
    trainer = Trainer(config)
    trainers.append(trainer)
    return trainer.model.gen, trainer.model.dis, trainer.model.gen_test


def batch(seed, count=3):
    rng = np.random.RandomState(seed)
    coarse = rng.uniform(-1, 1, (count, 3, 8, 1, 8, 1)) + 0.2 * rng.randn(count, 3, 8, 4, 8, 4)
    images = torch.from_numpy(coarse.reshape(count, 3, 32, 32).astype("float32"))
    return images, torch.from_numpy(rng.randint(0, 5, count))


def forward(gen, dis, gen_test):
    trainer = trainers[-1]
    gen.eval()
    dis.eval()
    content, classes = batch(0), batch(1, 4)
    one = (content[0][:1], content[1][:1])
    return {
        "translated": gen(one[0], classes[0]),
        "judged": dis(*content),
        "real": lambda: dis.calc_dis_real_loss(*content),
        "fake": lambda: dis.calc_dis_fake_loss(*content),
        "gen": lambda: dis.calc_gen_loss(*content),
        "tested": lambda: trainer.test(content, batch(2), False),
        "shots": lambda: shots(trainer, one, classes),
    }


def shots(trainer, one, classes):
    model = trainer.model
    return [
        model.translate_k_shot(one, classes, 4),
        model.compute_k_style(classes[0], 2),
        model.translate_simple(one[0], model.compute_k_style(classes[0], 4)),
    ]


class Writer:
    def __init__(self):
        self.kept = {}

    def add_scalar(self, name, value, step):
        self.kept.setdefault(name, []).append(float(value))


def train(gen, dis, gen_test):
    trainer = trainers[-1]
    trainer.train()
    writer = Writer()
    accuracies = []
    for step in range(3):
        content, classes = batch(10 + step), batch(20 + step)
        accuracies.append(trainer.dis_update(content, classes, config))
        accuracies.append(trainer.gen_update(content, classes, config, False))
        write_loss(step, trainer, writer)
    os.makedirs("images", exist_ok=True)
    with torch.no_grad():
        shown = trainer.test(batch(5), batch(6), False)
        write_1images(shown, "images", "train_current")
    trainer.save(".", 2, False)
    iterations = trainer.resume(".", config, False)
    return {
        "accuracies": accuracies,
        "written": [writer.kept[name] for name in sorted(writer.kept)],
        "iterations": iterations,
        "shown": shown[-1],
        "averaged": gen_test.dec.model[-1].conv.weight,
        "generator": gen.dec.model[-1].conv.weight,
        "mlp": gen.mlp.model[-1].fc.bias,
        "discriminator": dis.cnn_c[0].conv.weight,
    }


def init():
    bigger = copy.deepcopy(config)
    bigger["gen"].update(nf=16)
    net = Trainer(bigger).model
    return {"content": net.gen.enc_content.model[1].conv.weight, "mlp": net.gen.mlp.model[0].fc.weight}
