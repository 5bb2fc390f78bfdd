import glob
import os
import random

import numpy as np
import torch
from PIL import Image

import dataloaders
import models
from train import get_instance
from trainer import Trainer
from utils import Logger, losses
from utils.lr_scheduler import OneCycle

CLASSES, SIZE = 21, 48


def pictures():
    rng = np.random.RandomState(0)
    root = "data/VOCdevkit/VOC2012"
    for folder in ("JPEGImages", "SegmentationClass", "ImageSets/Segmentation"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    for number in range(6):
        coarse = Image.fromarray(rng.randint(0, 255, (6, 6, 3)).astype("uint8"))
        coarse.resize((SIZE, SIZE), Image.BILINEAR).save(f"{root}/JPEGImages/{number}.jpg", quality=100)
        label = np.kron(rng.randint(0, CLASSES, (6, 6)), np.ones((8, 8))).astype("uint8")
        label[:2] = 255
        Image.fromarray(label).save(f"{root}/SegmentationClass/{number}.png")
    for name, numbers in (("train", "0123"), ("val", "45")):
        with open(f"{root}/ImageSets/Segmentation/{name}.txt", "w", encoding="utf-8") as f:
            f.write("\n".join(numbers))


def config(arch, **optimizer):
    loader = {"data_dir": "data", "batch_size": 2, "crop_size": None, "num_workers": 0}
    return {
        "name": arch["type"],
        "n_gpu": 1,
        "use_synch_bn": False,
        "arch": arch,
        "train_loader": {"type": "VOC", "args": {**loader, "augment": False, "split": "train"}},
        "val_loader": {"type": "VOC", "args": {**loader, "val": True, "split": "val"}},
        "optimizer": {"type": "SGD", "differential_lr": False, "args": {"lr": 0.01, "momentum": 0.9, "weight_decay": 1e-4}}
        | optimizer,
        "loss": "CrossEntropyLoss2d",
        "ignore_index": 255,
        "lr_scheduler": {"type": "Poly", "args": {}},
        "trainer": {
            "epochs": 2,
            "save_dir": "saved/",
            "save_period": 1,
            "monitor": "max Mean_IoU",
            "early_stop": 10,
            "log_dir": "saved/runs",
            "log_per_iter": 20,
            "val": True,
            "val_per_epochs": 2,
        },
    }


UNET = config({"type": "UNet", "args": {"freeze_bn": False}})
PSP = config(
    {"type": "PSPNet", "args": {"backbone": "resnet18", "pretrained": False, "freeze_bn": True, "freeze_backbone": False}},
    differential_lr=True,
)


def build():
    return get_instance(models, "arch", UNET, CLASSES), get_instance(models, "arch", PSP, CLASSES)


def dice(output, target, kind, **settings):
    return getattr(losses, kind)(**settings)(output, target.clone())


def forward(unet, psp):
    unet.eval()
    psp.eval()
    rng = np.random.RandomState(1)
    images = torch.from_numpy(rng.randn(2, 3, SIZE, SIZE).astype("float32"))
    target = torch.from_numpy(rng.randint(0, CLASSES, (2, SIZE, SIZE)))
    target[0, :3] = 255
    output = unet(images)
    uneven = torch.from_numpy(rng.randn(1, 3, 45, 51).astype("float32"))
    return {
        "unet": output,
        "psp": psp(images),
        "uneven": lambda: unet(uneven),
        "dice": lambda: dice(output, target, "DiceLoss"),
        "focal": lambda: dice(output, target, "FocalLoss"),
        "both": lambda: dice(output, target, "CE_DiceLoss"),
        "lovasz": lambda: dice(output, target, "LovaszSoftmax"),
    }


class Writer:
    def __init__(self):
        self.kept = []

    def add_scalar(self, name, value, step):
        self.kept.append(float(value))

    def add_image(self, name, image, step):
        self.kept.append(float(image.mean()))


def trained(net, settings):
    pictures()
    random.seed(0)
    for layer in net.modules():
        if isinstance(layer, torch.nn.Dropout2d):
            layer.p = 0.0
    train_loader = get_instance(dataloaders, "train_loader", settings)
    val_loader = get_instance(dataloaders, "val_loader", settings)
    loss = getattr(losses, settings["loss"])(ignore_index=settings["ignore_index"])
    log = Logger()
    trainer = Trainer(net, loss, None, settings, train_loader, val_loader, log)
    trainer.writer = Writer()
    trainer.train()
    saved = sorted(glob.glob(f"saved/{settings['name']}/*/checkpoint-epoch2.pth"))[-1]
    again = Trainer(net, loss, saved, settings, train_loader, val_loader, log)
    return [
        [entry["loss" if "loss" in entry else "val_loss"] for entry in log.entries.values()],
        trainer.writer.kept,
        again.start_epoch,
        again.optimizer.param_groups[0]["lr"],
    ]


def cycled():
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    schedule = OneCycle(optimizer, 2, 4)
    rates = []
    for epoch in range(2):
        for _ in range(4):
            schedule.step(epoch=epoch)
            rates.append([optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["momentum"]])
    return np.array(rates)


def train(unet, psp):
    return {
        "unet": lambda: trained(unet, UNET) + [unet.final_conv.weight, unet.start_conv[0].weight],
        "psp": lambda: trained(psp, PSP) + [psp.master_branch[1].weight, psp.auxiliary_branch[0].weight],
        "cycled": lambda: cycled(),
    }
