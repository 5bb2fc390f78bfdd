import os
import random
import tempfile

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader

from configs.config_setting import setting_config
from datasets.dataset import NPY_datasets
from engine import train_one_epoch, val_one_epoch
from models.egeunet import EGEUNet
from utils import get_logger, get_optimizer, get_scheduler, log_config_info, myNormalize, myRandomRotation, myResize, myToTensor, set_seed

SIZE = 64


class Config(setting_config):
    print_interval, val_interval, save_interval = 1, 1, 100
    train_transformer = None
    test_transformer = None


class Steps:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, data):
        for step in self.steps:
            data = step(data)
        return data


class Writer:
    def __init__(self):
        self.kept = []

    def add_scalar(self, name, value, global_step):
        self.kept.append((float(value), global_step))


def write_pictures():
    folder = tempfile.mkdtemp() + "/"
    rng = np.random.RandomState(0)
    for part, number in (("train", 6), ("val", 2)):
        os.makedirs(folder + part + "/images")
        os.makedirs(folder + part + "/masks")
        for i in range(number):
            picture = rng.randint(0, 256, (48, 80, 3)).astype(np.uint8)
            mask = np.zeros((48, 80), np.uint8)
            mask[10:35, 10 + i : 50] = 255
            Image.fromarray(picture).save(f"{folder}{part}/images/{i}.png")
            Image.fromarray(mask).save(f"{folder}{part}/masks/{i}.png")
    return folder


def loaders(config):
    steps = [myNormalize(config.datasets), myToTensor(), myResize(SIZE, SIZE)]
    config.train_transformer = config.test_transformer = Steps(steps)
    folder = write_pictures()
    train = DataLoader(NPY_datasets(folder, config, train=True), batch_size=2, shuffle=False, pin_memory=True)
    val = DataLoader(NPY_datasets(folder, config, train=False), batch_size=1, shuffle=False, drop_last=True)
    return train, val


def build():
    cfg = {**Config.model_config, "c_list": [8, 16, 24, 32, 40, 48]}
    return EGEUNet(**cfg)


def forward(net):
    net.eval()
    x = torch.from_numpy(np.random.RandomState(1).rand(2, 3, SIZE, SIZE).astype("float32"))

    def outputs():
        earlier, out = net(x)
        return [*earlier, out]

    return {"out": outputs, "loss": lambda: Config.criterion(*net(x), (x[:, :1] > 0.5).float())}


def trained(net, **changes):
    config = Config()
    for name, value in changes.items():
        setattr(config, name, value)
    set_seed(config.seed)
    logger = get_logger("train", tempfile.mkdtemp())
    log_config_info(config, logger)
    train_loader, val_loader = loaders(config)
    optimizer = get_optimizer(config, net)
    scheduler = get_scheduler(config, optimizer)
    writer, step, losses = Writer(), 0, []
    for epoch in range(1, 3):
        step = train_one_epoch(
            train_loader, net, config.criterion, optimizer, scheduler, epoch, step, logger, config, writer
        )
        losses.append(val_one_epoch(val_loader, net, config.criterion, epoch, logger, config))
    saved = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
    path = os.path.join(tempfile.mkdtemp(), "latest.pth")
    torch.save(saved, path)
    loaded = torch.load(path, map_location=torch.device("cpu"))
    net.load_state_dict(loaded["model"])
    optimizer.load_state_dict(loaded["optimizer"])
    scheduler.load_state_dict(loaded["scheduler"])
    rate = optimizer.state_dict()["param_groups"][0]["lr"]
    return [[value for value, _ in writer.kept], losses, net.final.weight, net.encoder4[0].params_xy, rate]


def augmented():
    random.seed(3)
    steps = [*setting_config.train_transformer.transforms[:-2], myRandomRotation(p=1, degree=[30, 30])]
    data = np.random.RandomState(2).randint(0, 256, (32, 32, 3)), np.ones((32, 32, 1))
    for step in steps:
        data = step(data)
    return myResize(SIZE, SIZE)(data)


def train(net):
    return {
        "adamw": lambda: trained(net),
        "warm": lambda: trained(net, sch="WP_CosineLR", warm_up_epochs=2, opt="Rprop", etas=(0.5, 1.2), step_sizes=(1e-6, 50)),
        "augmented": augmented,
    }


def init():
    net = EGEUNet(c_list=[64, 64, 96, 128, 128, 256])
    return {
        "conv2d": net.encoder2[0].weight,
        "grouped": net.encoder6[0].ldw[0].weight,
        "conv1d": net.encoder6[0].conv_zx[2].weight,
        "conv1d bias": net.encoder6[0].conv_zx[2].bias,
        "ones": net.encoder6[0].params_zy,
    }
