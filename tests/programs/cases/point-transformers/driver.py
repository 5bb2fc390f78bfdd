import importlib
from types import SimpleNamespace

import numpy as np
import torch
from torch.utils.data import DataLoader

import provider
import train_cls

POINTS, CLASSES = 128, 5


def settings(name):
    model = SimpleNamespace(
        name=name, nneighbor=4, nblocks=2, transformer_dim=16, n_head=2, m=2, k=8, global_k=8, global_dim=16,
        local_dim=16, reduce_dim=8,
    )  # fmt: skip
    return SimpleNamespace(num_point=POINTS, model=model, num_class=CLASSES, input_dim=6)


def network(name, kind="PointTransformerCls"):
    return getattr(importlib.import_module("models.{}.model".format(name)), kind)(settings(name))


def build():
    return network("Hengshuang"), network("Nico"), network("Hengshuang", "PointTransformerSeg")


class Clouds(torch.utils.data.Dataset):
    def __init__(self, seed, size):
        rng = np.random.RandomState(seed)
        sizes, places = rng.uniform(0.2, 1, (size, 1, 6)), rng.uniform(-1, 1, (size, 1, 6))
        self.points = (sizes * rng.uniform(-1, 1, (size, POINTS, 6)) + places).astype("float32")
        self.labels = rng.randint(0, CLASSES, (size, 1)).astype("int32")

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index], self.labels[index]


def forward(hengshuang, nico, segmenter):
    points = torch.from_numpy(Clouds(0, 3).points)
    for net in (hengshuang, nico, segmenter):
        net.eval()
    return {
        "hengshuang": hengshuang(points),
        "nico": lambda: nico(points),
        "segments": lambda: segmenter(points),
    }


def trained(classifier):
    """The steps of main, which hydra starts."""
    np.random.seed(0)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(
        classifier.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-4
    )
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.3)
    losses, mean_correct = [], []
    for epoch in range(2):
        classifier.train()
        for points, target in DataLoader(Clouds(1, 8), batch_size=4):
            points = points.data.numpy()
            points[:, :, 0:3] = provider.random_scale_point_cloud(points[:, :, 0:3])
            points[:, :, 0:3] = provider.shift_point_cloud(points[:, :, 0:3])
            points = torch.Tensor(points)
            target = target[:, 0]
            optimizer.zero_grad()
            pred = classifier(points)
            loss = criterion(pred, target.long())
            pred_choice = pred.data.max(1)[1]
            correct = pred_choice.eq(target.long().data).cpu().sum()
            mean_correct.append(correct.item() / float(points.size()[0]))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
    return losses


def train(hengshuang, nico, segmenter):
    return {
        "losses": trained(hengshuang),
        "weight": hengshuang.backbone.transformer1.w_qs.weight,
        "norm": hengshuang.backbone.transition_downs[0].sa.mlp_bns[0].running_var,
        "nico_losses": lambda: trained(nico),
    }
