import argparse
import os
import random
import shutil

import numpy as np
import torch
import torch.nn as nn
import torchvision.models as models
import torchvision.transforms as transforms
from PIL import Image
from torch.utils.data import DataLoader, Dataset

import main_lincls
import main_simsiam
import simsiam.builder
import simsiam.loader

DIM = 24


def build():
    return simsiam.builder.SimSiam(models.resnet18, DIM, 8), models.resnet18()


def init():
    torch.manual_seed(1)
    net = simsiam.builder.SimSiam(models.resnet18, 64, 32)
    return {
        "conv": net.encoder.layer2[0].conv1.weight,
        "projector": net.encoder.fc[0].weight,
        "last": net.encoder.fc[6].weight,
        "predictor": net.predictor[3].bias,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(net, classifier):
    net.eval()
    classifier.eval()
    picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (20, 30, 3)).astype("uint8"))
    random.seed(1)
    views = simsiam.loader.TwoCropsTransform(
        transforms.Compose([simsiam.loader.GaussianBlur([0.1, 2.0]), transforms.ToTensor()])
    )(picture)
    return {
        "predicted": lambda: net(array(0, 2, 3, 32, 32), array(1, 2, 3, 32, 32))[0],
        "target": lambda: net(array(0, 2, 3, 32, 32), array(1, 2, 3, 32, 32))[3],
        "classes": lambda: classifier(array(2, 1, 3, 40, 40)),
        "blurred": lambda: torch.stack(views),
        "frozen": lambda: [int(p.requires_grad) for p in net.encoder.fc.parameters()],
    }


class Views(Dataset):
    """What ImageFolder gives with two crops."""

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return [array(10 + index, 3, 32, 32), array(30 + index, 3, 32, 32)], 0


class Alone(nn.Module):
    """Stands for DistributedDataParallel on one device."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def pretrain(net):
    """What main_worker does from the loss on."""
    args = main_simsiam.parser.parse_args(["data", "--epochs", "2", "-b", "4", "--fix-pred-lr", "-p", "1", "-a", "resnet18"])
    args.gpu = None
    model = Alone(net)
    criterion = nn.CosineSimilarity(dim=1)
    rate = args.lr * args.batch_size / 2
    optimizer = torch.optim.SGD(
        [
            {"params": model.module.encoder.parameters(), "fix_lr": False},
            {"params": model.module.predictor.parameters(), "fix_lr": True},
        ],
        rate, momentum=args.momentum, weight_decay=args.weight_decay,
    )  # fmt: skip
    loader = DataLoader(Views(), batch_size=4, shuffle=False, num_workers=0, drop_last=True)
    for epoch in range(args.epochs):
        main_simsiam.adjust_learning_rate(optimizer, rate, epoch, args)
        main_simsiam.train(loader, model, criterion, optimizer, epoch, args)
        main_simsiam.save_checkpoint(
            {
                "epoch": epoch + 1, "arch": args.arch, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict(),
            },
            is_best=epoch == 1, filename="checkpoint_%04d.pth.tar" % epoch,
        )  # fmt: skip
    return [group["lr"] for group in optimizer.param_groups]


def pictures():
    shutil.rmtree("pictures", ignore_errors=True)
    for split, rows in (("train", 4), ("val", 3)):
        for name in ("cat", "dog"):
            os.makedirs(f"pictures/{split}/{name}")
            for row in range(rows):
                pixels = np.random.RandomState(len(name) + 7 * row).randint(0, 256, (9, 10, 3)).astype("uint8")
                Image.fromarray(pixels).resize((48, 40), Image.BICUBIC).save(f"pictures/{split}/{name}/{row}.png")


def linear():
    """The second script, on what the first one saved."""
    pictures()
    main_lincls.best_acc1 = 0
    args = main_lincls.parser.parse_args(
        ["pictures", "-a", "resnet18", "-j", "0", "--epochs", "2", "-b", "4", "--lr", "30", "-p", "1"]
        + ["--pretrained", "checkpoint_0001.pth.tar"]
    )
    args.distributed = False
    main_lincls.main_worker(None, 0, args)
    return torch.load("checkpoint.pth.tar", weights_only=False)


def train(net, classifier):
    rates = pretrain(net)
    saved = torch.load("model_best.pth.tar")
    second = linear()
    return {
        "rates": rates,
        "encoder": net.encoder.layer3[1].conv2.weight,
        "projector": net.encoder.fc[3].weight,
        "fixed": net.encoder.fc[6].bias,
        "predictor": net.predictor[0].weight,
        "variance": net.encoder.fc[7].running_var,
        "saved": saved["state_dict"]["module.encoder.layer1.0.bn1.weight"],
        "fc": second["state_dict"]["module.fc.weight"],
        "kept": second["state_dict"]["module.layer4.1.conv2.weight"],
        "best": float(second["best_acc1"]),
        "epoch": second["epoch"],
    }
