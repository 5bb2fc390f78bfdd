import os
import sys

import numpy as np
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "classification_ModelNet40"))

from pointnet2_ops import pointnet2_utils


def furthest_point_sample(xyz, count):
    """What the kernel of pointnet2_ops does."""
    points = xyz.detach().cpu().numpy()
    chosen = np.zeros((len(points), count), dtype="int64")
    distance = np.full(points.shape[:2], 1e10)
    for number in range(1, count):
        last = np.take_along_axis(points, chosen[:, number - 1, None, None], axis=1)
        distance = np.minimum(distance, ((points - last) ** 2).sum(-1))
        chosen[:, number] = distance.argmax(-1)
    return torch.from_numpy(chosen).int()


pointnet2_utils.furthest_point_sample = furthest_point_sample

import main
from models.pointmlp import Model
from utils import cal_loss

POINTS, CLASSES = 48, 5


def network(**options):
    net = Model(
        points=POINTS, class_num=CLASSES, embed_dim=8, bias=False, dim_expansion=[2, 2], pre_blocks=[1, 1],
        pos_blocks=[1, 1], k_neighbors=[6, 6], reducers=[2, 2], **options,
    )  # fmt: skip
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return net


def build():
    return (
        network(use_xyz=False, normalize="anchor"),
        network(use_xyz=True, normalize="center", activation="leakyrelu", groups=2, res_expansion=0.5),
    )


class Clouds(torch.utils.data.Dataset):
    def __init__(self, seed, size):
        rng = np.random.RandomState(seed)
        sizes, places = rng.uniform(0.2, 1, (size, 1, 3)), rng.uniform(-1, 1, (size, 1, 3))
        self.points = (sizes * rng.uniform(-1, 1, (size, POINTS, 3)) + places).astype("float32")
        self.labels = rng.randint(0, CLASSES, (size, 1)).astype("int64")

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index], self.labels[index]


def forward(net, other):
    points = torch.from_numpy(Clouds(0, 3).points).permute(0, 2, 1)
    for each in (net, other):
        each.eval()
    logits = net(points)
    return {
        "logits": logits,
        "other": lambda: other(points),
        "loss": lambda: cal_loss(logits, torch.tensor([0, 2, 1])),
    }


def trained(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=2e-4)
    scheduler = CosineAnnealingLR(optimizer, 3, eta_min=0.005, last_epoch=-1)
    values = []
    for epoch in range(2):
        train_out = main.train(net, DataLoader(Clouds(1, 8), batch_size=4), optimizer, cal_loss, "cpu")
        test_out = main.validate(net, DataLoader(Clouds(2, 6), batch_size=3), cal_loss, "cpu")
        scheduler.step()
        values += [out[name] for out in (train_out, test_out) for name in ("loss", "acc", "acc_avg")]
        values.append(optimizer.param_groups[0]["lr"])
    return values


def train(net, other):
    return {
        "values": trained(net),
        "embedding": net.embedding.net[0].weight,
        "alpha": net.local_grouper_list[0].affine_alpha,
        "other": lambda: trained(other),
        "other_alpha": lambda: other.local_grouper_list[1].affine_alpha,
    }
