import argparse
import os

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader

from data_loader import CelebA
from model import Discriminator, Generator
from solver import Solver

ATTRIBUTES = ["Black_Hair", "Blond_Hair", "Male", "Young"]
config = argparse.Namespace(
    c_dim=4, c2_dim=3, image_size=16, g_conv_dim=4, d_conv_dim=4, g_repeat_num=1, d_repeat_num=3,
    lambda_cls=1, lambda_rec=10, lambda_gp=10, dataset="CelebA", batch_size=4, num_iters=4, num_iters_decay=3,
    g_lr=0.0001, d_lr=0.0001, n_critic=2, beta1=0.5, beta2=0.999, resume_iters=None, selected_attrs=ATTRIBUTES,
    test_iters=4, use_tensorboard=False, log_dir="logs", sample_dir="samples", model_save_dir="models",
    result_dir="results", log_step=1, sample_step=2, model_save_step=2, lr_update_step=1,
)  # fmt: skip
for folder in ("images", config.sample_dir, config.model_save_dir, config.result_dir):
    os.makedirs(folder, exist_ok=True)
pictures = np.random.RandomState(0)
for index in range(4):
    pixels = pictures.randint(0, 256, (4, 4, 3)).repeat(4, 0).repeat(4, 1).astype("uint8")
    Image.fromarray(pixels).save(f"images/{index}.png")
with open("list_attr_celeba.txt", "w", encoding="utf-8") as f:
    f.write("2003\n" + " ".join(ATTRIBUTES) + "\n")
    for index in range(2003):  # all alike in their labels, which are shuffled
        f.write(f"{index % 4}.png 1 -1 -1 1\n")


def to_tensor(image):
    return torch.from_numpy(np.asarray(image).astype("float32").transpose(2, 0, 1) / 127.5 - 1)


def celeba_loader():
    dataset = CelebA("images", "list_attr_celeba.txt", ATTRIBUTES, to_tensor, "train")
    return DataLoader(dataset, batch_size=4)


def rafd_loader():
    rng = np.random.RandomState(7)
    faces = [(torch.from_numpy(rng.uniform(-1, 1, (3, 16, 16)).astype("float32")), 1) for _ in range(4)]
    return DataLoader(faces, batch_size=4)


def build():
    return (
        Generator(config.g_conv_dim, config.c_dim, config.g_repeat_num),
        Discriminator(config.image_size, config.d_conv_dim, config.c_dim, config.d_repeat_num),
        Generator(config.g_conv_dim, config.c_dim + config.c2_dim + 2, config.g_repeat_num),
        Discriminator(
            config.image_size, config.d_conv_dim, config.c_dim + config.c2_dim, config.d_repeat_num
        ),
    )


def forward(G, D, G2, D2):
    solver = Solver(celeba_loader(), rafd_loader(), config)
    x, c = next(iter(celeba_loader()))
    G.eval()
    labels = solver.create_labels(c, config.c_dim, "CelebA", ATTRIBUTES)
    fake = G(x, labels[1])
    return {
        "images": x,
        "labels": labels,
        "rafd_labels": lambda: solver.create_labels(c, 3, "RaFD"),
        "fake": fake,
        "src_cls": lambda: list(D(fake)),
        "denorm": lambda: solver.denorm(fake.clone()),
        "cls_loss": lambda: [
            solver.classification_loss(D(x)[1], c, "CelebA"),
            solver.classification_loss(D(x)[1], torch.tensor([0, 3, 2, 1]), "RaFD"),
        ],
    }


def solver_of(G, D, **changes):
    """The mix of real and fake images in a penalty is random, so the long loops run without the penalty's weight."""
    solver = Solver(celeba_loader(), rafd_loader(), argparse.Namespace(**{**vars(config), **changes}))
    solver.G.load_state_dict(G.state_dict())
    solver.D.load_state_dict(D.state_dict())
    return solver


def train(G, D, G2, D2):
    results = {}
    solver = solver_of(G, D)
    losses = []
    for step in range(3):
        x_real, label_org = next(iter(celeba_loader()))
        x_hat = (x_real * (0.5 + 0.1 * step)).requires_grad_(True)
        out_src, out_cls = solver.D(x_hat)
        d_loss_gp = solver.gradient_penalty(out_src, x_hat)
        d_loss = (
            out_src.mean() + solver.classification_loss(out_cls, label_org) + solver.lambda_gp * d_loss_gp
        )
        solver.reset_grad()
        d_loss.backward()
        solver.d_optimizer.step()
        losses.append(d_loss_gp.item())
    results["penalties"] = losses
    results["penalised"] = solver.D.main[0].weight

    solver = solver_of(G, D, lambda_gp=0)
    solver.train()
    results["generator"] = solver.G.main[0].weight
    results["discriminator"] = solver.D.conv2.weight
    results["norm"] = solver.G.main[1].running_mean
    results["lr"] = [solver.g_optimizer.param_groups[0]["lr"]]
    again = solver_of(G, D)
    again.test()
    results["restored"] = again.G.main[0].weight

    solver = solver_of(G2, D2, lambda_gp=0, dataset="Both", num_iters=2)
    solver.train_multi()
    results["multi_generator"] = solver.G.main[0].weight
    results["multi_discriminator"] = solver.D.main[0].bias
    return results
