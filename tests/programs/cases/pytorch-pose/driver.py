import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "example"))

import main as example
import pose.losses as losses
from pose.models.hourglass import Bottleneck, HourglassNet
from pose.models.pose_resnet import BasicBlock, DeconvHead, ResNetBackbone, ResPoseNet
from pose.utils.evaluation import accuracy, final_preds, get_preds
from pose.utils.imutils import draw_labelmap, im_to_torch
from pose.utils.misc import adjust_learning_rate
from pose.utils.transforms import color_normalize, crop, flip_back, fliplr, shufflelr, transform

JOINTS = 16
example.idx = [1, 2, 3, 4, 5, 6, 11, 12, 15, 16]


def build():
    return (
        HourglassNet(Bottleneck, num_stacks=2, num_blocks=1, num_classes=JOINTS),
        ResPoseNet(ResNetBackbone(BasicBlock, [1, 1, 1, 1]), DeconvHead(512, 3, 32, 4, 1, JOINTS, 1)),
    )


def init():
    torch.manual_seed(1)
    head = DeconvHead(32, 2, 32, 4, 3, JOINTS, 1)
    return {
        "deconv": head.features[0].weight,
        "last": head.features[-1].weight,
        "bn": head.features[1].weight,
    }


def sample(seed):
    """One of Mpii.__getitem__, which reads its picture from a disk."""
    rng = np.random.RandomState(seed)
    image = im_to_torch(rng.rand(120, 100, 3).astype("float32"))
    points = torch.Tensor(np.concatenate([rng.uniform(30, 80, (JOINTS, 2)), np.ones((JOINTS, 1))], axis=1))
    center, scale = torch.Tensor([50, 55]), 0.5
    if seed % 2:
        image = torch.from_numpy(fliplr(image.numpy())).float()
        points = shufflelr(points, width=image.size(2), dataset="mpii")
        center[0] = image.size(2) - center[0]
    image[0, :, :].mul_(0.9).clamp_(0, 1)
    inp = color_normalize(crop(image, center, scale, [64, 64]), torch.tensor([0.4, 0.45, 0.4]), torch.ones(3))
    tpts = points.clone()
    target = torch.zeros(JOINTS, 16, 16)
    target_weight = tpts[:, 2].clone().view(JOINTS, 1)
    for i in range(JOINTS):
        if tpts[i, 1] > 0:
            tpts[i, 0:2] = torch.from_numpy(transform(tpts[i, 0:2] + 1, center, scale, [16, 16]))
            target[i], vis = draw_labelmap(target[i], tpts[i] - 1, 1, type="Gaussian")
            target_weight[i, 0] *= vis
    meta = {"index": seed, "center": center, "scale": scale, "tpts": tpts, "target_weight": target_weight}
    return inp, target, meta


class Samples(torch.utils.data.Dataset):
    def __init__(self, start, count):
        self.start, self.count = start, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        inp, target, meta = sample(self.start + index)
        meta["index"] = index
        return inp, target, meta


def loader(start, count):
    return torch.utils.data.DataLoader(Samples(start, count), batch_size=4, shuffle=False)


def forward(hourglass, residual):
    hourglass.eval()
    residual.eval()
    inp, target, meta = next(iter(loader(0, 4)))
    heat = torch.from_numpy(np.random.RandomState(2).rand(4, JOINTS, 16, 16).astype("float32"))
    criterion = losses.JointsMSELoss(use_target_weight=True)
    return {
        "data": [inp, target, meta["tpts"], meta["target_weight"]],
        "hourglass": hourglass(inp),
        "residual": lambda: residual(inp),
        "loss": lambda: criterion(heat, target, meta["target_weight"]),
        "unweighted": lambda: losses.JointsMSELoss(False)(heat, target, None),
        "predictions": lambda: get_preds(heat),
        "accuracy": lambda: accuracy(heat, target, example.idx),
        "final": lambda: final_preds(heat, meta["center"], meta["scale"], [16, 16]),
        "flipped": lambda: flip_back(heat.clone()),
    }


def train(hourglass, residual):
    criterion = losses.JointsMSELoss(use_target_weight=True)
    history = []
    optimizer = torch.optim.RMSprop(hourglass.parameters(), lr=1e-5, momentum=0, weight_decay=0)
    lr = 1e-5
    for epoch in range(2):
        lr = adjust_learning_rate(optimizer, epoch, lr, [1], 0.1)
        history += [lr, *map(float, example.train(loader(10 * epoch, 4), hourglass, criterion, optimizer))]
    loss, acc, predictions = example.validate(loader(50, 4), hourglass, criterion, JOINTS)
    history += [loss, float(acc)]

    optimizer = torch.optim.Adam(residual.parameters(), lr=1e-4)
    for step in range(2):
        history += map(
            float, example.train(loader(100 + 10 * step, 4), residual, criterion, optimizer, flip=False)
        )
    return {
        "history": np.array(history),
        "shape": np.array(predictions.shape),
        "score": hourglass.score[1].weight,
        "bn": hourglass.bn1.bias,
        "deconv": residual.head.features[0].weight,
    }
