import os
import tempfile

import numpy as np
import torch
from PIL import Image

from networks import AdaINGen, Conv2dBlock, LinearBlock, MsImageDis, Vgg16
from trainer import MUNIT_Trainer, UNIT_Trainer
from utils import (
    Timer, get_config, get_data_loader_folder, get_data_loader_list, get_slerp_interp, prepare_sub_folder, slerp,
    vgg_preprocess, weights_init, write_loss,
)  # fmt: skip

SIZE = 32


def configuration(**changes):
    config = get_config("configs/edges2shoes_folder.yaml")
    config["gen"].update(dim=4, mlp_dim=12, style_dim=3, n_res=2)
    config["dis"].update(dim=4, n_layer=2, num_scales=2)
    config.update(display_size=2, batch_size=2, step_size=2, lr=0.001, vgg_w=0, recon_x_cyc_w=1)
    config.update(recon_kl_w=0.01, recon_kl_cyc_w=0.01)
    config.update(changes)
    return config


def build():
    plain = configuration()
    other = configuration(init="gaussian", lr_policy="constant")
    other["gen"].update(activ="lrelu", pad_type="zero")
    other["dis"].update(gan_type="nsgan", norm="in")
    return (
        MUNIT_Trainer(plain),
        UNIT_Trainer(other),
        Vgg16(),
        Conv2dBlock(3, 4, 3, 1, 1, norm="sn", activation="prelu", pad_type="replicate"),
        LinearBlock(6, 5, norm="sn", activation="selu"),
    )


def init():
    torch.manual_seed(3)
    trainer = MUNIT_Trainer(configuration())
    net = MsImageDis(3, configuration()["dis"])
    net.apply(weights_init("orthogonal"))
    return {
        "encoder": trainer.gen_a.enc_content.model[1].conv.weight,
        "judge": trainer.dis_a.cnns[0][1].conv.weight,
        "mlp": trainer.gen_b.mlp.model[1].fc.weight,
    }


def images(seed, count=2):
    return torch.from_numpy(np.random.RandomState(seed).uniform(-1, 1, (count, 3, SIZE, SIZE)).astype("float32"))


def forward(munit, unit, vgg, block, linear):
    outputs = {}
    munit.vgg = vgg
    with torch.no_grad():
        for name, trainer in (("munit", munit), ("unit", unit)):
            outputs[name] = trainer(images(0), images(1))
            outputs[name + "_sample"] = trainer.sample(images(2), images(3))
            outputs[name + "_judged"] = trainer.dis_a(images(4))
        outputs["recon"] = munit.gen_a(images(5))
        outputs["vgg"] = lambda: munit.compute_vgg_loss(vgg, images(6), images(7))
        outputs["preprocessed"] = lambda: vgg_preprocess(images(8))
        outputs["block"] = lambda: block(images(9))
        outputs["linear"] = lambda: linear(torch.from_numpy(np.random.RandomState(1).randn(3, 6).astype("float32")))
    outputs["slerp"] = lambda: slerp(0.3, np.array([1.0, 0.2]), np.array([0.1, 1.0]))
    return outputs


class Writer:
    def __init__(self):
        self.scalars = {}

    def add_scalar(self, name, value, iteration):
        self.scalars[name] = float(value)


def write_images(folder):
    names = []
    for index in range(4):
        pixels = np.random.RandomState(20 + index).randint(0, 256, (SIZE, SIZE, 3)).astype("uint8")
        names.append(f"{index}.png")
        Image.fromarray(pixels).save(os.path.join(folder, names[-1]))
    with open(os.path.join(folder, "list.txt"), "w") as file:
        file.write("\n".join(names) + "\n")


def train(munit, unit, vgg, block, linear):
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        write_images(folder)
        loader_a = get_data_loader_folder(folder, 2, False, SIZE, SIZE, SIZE, 0, True)
        loader_b = get_data_loader_list(folder, os.path.join(folder, "list.txt"), 2, False, SIZE, SIZE, SIZE, 0, True)
        results["item"] = loader_a.dataset[1]
        for name, trainer, config in (
            ("munit", munit, configuration()),
            ("unit", unit, configuration(lr_policy="constant", gan_w=2)),
        ):
            checkpoints, _ = prepare_sub_folder(os.path.join(folder, name))
            writer, iterations = Writer(), 0
            while iterations < 4:
                for images_a, images_b in zip(loader_a, loader_b):
                    trainer.update_learning_rate()
                    images_a, images_b = images_a.detach(), images_b.flip(0).detach()
                    with Timer("Elapsed time in update: %f"):
                        trainer.dis_update(images_a, images_b, config)
                        trainer.gen_update(images_a, images_b, config)
                    write_loss(iterations, trainer, writer)
                    if iterations == 1:
                        trainer.save(checkpoints, iterations)
                        iterations = trainer.resume(checkpoints, hyperparameters=config) - 1
                    iterations += 1
            results[name] = np.array([writer.scalars[key] for key in sorted(writer.scalars)])
            results[name + "_lr"] = trainer.gen_opt.param_groups[0]["lr"]
            results[name + "_judge"] = trainer.dis_b.cnns[0][0].conv.weight
    results["style"] = munit.gen_a.enc_style.model[0].conv.weight
    results["mlp"] = munit.gen_b.mlp.model[0].fc.weight
    results["gamma"] = munit.gen_a.dec.model[2].norm.gamma
    results["decoder"] = unit.gen_b.dec.model[0].model[0].model[0].conv.weight
    results["interpolated"] = get_slerp_interp(1, 2, 3).shape
    return results
