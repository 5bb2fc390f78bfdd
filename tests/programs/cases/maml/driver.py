import argparse

import numpy as np
import torch

from meta import Meta

args = argparse.Namespace(
    imgc=1,
    imgsz=28,
    n_way=3,
    k_spt=1,
    k_qry=4,
    task_num=2,
    meta_lr=1e-3,
    update_lr=0.1,
    update_step=3,
    update_step_test=4,
)
config = [
    ("conv2d", [8, 1, 3, 3, 2, 0]),
    ("relu", [True]),
    ("bn", [8]),
    ("conv2d", [8, 8, 3, 3, 2, 0]),
    ("relu", [True]),
    ("bn", [8]),
    ("max_pool2d", [2, 2, 0]),
    ("flatten", []),
    ("linear", [args.n_way, 8 * 3 * 3]),
]


def build():
    return Meta(args, config)


def init():
    torch.manual_seed(1)
    maml = Meta(args, [("conv2d", [32, 16, 3, 3, 2, 0]), ("flatten", []), ("linear", [50, 200])])
    return {"conv": maml.net.vars[0], "linear": maml.net.vars[2], "bias": maml.net.vars[1]}


def tasks(seed):
    rng = np.random.RandomState(seed)
    labels = [np.repeat(np.arange(args.n_way), shots) for shots in (args.k_spt, args.k_qry)]
    prototypes = rng.rand(args.task_num, args.n_way, 1, 28, 28)
    images = [prototypes[:, label] + 0.3 * rng.rand(args.task_num, len(label), 1, 28, 28) for label in labels]
    x_spt, x_qry = (torch.from_numpy(image.astype("float32")) for image in images)
    y_spt, y_qry = (torch.from_numpy(np.tile(label, (args.task_num, 1))) for label in labels)
    return x_spt, y_spt, x_qry, y_qry


def forward(maml):
    x_spt, y_spt, x_qry, y_qry = tasks(0)
    return {
        "logits": maml.net(x_qry[0], bn_training=False),
        "logits_of_batch": maml.net(x_qry[1]),
        "finetunning": lambda: maml.finetunning(x_spt[0], y_spt[0], x_qry[0], y_qry[0]),
    }


def train(maml):
    accuracies = []
    for step in range(3):
        accuracies.append(maml(*tasks(step)))
    return {"accuracies": np.array(accuracies), "conv": maml.net.vars[0], "linear": maml.net.vars[8]}
