import tempfile
from argparse import Namespace

import numpy as np
import simclr
import torch
from models.resnet_simclr import ResNetSimCLR
from simclr import SimCLR
from torch.utils.data import DataLoader, Dataset

BATCH = 4


class Writer:
    """Takes what SimCLR writes for TensorBoard."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.log_dir = self.folder.name
        self.scalars = {}

    def add_scalar(self, name, value, global_step):
        self.scalars.setdefault(name, []).append(float(value))


class Views(Dataset):
    """Pairs of views as ContrastiveLearningViewGenerator makes them."""

    def __len__(self):
        return 3 * BATCH

    def __getitem__(self, index):
        random = np.random.RandomState(index)
        picture = random.randn(3, 64, 64)
        views = [(picture + 0.3 * random.randn(3, 64, 64)).astype("float32") for _ in range(2)]
        return [torch.from_numpy(view) for view in views], index


def arguments():
    return Namespace(
        device=torch.device("cpu"),
        disable_cuda=True,
        arch="resnet18",
        batch_size=BATCH,
        n_views=2,
        temperature=0.5,
        fp16_precision=False,
        epochs=1,
        log_every_n_steps=1,
    )


def build():
    return ResNetSimCLR(base_model="resnet18", out_dim=16)


def learner(model):
    simclr.SummaryWriter = Writer
    optimizer = torch.optim.Adam(model.parameters(), 0.00003, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3, eta_min=0, last_epoch=-1)
    return SimCLR(model=model, optimizer=optimizer, scheduler=scheduler, args=arguments())


def forward(model):
    model.eval()
    views, _ = next(iter(DataLoader(Views(), batch_size=BATCH)))
    with torch.no_grad():
        features = model(torch.cat(views, dim=0))
        logits, labels = learner(model).info_nce_loss(features)
    return {"features": features, "logits": logits, "labels": labels}


def train(model):
    model.train()
    learning = learner(model)
    learning.train(DataLoader(Views(), batch_size=BATCH, shuffle=False, drop_last=True))
    return {
        "losses": learning.writer.scalars["loss"],
        "top1": learning.writer.scalars["acc/top1"],
        "projection": model.backbone.fc[2].weight,
        "first": model.backbone.conv1.weight,
    }


def init():
    net = build().backbone
    return {"first": net.conv1.weight, "projection": net.fc[0].weight}
