import sys

import numpy as np
import torch

sys.argv = [
    "train.py", "--name", "small", "--gpu_ids", "-1", "--batchSize", "2", "--crop_size", "64", "--load_size", "64",
    "--label_nc", "5", "--dataset_mode", "custom", "--label_dir", "labels", "--image_dir", "images",
    "--norm_G", "spectralspadebatch3x3", "--norm_E", "spectralinstance", "--ngf", "4", "--ndf", "4",
    "--n_layers_D", "3", "--no_vgg_loss", "--niter", "1", "--niter_decay", "2",
]

from options.train_options import TrainOptions
from trainers.pix2pix_trainer import Pix2PixTrainer

opt = TrainOptions().parse()
trainers = []


def build():
    trainers[:] = [Pix2PixTrainer(opt)]
    return trainers[0].pix2pix_model


def batch(seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(0, opt.label_nc, (2, 1, 8, 8)).repeat(8, 2).repeat(8, 3)
    instance = rng.randint(0, 9, (2, 1, 16, 16)).repeat(4, 2).repeat(4, 3)
    image = np.tanh(rng.randn(2, 3, 64, 64))
    return {
        "label": torch.from_numpy(label.astype("float32")),
        "instance": torch.from_numpy(instance),
        "image": torch.from_numpy(image.astype("float32")),
    }


def forward(model):
    model.eval()
    input_semantics, real_image = model.preprocess_input(batch(0))
    return {
        "generated": model(batch(0), mode="inference"),
        "semantics": input_semantics,
        "discriminated": lambda: [one[-1] for one in model.netD(torch.cat([input_semantics, real_image], dim=1))],
        "losses": lambda: list(model(batch(1), mode="generator")[0].values()),
    }


def train(model):
    trainer = trainers[0]
    losses = {}
    for epoch in range(1, 4):
        data_i = batch(10 + epoch)
        if epoch % opt.D_steps_per_G == 0:
            trainer.run_generator_one_step(data_i)
        trainer.run_discriminator_one_step(data_i)
        for name, loss in trainer.get_latest_losses().items():
            losses.setdefault(name, []).append(loss.mean().item())
        trainer.update_learning_rate(epoch)
    return {
        **losses,
        "lr": [trainer.optimizer_G.param_groups[0]["lr"], trainer.optimizer_D.param_groups[0]["lr"]],
        "generator": model.netG.up_3.norm_0.mlp_gamma.weight,
        "discriminator": model.netD.discriminator_0.model0[0].weight,
        "running_mean": model.netG.up_0.norm_0.param_free_norm.running_mean,
    }


def init():
    torch.manual_seed(1)
    model = Pix2PixTrainer(opt).pix2pix_model
    return {
        "generator": model.netG.up_1.norm_0.mlp_gamma.weight,
        "discriminator": model.netD.discriminator_0.model0[0].weight,
    }
