import os
import random
from functools import partial

import numpy as np
import torch
import torch.optim as optim
from PIL import Image
from torch.utils.data import DataLoader

from nets import facenet_training
from nets.facenet import Facenet
from utils import utils_fit
from utils.dataloader import FacenetDataset, LFWDataset, dataset_collate
from utils.utils import get_lr, worker_init_fn

SIZE, CLASSES = [64, 64, 3], 4
rng = np.random.RandomState(0)
LINES = []
for person in range(CLASSES):
    os.makedirs(f"lfw/person{person}", exist_ok=True)
    for number in range(1, 4):
        path = f"lfw/person{person}/person{person}_{number:04d}.jpg"
        Image.fromarray(rng.randint(0, 256, (60, 50, 3)).astype("uint8")).save(path, format="PNG")
        LINES.append(f"{person};{path}\n")
with open("lfw_pair.txt", "w", encoding="utf-8") as f:
    f.write("10\t300\n")
    for person in range(CLASSES):
        f.write(f"person{person}\t1\t2\n")
        f.write(f"person{person}\t1\tperson{(person + 1) % CLASSES}\t2\n")
# The folds of scikit-learn are left out: the distances are what the network gives.
DISTANCES = []


def evaluate(distances, labels):
    DISTANCES.append([float(distances.sum()), float(distances[labels].sum())])
    return [None] * 2 + [np.array([0.5])] + [None] * 4


utils_fit.evaluate = evaluate


def loader():
    random.seed(3)
    np.random.seed(3)
    dataset = FacenetDataset(SIZE, LINES, CLASSES, random=True)
    return DataLoader(
        dataset, shuffle=False, batch_size=4, num_workers=0, pin_memory=True, drop_last=True, collate_fn=dataset_collate,
        sampler=None, worker_init_fn=partial(worker_init_fn, rank=0, seed=11),
    )  # fmt: skip


def lfw_loader():
    dataset = LFWDataset(dir="lfw", pairs_path="lfw_pair.txt", image_size=SIZE)
    return DataLoader(dataset, batch_size=4, shuffle=False)


def build():
    return (
        Facenet(backbone="mobilenet", dropout_keep_prob=1.0, num_classes=CLASSES),
        Facenet(backbone="inception_resnetv1", dropout_keep_prob=1.0, num_classes=CLASSES),
    )


def init():
    torch.manual_seed(1)
    net = build()[0]
    mobilenet = net.backbone.model.stage3[0][3].weight.detach().clone()
    facenet_training.weights_init(net)
    return {"mobilenet": mobilenet, "conv": net.backbone.model.stage3[0][3].weight}


def forward(mobile, inception):
    mobile.eval()
    inception.eval()
    images, labels = next(iter(loader()))
    embedded = mobile(images)
    return {
        "images": images,
        "labels": labels,
        "embedded": embedded,
        "train_mode": lambda: list(mobile(images, "train")),
        "features": lambda: list(mobile.forward_feature(images)),
        "triplet": lambda: facenet_training.triplet_loss()(embedded, 4),
        "inception": lambda: inception(torch.nn.functional.interpolate(images[:2], size=(96, 96))),
        "pairs": lambda: [part for part in next(iter(lfw_loader()))],
    }


class History:
    """Stands for the one that draws the losses."""

    def __init__(self):
        self.seen = []

    def append_loss(self, epoch, acc, loss, val_loss):
        self.seen.append([float(acc), float(loss), float(val_loss)])


def train(mobile, inception):
    os.makedirs("logs", exist_ok=True)
    history = History()
    optimizer = {
        "adam": optim.Adam(mobile.parameters(), 1e-3, betas=(0.9, 0.999), weight_decay=0),
        "sgd": optim.SGD(mobile.parameters(), 1e-5, momentum=0.9, nesterov=True, weight_decay=5e-4),
    }["sgd"]
    schedule = facenet_training.get_lr_scheduler("cos", 1e-5, 1e-7, 2)
    rates = []
    DISTANCES.clear()
    for epoch in range(2):
        facenet_training.set_optimizer_lr(optimizer, schedule, epoch)
        rates.append(get_lr(optimizer))
        utils_fit.fit_one_epoch(
            mobile, mobile, history, facenet_training.triplet_loss(), optimizer, epoch, 2, 1, loader(), loader(), 2, False,
            lfw_loader(), 4, True, False, None, 1, "logs", 0,
        )  # fmt: skip
    return {
        "history": history.seen,
        "rates": rates,
        "distances": DISTANCES,
        "first": mobile.backbone.model.stage1[0][0].weight,
        "depthwise": mobile.backbone.model.stage2[0][0].weight,
        "norm": mobile.last_bn.running_var,
        "classifier": mobile.classifier.weight,
    }
