import os

import numpy as np
import torch
import torch.utils.tensorboard
import yaml
from PIL import Image
from torch.utils.data import Dataset

from data.gaussian_blur import GaussianBlur
from data.multi_view_data_injector import MultiViewDataInjector
from data.transforms import get_simclr_data_transforms
from models.mlp_head import MLPHead
from models.resnet_base_network import ResNet18


class SummaryWriter:
    log_dir = logdir = "run"  # and as tensorboardX calls it

    def __init__(self):
        self.losses = []
        self.pictures = {}

    def add_scalar(self, name, value, global_step):
        self.losses.append(float(value))

    def add_image(self, name, picture, global_step):
        self.pictures[name] = picture


torch.utils.tensorboard.SummaryWriter = SummaryWriter

import trainer as training

training.SummaryWriter = SummaryWriter

with open("./config/config.yaml") as file:
    config = yaml.load(file, Loader=yaml.FullLoader)
config["network"]["projection_head"] = {"mlp_hidden_size": 32, "projection_size": 16}
config["optimizer"]["params"]["lr"] = 0.002


def build():
    online = ResNet18(**config["network"])
    target = ResNet18(**config["network"])
    predictor = MLPHead(in_channels=online.projetion.net[-1].out_features, **config["network"]["projection_head"])
    return online, target, predictor


def pixels(seed, size=32):
    return np.random.RandomState(seed).randint(0, 256, (size, size, 3)).astype("uint8")


def images(seed, rows):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, 3, 32, 32).astype("float32"))


class Views(Dataset):
    def __init__(self, rows):
        self.views = MultiViewDataInjector([self.bright, self.dark])
        self.rows = rows

    def bright(self, picture):
        return torch.from_numpy(np.array(picture).transpose(2, 0, 1).astype("float32") / 255.0)

    def dark(self, picture):
        return self.bright(picture) * 0.5

    def __getitem__(self, index):
        return self.views(Image.fromarray(pixels(index))), index % 3

    def __len__(self):
        return self.rows


def blurred():
    blur = GaussianBlur(5)
    np.random.seed(3)
    return torch.from_numpy(np.array(blur(Image.fromarray(pixels(1, 24)))).astype("float32"))


def augmented():
    views = MultiViewDataInjector([get_simclr_data_transforms("(32,32,3)", s=1)] * 2)(Image.fromarray(pixels(2, 40)))
    return [list(view.shape) + [int(view.min() >= 0), int(view.max() <= 1)] for view in views]


def forward(online, target, predictor):
    for net in (online, target, predictor):
        net.eval()
    return {
        "online": lambda: online(images(0, 3)),
        "predicted": lambda: predictor(online(images(1, 3))),
        "loss": lambda: training.BYOLTrainer.regression_loss(online(images(0, 3)), target(images(1, 3))),
        "blurred": blurred,
        "augmented": augmented,
    }


def train(online, target, predictor):
    optimizer = torch.optim.SGD(
        list(online.parameters()) + list(predictor.parameters()), **config["optimizer"]["params"]
    )
    options = {**config["trainer"], "batch_size": 4, "max_epochs": 1, "num_workers": 0}
    byol = training.BYOLTrainer(
        online_network=online, target_network=target, optimizer=optimizer, predictor=predictor, device="cpu", **options
    )
    byol.train(Views(8))
    saved = torch.load(os.path.join("run", "checkpoints", "model.pth"), map_location=torch.device("cpu"))
    fresh = build()[0]
    fresh.load_state_dict(saved["online_network_state_dict"])
    return {
        "losses": byol.writer.losses,
        "grid": byol.writer.pictures["views_2"],
        "online": online.projetion.net[0].weight,
        "conv": online.encoder[0].weight,
        "target": target.projetion.net[3].weight,
        "target_norm": target.projetion.net[1].running_mean,
        "predictor": predictor.net[3].bias,
        "loaded": fresh.encoder[4][1].conv2.weight,
        "momentum": list(saved["optimizer_state_dict"]["param_groups"][0]["params"])[-1],
    }


def init():
    torch.manual_seed(0)
    online = build()[0]
    return {"conv": online.encoder[5][0].conv1.weight, "fc": online.projetion.net[0].weight}
